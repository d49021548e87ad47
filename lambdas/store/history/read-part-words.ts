import type { Instant } from '../../run/instant.ts';
import { howMuchWasRead, isWhole, type ReadPart } from './read-part.ts';

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
