import type { PanelEvent } from '../../events/schemas.ts';
import { earlier, type Instant, later } from '../../run/instant.ts';
import type { Coverage, HistoryQuery } from './history.ts';

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

/**
 * Whether the id of an event leaves its time open, so that the same id may come with another time. The id of a row's event
 * is made of the row, with its time; that of a listing's event is not.
 * @param hasRows given where the event was read without its rows
 */
export const hasOpenTime = (
  { time, data }: PanelEvent,
  hasRows: boolean = data.activities.length > 0,
): boolean => time === undefined || !hasRows;

type Period = Pick<Coverage, 'since' | 'until'>;

/** Periods with one more among them; those that touch or overlap become one, an empty one adds nothing. Oldest first. */
export function withPeriod(periods: readonly Period[], added: Period): readonly Period[] {
  if (added.since === added.until) return periods;
  const merged: Period[] = [];
  const ordered = [...periods, added].sort((one, other) => Number(one.since - other.since));
  for (const { since, until } of ordered) {
    const last = merged.at(-1);
    if (last && since <= last.until) merged[merged.length - 1] = { ...last, until: later(last.until, until) };
    else merged.push({ since, until });
  }
  return merged;
}

/** The parts of a period that none of the covered periods, oldest first, holds. */
function gapsIn(wanted: Period, covered: readonly Period[]): readonly Period[] {
  const gaps: Period[] = [];
  let from = wanted.since;
  for (const { since, until } of covered) {
    if (since >= wanted.until) break;
    if (since > from) gaps.push({ since: from, until: since });
    from = later(from, until);
  }
  if (from < wanted.until) gaps.push({ since: from, until: wanted.until });
  return gaps;
}

/**
 * The periods that were read, where a poll read the log of a catalogue to its end at `until` and found no newer row: such a poll
 * writes nothing. Null where no poll is known.
 */
export function readUpTo(
  coverage: readonly Coverage[],
  { catalogue, until }: { readonly catalogue: string; readonly until: Instant | null },
): readonly Coverage[] {
  const newest = coverage.findLast((period) => period.catalogue === catalogue);
  if (until === null || !newest) return coverage;
  return coverage.map((period) =>
    period === newest ? { ...period, until: later(period.until, until) } : period,
  );
}
