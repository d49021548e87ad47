/** The stack of a deployed stage cannot be read. */
export class DeployedStageError extends Error {
  override readonly name = 'DeployedStageError';
  readonly code = 'STAGE_UNREADABLE';
}
