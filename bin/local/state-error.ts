/** The state directory cannot be used. */
export class LocalStateError extends Error {
  override readonly name = 'LocalStateError';
  readonly code = 'STATE_UNUSABLE';
}
