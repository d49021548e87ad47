import { DAY_MS } from '../run/clock.ts';
import { instantOf } from '../run/instant.ts';
import type { MovableStore } from './store.ts';

/**
 * Forgets what of the state is older than so many days. The days are whole, so that a store is asked to change once a day.
 * @param now milliseconds since the epoch
 * @throws {StateError} when the state cannot be read or written, or another run wrote first
 */
export async function forgetOldState(
  store: Pick<MovableStore, 'forgetBefore'>,
  { days, now }: { readonly days: number; readonly now: number },
): Promise<void> {
  await store.forgetBefore(instantOf((Math.floor(now / DAY_MS) - days) * DAY_MS));
}
