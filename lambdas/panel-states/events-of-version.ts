import { type Instant, parseInstant } from '../clock/instant.ts';
import type { PanelEvent } from '../events/schemas.ts';
import type { VersionSummary } from './version-state.ts';

/** A version of a panel, and when the panel had it. */
export type Version = Pick<VersionSummary, 'version' | 'validFrom' | 'validTo'>;

/**
 * The events that a version holds and the one before it does not, oldest first. A row names the version that it led to,
 * or under which it was written. Its own time is less certain: a transaction that is held open stamps rows before the
 * version begins, or after it ended. Only where a row names no version, one that never was, or a number that came
 * twice, its time decides.
 *
 * @param events of one panel, in the order in which they were published
 * @param versions of the panel that are known
 */
export function eventsOfVersion(
  version: Version,
  events: readonly PanelEvent[],
  versions: readonly Version[],
): readonly PanelEvent[] {
  const numbers = Map.groupBy(versions, (one) => one.version);
  return events
    .filter((event) => {
      const stated = event.data.panel?.version ?? '';
      if (numbers.get(stated)?.length === 1) return stated === version.version;
      const at = parseInstant(event.time);
      return at !== null && isWithin(version, at);
    })
    .toSorted((one, other) => Number((parseInstant(one.time) ?? 0n) - (parseInstant(other.time) ?? 0n)));
}

const isWithin = ({ validFrom, validTo }: Version, at: Instant): boolean =>
  validFrom <= at && (validTo === null || at < validTo);
