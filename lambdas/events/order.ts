import { type Instant, minutes, parseInstant } from '../run/instant.ts';
import type { PanelEvent } from './schemas.ts';

type VersionNumbers = readonly [major: number, minor: number];

/** The numbers of a panel version: `0.10` has 0 and 10, and so comes after `0.9`. Null for a text that is no version. */
export function versionNumbers(text: string): VersionNumbers | null {
  const [, major, minor] = /^(\d{1,9})\.(\d{1,9})$/.exec(text) ?? [];
  return major === undefined ? null : [Number(major), Number(minor)];
}

/** Negative where the first version comes before the second, positive where it comes after, 0 where they are equal. */
export function compareVersions(one: VersionNumbers, other: VersionNumbers): number {
  return one[0] - other[0] || one[1] - other[1];
}

/** Whether a version comes before another one; false where one of them is missing or no version. */
export function isBeforeVersion(one: string | null, other: string | null): boolean {
  const [first, last] = [versionNumbers(one ?? ''), versionNumbers(other ?? '')];
  return first !== null && last !== null && compareVersions(first, last) < 0;
}

/**
 * The versions of a panel after `from`, up to and including `to`, that are certain. How many minor versions the earlier
 * major version had is unknown.
 */
export function versionsBetween(from: string, to: string): readonly string[] {
  const [first, last] = [versionNumbers(from), versionNumbers(to)];
  if (first === null || last === null) return [];
  const [[fromMajor, fromMinor], [toMajor, toMinor]] = [first, last];
  if (toMajor - fromMajor > MOST_STEPS) return [];
  const versions: string[] = [];
  for (let major = fromMajor + 1; major < toMajor; major += 1) versions.push(`${major}.0`);
  const nextMinor = toMajor > fromMajor ? 0 : fromMinor + 1;
  if (toMajor < fromMajor || toMinor - nextMinor > MOST_STEPS) return versions;
  for (let minor = nextMinor; minor <= toMinor; minor += 1) versions.push(`${toMajor}.${minor}`);
  return versions;
}

/** A major or minor number that rises by more was set by hand. */
const MOST_STEPS = 1000;

/** A transaction is held open for this long at most: a row may be stamped so long before its version begins, or after it ended. */
export const OPEN_TRANSACTION: Instant = minutes(60);

/**
 * Where transactions overlap, the times of rows and the versions that they name disagree by less than this. An administrator may set
 * a panel back within the hour: events that are further apart follow their times.
 */
const LONGEST_OVERLAP: Instant = minutes(2);

/** Where something has its place among what happened to a panel. */
export interface Place {
  /** The version that it led to; null where none is stated. */
  readonly version: string | null;
  readonly at: Instant;
}

/**
 * Negative where the first comes before the second on one panel: by version, and within a version by time. A row is stamped when it
 * is made, and its version is counted when the transaction before has ended. Versions that disagree with the times by more than the
 * longest overlap order nothing: the panel was set back to an older number.
 */
export function comparePlaces(one: Place, other: Place): number {
  const byTime = Number(one.at - other.at);
  if (one.version === other.version) return byTime;
  const [first, second] = [versionNumbers(one.version ?? ''), versionNumbers(other.version ?? '')];
  const byVersion = first && second ? compareVersions(first, second) : 0;
  const isBack = byVersion * byTime < 0 && Math.abs(byTime) > Number(LONGEST_OVERLAP);
  return isBack ? byTime : byVersion || byTime;
}

/** The time of an event; 0 where it has none. */
export const timeOf = (event: Pick<PanelEvent, 'time'>): Instant => parseInstant(event.time) ?? 0n;

/** The place of an event on its panel. */
export const placeOf = (event: PanelEvent): Place => ({
  version: event.data.panel?.version ?? null,
  at: timeOf(event),
});

/** Which of two events of one panel comes first: by their places; of one place, a row's renaming. */
export const compareInOrder = (one: PanelEvent, other: PanelEvent): number =>
  comparePlaces(placeOf(one), placeOf(other)) || renamesFirst(one) - renamesFirst(other);

/**
 * A row that renames an entity states its other changes under the new name. What was found without a row has the time at which
 * its version began, so that an entity may have been renamed after its other changes.
 */
const renamesFirst = ({ type, data: { change } }: PanelEvent): number =>
  type === 'gene-panel.entity.renamed.v1' && !('via' in change) ? 0 : 1;

/** Events of any panels in the order in which each panel is followed through them; others stay as they were published. */
export function inOrder(events: readonly PanelEvent[]): PanelEvent[] {
  const byTime = events.map((event) => ({ event, at: timeOf(event) }));
  byTime.sort(
    (one, other) => Number(one.at - other.at) || renamesFirst(one.event) - renamesFirst(other.event),
  );
  const ordered: PanelEvent[] = [];
  const ordering = createOrdering((event) => ordered.push(event));
  for (const { event } of byTime) ordering.add(event);
  ordering.finish();
  return ordered;
}

interface Ordering {
  /** Takes the next event, oldest first by `time`. */
  add(event: PanelEvent): void;
  /** Hands on those that are held back. */
  finish(): void;
}

interface Held {
  readonly event: PanelEvent;
  /** Milliseconds since the epoch; NaN where it has no time. */
  readonly at: number;
}

/** The highest version that a panel had by its events, and when one of them stated it last. */
interface Reached {
  readonly version: string | null;
  at: number;
}

const OVERLAP_MS = Number(LONGEST_OVERLAP) / 1000;

/**
 * Hands events of any panels on in the order of `inOrder`, while they are read by `time`: each is held back until nothing can come
 * before it any more.
 */
export function createOrdering(take: (event: PanelEvent) => void): Ordering {
  let held: Held[] = [];
  const highest = new Map<unknown, Reached>();

  const handOn = (count: number): void => {
    const isAll = count === held.length;
    for (const { event } of isAll ? held : held.slice(0, count)) take(event);
    held = isAll ? [] : held.slice(count);
  };

  const settle = (at: number): void => {
    // Not one by one: each time, the others move up.
    if (at - (held[0]?.at ?? at) < 2 * OVERLAP_MS) return;
    const open = held.findIndex((one) => at - one.at <= OVERLAP_MS);
    handOn(open < 0 ? held.length : open);
  };

  /** Before the first event of its panel that states a higher version, and is no older than the longest overlap. */
  const indexOf = ({ event: { source, data }, at }: Held): number => {
    const [id, version] = [data.panel?.id, data.panel?.version ?? null];
    const reached = highest.get(id);
    if (version === null || reached?.version === version) {
      if (reached && version !== null) reached.at = at;
      return held.length;
    }
    if (!reached || !isBeforeVersion(version, reached.version) || at - reached.at > OVERLAP_MS) {
      highest.set(id, { version, at });
      return held.length;
    }
    const first = held.findIndex(
      ({ event, at: heldAt }) =>
        event.source === source &&
        event.data.panel?.id === id &&
        at - heldAt <= OVERLAP_MS &&
        isBeforeVersion(version, event.data.panel?.version ?? null),
    );
    return first < 0 ? held.length : first;
  };

  return {
    add(event) {
      const at = Date.parse(event.time ?? '');
      settle(at);
      const added = { event, at };
      const index = indexOf(added);
      if (index === held.length) held.push(added);
      else held.splice(index, 0, added);
    },
    finish: () => handOn(held.length),
  };
}
