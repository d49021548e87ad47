import { StateError } from './state-error.ts';

/**
 * The error for a stored part of the state that is damaged.
 * @param what the part, as in `the position of catalogue "uk" in table "notifier"`
 * @param remedy what to do, as a sentence
 */
export function damagedState(what: string, cause: unknown, remedy: string): StateError {
  const seen = cause instanceof Error ? cause.message : String(cause);
  return new StateError(
    'STATE_CORRUPT',
    `Reading ${what}: it is damaged (${seen}). Nothing was published. ${remedy}`,
    { cause },
  );
}
