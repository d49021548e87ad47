import { type AheadOfUtc, aheadOfUtc, instantsShowing } from '../run/time-zone.ts';
import { type DigestTimes, weekdays } from './subscription.ts';

const DAY = 86_400_000;
/** A monthly digest is due within the last 32 days. */
const LONGEST_PERIOD_DAYS = 32;

/**
 * The last time at or before `now` at which a digest was due, in milliseconds since the epoch: at its hour by the
 * clocks of the zone, summer and winter. An hour that the clocks skip is the next one; of an hour that comes twice,
 * the first counts.
 */
export function lastDue(times: DigestTimes, zone: string, now: number): number {
  const ahead = aheadOfUtc(zone);
  const local = new Date(now + ahead(now));
  const today = { year: local.getUTCFullYear(), month: local.getUTCMonth() + 1, day: local.getUTCDate() };
  for (let back = 0; back <= LONGEST_PERIOD_DAYS + 1; back += 1) {
    const day = daysBefore(today, back);
    if (!dueOn(times, day)) continue;
    const due = firstShowing(Date.UTC(day.year, day.month - 1, day.day, times.hour), ahead);
    if (due <= now) return due;
  }
  throw new RangeError('A digest must be due on some day of a month');
}

interface LocalDay {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

/** By the calendar: a day on which clocks change does not have 24 hours. */
function daysBefore({ year, month, day }: LocalDay, back: number): LocalDay {
  const date = new Date(Date.UTC(year, month - 1, day - back));
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

function dueOn({ every, days, day: wanted = 1 }: DigestTimes, { year, month, day }: LocalDay): boolean {
  if (every === 'monthly') return day === wanted;
  const weekday = weekdays[new Date(Date.UTC(year, month - 1, day)).getUTCDay()] ?? 'monday';
  const wantedDays = days ?? (every === 'daily' ? weekdays : ['monday']);
  return wantedDays.includes(weekday);
}

/** The first instant at which the clocks show a time, or the one that follows where they skip it. */
function firstShowing(local: number, ahead: AheadOfUtc): number {
  const [first] = instantsShowing(local, ahead);
  return first ?? local - Math.min(ahead(local - DAY), ahead(local + DAY));
}
