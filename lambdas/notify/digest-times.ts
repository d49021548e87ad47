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
  const clock = zoneClock(zone);
  const today = clock.read(now);
  for (let back = 0; back <= LONGEST_PERIOD_DAYS + 1; back += 1) {
    const day = daysBefore(today, back);
    if (!dueOn(times, day)) continue;
    const due = clock.instant({ ...day, hour: times.hour });
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

function zoneClock(zone: string) {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    hourCycle: 'h23',
  });
  const read = (at: number) => {
    const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
    const part = (name: Intl.DateTimeFormatPartTypes): number => parts.get(name) ?? 0;
    return {
      year: part('year'),
      month: part('month'),
      day: part('day'),
      hour: part('hour'),
      minute: part('minute'),
    };
  };
  /** How far the zone is ahead of UTC at an instant, in milliseconds. */
  const ahead = (at: number): number => {
    const { year, month, day, hour, minute } = read(at);
    return Date.UTC(year, month - 1, day, hour, minute) - Math.floor(at / 60_000) * 60_000;
  };
  return {
    read,
    instant: ({ year, month, day, hour }: LocalDay & { readonly hour: number }): number => {
      const local = Date.UTC(year, month - 1, day, hour);
      const candidates = [local - ahead(local - DAY), local - ahead(local + DAY)];
      const right = candidates.filter((at) => read(at).hour === hour && read(at).day === day);
      return right.length > 0 ? Math.min(...right) : Math.max(...candidates);
    },
  };
}
