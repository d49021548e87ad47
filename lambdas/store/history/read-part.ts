import { earlier, type Instant, later } from '../../run/instant.ts';
import type { Coverage, HistoryQuery } from './history.ts';
import { gapsIn } from './periods.ts';

/** What of a period the history of one catalogue holds: an answer is about this part alone. */
export interface ReadPart {
  readonly catalogue: string;
  /** The period that was asked for, up to the present. */
  readonly since: Instant;
  readonly until: Instant;
  /** How much of it was read. */
  readonly readSeconds: number;
  /** The parts of it that were not read, oldest first. */
  readonly gaps: readonly Pick<Coverage, 'since' | 'until'>[];
  /** After this instant the log was not read or has no rows; null where it was read to the end of the period. */
  readonly openSince: Instant | null;
}

/** Shorter gaps between two periods that were read are none: no time of day shows them. */
const SHORTEST_GAP = 60_000_000n;
/** A poll that is due may have read up to here: the last row is not the end of what was read. */
const POLLED_WITHIN = 3_600_000_000n;
/** While polls follow each other, the end of what was read is never further away: nothing needs to be said of it. */
const BETWEEN_POLLS = 300_000_000n;

interface Asked extends Pick<HistoryQuery, 'catalogue' | 'since' | 'until'> {
  readonly now: Instant;
}

/**
 * What of a period was read, by catalogue; empty where the history holds nothing. Without a beginning the period is that
 * of the history.
 */
export function readPartsOf(
  coverage: readonly Coverage[],
  { catalogue, since, until = 1n << 62n, now }: Asked,
): readonly ReadPart[] {
  const byCatalogue = Map.groupBy(coverage, (period) => period.catalogue);
  const names = catalogue === undefined ? [...byCatalogue.keys()] : [catalogue];
  const oldest = coverage.map((period) => period.since).reduce(earlier, now);
  return names.map((name): ReadPart => {
    const periods = byCatalogue.get(name) ?? [];
    const first = since ?? periods[0]?.since ?? oldest;
    const last = later(first, earlier(until, now));
    const all = first < last ? gapsIn({ since: first, until: last }, periods) : [];
    const newest = periods.at(-1)?.until;
    // What follows the newest row: polls write nothing where the log has no new rows.
    const open = newest === undefined ? undefined : all.find(({ since: from }) => from >= newest);
    const gaps = all.filter(
      (gap) =>
        gap !== open && (gap.until - gap.since >= SHORTEST_GAP || gap.since === first || gap.until === last),
    );
    const isRecent = open !== undefined && open.until - open.since <= POLLED_WITHIN;
    const missing = [...gaps, ...(open && !isRecent ? [open] : [])];
    const unread = missing.reduce((sum, gap) => sum + gap.until - gap.since, 0n);
    return {
      catalogue: name,
      since: first,
      until: last,
      readSeconds: secondsOf(last - first - unread),
      gaps,
      openSince: open && newest !== undefined && last - newest > BETWEEN_POLLS ? newest : null,
    };
  });
}

/**
 * Whether all of the period was read, a part of it, or nothing. The time since the last row counts as read for an hour.
 * `no rows`: all of the period is after the newest row that was read.
 */
export function howMuchWasRead(parts: readonly ReadPart[]): 'all' | 'part' | 'no rows' | 'nothing' {
  if (parts.every(({ readSeconds }) => readSeconds <= 0)) {
    const isLater =
      parts.length > 0 && parts.every(({ openSince, gaps }) => openSince !== null && gaps.length === 0);
    return isLater ? 'no rows' : 'nothing';
  }
  return parts.every(isWhole) ? 'all' : 'part';
}

/** Whether all of the period was read. */
export const isWhole = ({ since, until, readSeconds }: ReadPart): boolean =>
  readSeconds >= secondsOf(until - since);

const secondsOf = (micros: bigint): number => Number(micros / 1_000_000n);
