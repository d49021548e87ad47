import { earlier, type Instant, instantOf, later } from '../run/instant.ts';
import {
  type Bookkeeping,
  type OlderRows,
  type Position,
  readFloor,
  type Search,
} from '../store/position.ts';
import type { StateStore } from '../store/store.ts';
import type { OlderCount } from './log-page.ts';

/** How far before the overlap a search goes whenever the number of older rows is not the expected one. */
const NEAR: Instant = instantOf(7 * 24 * 60 * 60 * 1000);

/** How long a search waits for a sweep, which may find the panel whose rows showed up. */
const WAIT_FOR_SWEEP: Instant = instantOf(2 * 60 * 60 * 1000);

/** The search that a sweep asks a poll for, because panels appeared or vanished. */
export interface SearchRequest {
  /** Search every row since then: a panel that came back may have rows that were written while it was hidden. */
  readonly since: Instant | null;
  /** Whether a panel is listed for the first time: all of its rows showed up, and those since the start are searched. */
  readonly newPanels: boolean;
  /** Whether panels that came back explain additional rows, and panels that vanished explain missing ones. */
  readonly explains: { readonly more: boolean; readonly fewer: boolean };
}

interface Examined {
  readonly position: Position;
  /** The instant back to which this poll read every row. */
  readonly floor: Instant;
  /** The catalogue's own time. */
  readonly now: Instant;
  readonly counts: OlderCount;
}

/**
 * Rows that showed up before the overlap since the last count, less rows that vanished there. Null where there was no
 * count before, or where none is possible now.
 */
export async function differenceOf(
  { position: { older }, floor, counts }: Omit<Examined, 'now'>,
  store: Pick<StateStore, 'ledger'>,
): Promise<number | null> {
  if (!older) return null;
  const at = later(older.before, floor);
  const count = counts.before(at);
  if (count === null) return null;
  if (at === older.before) return count - older.count;
  // The mark moved without a count: rows were published in between, and are before the overlap now.
  const ledger = [...(await store.ledger(older.before)).values()];
  const published = ledger.filter((time) => time !== null && time >= older.before && time < at).length;
  return count - older.count - published;
}

/** The bookkeeping of a poll that has read the log to its end, with the mark that it advances to. */
export function bookkeepingAfter(
  difference: number | null,
  { mark, overlap, ...examined }: Examined & { readonly mark: Instant; readonly overlap: Instant },
): Bookkeeping {
  const { position, floor, counts } = examined;
  const { surfaced, vanished } = position.older ?? { surfaced: 0, vanished: 0 };
  const unexplained = {
    surfaced: surfaced + Math.max(0, difference ?? 0),
    vanished: vanished + Math.max(0, -(difference ?? 0)),
  };
  const countedAt = (before: Instant): OlderRows | null => {
    const count = counts.before(before);
    return count === null ? null : { before, count, ...unexplained };
  };
  const older = countedAt(readFloor({ ...position, mark }, overlap)) ?? countedAt(floor);
  const search = difference ? searchFrom(examined, {}) : position.search;
  return { older: older ?? position.older, search };
}

/** The bookkeeping once a sweep has asked for a search. */
export function bookkeepingOf(request: SearchRequest, examined: Examined): Bookkeeping {
  const { position, now } = examined;
  const { since, newPanels, explains } = request;
  const { older } = position;
  return {
    older: older && {
      ...older,
      ...(explains.more && !newPanels && { surfaced: 0 }),
      ...(explains.fewer && { vanished: 0 }),
    },
    search: searchFrom(examined, {
      ...(since !== null && { since }),
      ...(newPanels && { deeperFrom: now, explained: true }),
    }),
  };
}

/** A search that starts again before the overlap. It also covers what the search under way still has to cover. */
function searchFrom({ position, floor, now, counts }: Examined, wanted: Partial<Search>): Search | null {
  if (floor <= bottomOf(position)) return null;
  const { search } = position;
  const since = [floor - NEAR, wanted.since, search?.since].filter((at) => at !== undefined).reduce(earlier);
  return {
    until: floor,
    older: counts.before(floor),
    since,
    deeperFrom: wanted.deeperFrom ?? search?.deeperFrom ?? now + WAIT_FOR_SWEEP,
    explained: (wanted.explained ?? false) || (search?.explained ?? false),
    tries: 0,
  };
}

/** Rows before this instant were never published, or nothing shows whether they were. */
export function bottomOf({ start, ledgerSince }: Position): Instant {
  return later(start, ledgerSince);
}

/** The instant back to which to search now; null where there is nothing to search at this time. */
export function goalOf({ position, now }: Pick<Examined, 'position' | 'now'>): Instant | null {
  const { search, older } = position;
  if (!search) return null;
  const bottom = bottomOf(position);
  const since = later(search.since, bottom);
  if (search.until > since) return since;
  const isMissingRows = (older?.surfaced ?? 0) > 0;
  return isMissingRows && search.until > bottom && now >= search.deeperFrom ? bottom : null;
}

/** Whether a search is complete: no later poll has to search further back. */
export function isSearched(position: Position): boolean {
  const { search, older } = position;
  if (!search) return false;
  const bottom = bottomOf(position);
  if (search.until > later(search.since, bottom)) return false;
  return (older?.surfaced ?? 0) === 0 || search.until <= bottom;
}
