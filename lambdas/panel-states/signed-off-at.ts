import { formatInstant, type Instant } from '../clock/instant.ts';
import type { SignOff } from './version-state.ts';

/**
 * The sign-off of one panel that counts at an instant: the last one whose day has come and that was not removed before.
 * Null where none counts.
 */
export function signedOffAt(signOffs: readonly SignOff[], instant: Instant): SignOff | null {
  const day = formatInstant(instant).slice(0, 10);
  const counting = signOffs.filter(
    ({ date, removedAt }) => date <= day && (removedAt === null || removedAt > instant),
  );
  return (
    counting
      .toSorted((one, other) => {
        if (one.date !== other.date) return one.date < other.date ? -1 : 1;
        // Two on one day: the one that was listed later replaced the other.
        return Number(one.listedAt - other.listedAt);
      })
      .at(-1) ?? null
  );
}
