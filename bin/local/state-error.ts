/** The state directory cannot be used. */
export class StateError extends Error {
  override readonly name = 'StateError';
  readonly code = 'STATE_UNUSABLE';
}
