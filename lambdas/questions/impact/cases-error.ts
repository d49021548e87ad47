/** Cases cannot be read. The message names lines of the file, never what they hold. */
export class CasesError extends Error {
  override readonly name = 'CasesError';
  readonly code = 'CASES_UNREADABLE';
}
