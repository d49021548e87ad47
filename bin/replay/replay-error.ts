/** Events could not be replayed. Sending them again does no harm: their ids are the same. */
export class ReplayError extends Error {
  override readonly name = 'ReplayError';
  readonly code = 'REPLAY_FAILED';
}
