import type { PanelEvent } from '../../events/schemas.ts';
import { earlier, type Instant, later, minutes } from '../../run/instant.ts';
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

/** How a view writes an instant, such as `21 November 2026, 09:14 (London)`. */
type MomentWords = (at: Instant) => string;

/**
 * Which time an answer is about: `in these 30 days`, `in the 3 of 30 days that were read`. The end of a sentence that says
 * how much was found, or that nothing was.
 */
export function readWords(parts: readonly ReadPart[]): string {
  const [first] = parts;
  if (!first || howMuchWasRead(parts) === 'nothing') return 'in this period, of which nothing was read';
  if (howMuchWasRead(parts) === 'no rows') return 'in this period, of which no row was read';
  const one = (part: ReadPart): string => {
    const whole = part.until - part.since;
    const read = BigInt(Math.round(part.readSeconds)) * 1_000_000n;
    const unit = unitOf(whole);
    const total = countOf(whole, unit);
    if (isWhole(part)) return `in ${total === 1 ? `this ${unit.word}` : `these ${total} ${unit.word}s`}`;
    const count = countOf(read, unit);
    const of = `${total} ${unit.word}${total === 1 ? '' : 's'}`;
    if (read <= 0n) return `in this period, of which nothing was read`;
    if (count === 0) return `in the less than one ${unit.word} of ${of} that was read`;
    return count >= total
      ? `in the part of ${total === 1 ? `this ${unit.word}` : `these ${of}`} that was read`
      : `in the ${count} of ${of} that ${count === 1 ? 'was' : 'were'} read`;
  };
  const words = parts.map(one);
  if (new Set(words).size === 1) return words[0] ?? '';
  return parts.map((part, place) => `${words[place]} of ${part.catalogue}`).join(', ');
}

/**
 * What can be said where nothing was found: never more than what was read.
 * @param nothing the sentence without its end and full stop: `No gene, STR or region turned green`
 * @param isAnswer false where a name that was asked for does not exist
 */
export function nothingFoundWords(nothing: string, parts: readonly ReadPart[], isAnswer = true): string {
  if (howMuchWasRead(parts) === 'nothing')
    return 'Nothing of this period was read, so nothing can be said about it.';
  return isAnswer ? `${nothing} ${readWords(parts)}.` : `${nothing}, ${saysNothing}.`;
}

/** Why the answer is none: the end of a sentence. */
const saysNothing = 'which says nothing: a name that was asked for does not exist';

/**
 * A sentence for each part of the period that was not read.
 * @param afterNewestRow what is said of the time after the newest row
 */
export function unreadSentences(
  parts: readonly ReadPart[],
  moment: MomentWords,
  afterNewestRow: (catalogue: string, newest: string) => string = (catalogue, newest) =>
    `Rows of ${catalogue} after ${newest} have not been read yet, or there are none.`,
): readonly string[] {
  return parts.flatMap(({ catalogue, gaps, openSince }) => [
    ...gaps.map(
      ({ since, until }) =>
        `${catalogue} was not read from ${moment(since)} to ${moment(until)}. Changes of that time may be missing.`,
    ),
    ...(openSince === null ? [] : [afterNewestRow(catalogue, moment(openSince))]),
  ]);
}

interface Unit {
  readonly word: 'day' | 'hour' | 'minute';
  readonly micros: bigint;
}

const units: readonly Unit[] = [
  { word: 'day', micros: 86_400_000_000n },
  { word: 'hour', micros: 3_600_000_000n },
  { word: 'minute', micros: 60_000_000n },
];

/** The largest unit of which the period has two, or the smallest. */
const unitOf = (micros: bigint): Unit =>
  units.find((unit) => countOf(micros, unit) >= 2) ?? (units.at(-1) as Unit);

/**
 * How many whole ones: an afternoon does not make one day more. A 24th may be missing, which is the hour that a day lacks where
 * clocks are put forward.
 */
const countOf = (micros: bigint, { micros: unit }: Unit): number => Number((micros + unit / 24n) / unit);

/**
 * A sentence where the end of the log was not read for an hour or has no rows: what is kept as the newest version of a
 * panel may not be the newest one.
 * @param moment how the view writes an instant
 */
export const unreadEnd = (parts: readonly ReadPart[], moment: (at: Instant) => string): readonly string[] =>
  unreadSentences(
    parts
      .filter(({ openSince, until }) => openSince !== null && until - openSince > minutes(60))
      .map((part) => ({ ...part, gaps: [] })),
    moment,
  );
