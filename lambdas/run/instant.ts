import { DAY_MS } from './clock.ts';

/**
 * Instants as integer microseconds since 1970 in UTC. The catalogue writes six fractional digits, or none when they are
 * zero, and `Z` or an offset that changes with daylight saving. So text order is not time order, and milliseconds would
 * merge rows.
 */
export type Instant = bigint;

/** The day may be one that its month does not have. */
const written =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])[T ](?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:[.,]\d{1,9})?(?:Z|z|[+-](?:0\d|1[0-4]):?[0-5]\d)$/;

/** A time outside these years is an error of its source. Inside them a number holds every instant. */
const earliest = Date.UTC(2000, 0, 1);
const latest = Date.UTC(2100, 0, 1);

/** Null for what is not an ISO 8601 date and time with `Z` or an offset, or lies outside the years 2000 to 2099. */
export function parseInstant(text: unknown): Instant | null {
  if (typeof text !== 'string') return null;
  // Every row has a time: Date.parse takes twice as long, and what a pattern captures the most memory.
  if (!written.test(text)) return null;
  const [month, day] = [numberIn(text, 5, 7), numberIn(text, 8, 10)];
  const [hour, minute, second] = [numberIn(text, 11, 13), numberIn(text, 14, 16), numberIn(text, 17, 19)];
  const local = Date.UTC(numberIn(text, 0, 4), month - 1, day, hour, minute, second);
  // Date.UTC takes 31 February for 2 March.
  if (day > 28 && new Date(local).getUTCDate() !== day) return null;
  let zone = SECOND_END;
  while (!'Zz+-'.includes(text.charAt(zone))) zone += 1;
  const milliseconds = local - offsetOf(text.slice(zone));
  if (milliseconds < earliest || milliseconds >= latest) return null;
  const digits = Math.min(6, Math.max(0, zone - SECOND_END - 1));
  const fraction = numberIn(text, SECOND_END + 1, SECOND_END + 1 + digits) * 10 ** (6 - digits);
  return BigInt(milliseconds * 1000 + fraction);
}

/** Where the seconds of a time end, and its fraction or zone begins. */
const SECOND_END = 19;

/** The number that digits of a text write. */
function numberIn(text: string, from: number, to: number): number {
  let number = 0;
  for (let at = from; at < to; at++) number = number * 10 + text.charCodeAt(at) - DIGIT_ZERO;
  return number;
}

const DIGIT_ZERO = 48;

/** Milliseconds that a zone is ahead of UTC. */
function offsetOf(zone: string): number {
  if (zone === 'Z' || zone === 'z') return 0;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2));
  return (zone.startsWith('-') ? -minutes : minutes) * 60_000;
}

/** UTC with six fractional digits, as `time` of an event: `2023-11-17T15:57:41.863439Z`. */
export function formatInstant(instant: Instant): string {
  const microseconds = Number(instant);
  const date = new Date(Math.floor(microseconds / 1000));
  const day = `${date.getUTCFullYear()}-${two(date.getUTCMonth() + 1)}-${two(date.getUTCDate())}`;
  const time = `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())}`;
  return `${day}T${time}.${String(microseconds % 1_000_000).padStart(6, '0')}Z`;
}

const two = (number: number): string => (number < 10 ? `0${number}` : `${number}`);

/** The instant of a clock that counts milliseconds. */
export function instantOf(milliseconds: number): Instant {
  return BigInt(Math.floor(milliseconds)) * 1000n;
}

/** Milliseconds since the epoch, without their fraction. */
export const millisecondsOf = (instant: Instant): number => Number(instant / 1000n);

/** The earlier of two instants. */
export const earlier = (one: Instant, other: Instant): Instant => (one < other ? one : other);
/** The later of two instants. */
export const later = (one: Instant, other: Instant): Instant => (one > other ? one : other);
/** So many minutes, in microseconds. */
export const minutes = (count: number): Instant => BigInt(Math.round(count * 60_000)) * 1000n;

/** The last instant of a day of UTC such as `2026-01-31`; null where there is no such day. */
export const endOfDay = (day: string): Instant | null => parseInstant(`${day}T23:59:59.999999Z`);

/** `2026-01-31`, or with the time of day where it is not midnight. */
export function dayOf(at: Instant): string {
  const text = formatInstant(at);
  return text.endsWith('T00:00:00.000000Z') ? text.slice(0, 10) : `${text.slice(0, 16).replace('T', ' ')}Z`;
}

/** How far a time zone is ahead of UTC at an instant; both in milliseconds. */
export type AheadOfUtc = (at: number) => number;

/** @throws {RangeError} when `zone` is not the name of a time zone, such as `Europe/London` */
export function aheadOfUtc(zone: string): AheadOfUtc {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeZoneName: 'longOffset' });
  return (at) => {
    const [, sign, hours, minutes] = /GMT([+-])(\d{2}):(\d{2})/.exec(format.format(at)) ?? [];
    if (sign === undefined) return 0;
    return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
  };
}

/**
 * The instants, in milliseconds, at which the clocks of a zone show a time: one, two where they were set back, none where they were
 * set forward.
 * @param local the time that they show, written as if it were UTC
 */
export function instantsShowing(local: number, ahead: AheadOfUtc): readonly number[] {
  const candidates = new Set([local - ahead(local - DAY_MS), local - ahead(local + DAY_MS)]);
  return [...candidates].filter((at) => at + ahead(at) === local).toSorted((one, other) => one - other);
}
