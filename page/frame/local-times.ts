import { type Instant, instantOf } from '../../lambdas/run/instant.ts';
import { aheadOfUtc } from '../../lambdas/run/time-zone.ts';

/** A time in ISO 8601, in milliseconds since the epoch, or as an instant. */
type Time = string | number | Instant;

/** Days and times in the time zone of the reader. */
export interface LocalTimes {
  /** Such as `Europe/London`. */
  readonly zone: string;
  /** `2026-11-21`, the day of a time. */
  day(time: Time): string;
  /** `09:14`. */
  clock(time: Time): string;
  /** `Saturday 21 November 2026`. */
  longDay(day: string): string;
  /** `21 Nov 2026`. */
  shortDay(day: string): string;
  /** `21 Nov 2026`, the day of a time. */
  date(time: Time): string;
  /** `21 Nov 2026, 09:14`. */
  moment(time: Time): string;
  /** The instant at which the day begins that is `later` days after `day`. */
  startOf(day: string, later?: number): Instant;
}

/** When a page is made, and how its times are written. */
export interface Moment {
  readonly times: LocalTimes;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** @throws {RangeError} when `zone` is not a time zone */
export function localTimes(zone: string): LocalTimes {
  const format = (options: Intl.DateTimeFormatOptions, of = zone) =>
    new Intl.DateTimeFormat('en-GB', { timeZone: of, ...options });
  const parts = format({ year: 'numeric', month: '2-digit', day: '2-digit' });
  const hour = format({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  const ahead = aheadOfUtc(zone);
  const long = format({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' }, 'UTC');
  const short = format({ day: 'numeric', month: 'short', year: 'numeric' }, 'UTC');
  const dateOf = (time: Time): Date => new Date(typeof time === 'bigint' ? Number(time / 1000n) : time);
  const day = (time: Time): string => parts.format(dateOf(time)).split('/').reverse().join('-');
  const shortDay = (of: string): string => short.format(new Date(`${of}T00:00:00Z`));
  const date = (time: Time): string => shortDay(day(time));
  const clock = (time: Time): string => hour.format(dateOf(time));
  return {
    zone,
    day,
    clock,
    longDay: (of) => long.format(new Date(`${of}T00:00:00Z`)).replace(',', ''),
    shortDay,
    date,
    moment: (time) => `${date(time)}, ${clock(time)}`,
    startOf(of, later = 0) {
      const utc = Date.parse(`${of}T00:00:00Z`) + later * DAY_MS;
      // The offset at the guess may differ from that at the day's beginning, on the night when clocks change.
      const guess = utc - ahead(utc);
      return instantOf(utc - ahead(guess));
    },
  };
}

const DAY_MS = 86_400_000;

/** `40 s`, `5 min`, `3 h`, `2 days`, `3 years`. */
export function durationWords(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  if (seconds < 90) return `${seconds} s`;
  if (seconds < 5_400) return `${Math.round(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.round(seconds / 3_600)} h`;
  const days = Math.round(seconds / 86_400);
  return days < 730 ? `${days} days` : `${Math.floor(days / 365.25)} years`;
}
