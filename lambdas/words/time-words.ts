/** Times as a reader in one time zone writes them: months in letters, the zone named. */
export type TimeWords = ReturnType<typeof timeWords>;

/** @throws {RangeError} when `zone` is not a time zone such as `Europe/London` */
export function timeWords(zone: string) {
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-GB', { timeZone: zone, ...options });
  const long = format({ day: 'numeric', month: 'long', year: 'numeric' });
  const short = format({ day: 'numeric', month: 'long' });
  const digits = format({ year: 'numeric', month: '2-digit', day: '2-digit' });
  const hour = format({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  const date = (time: string): Date => new Date(time);
  const day = (time: string): string => long.format(date(time));
  const shortDay = (time: string): string => short.format(date(time));
  return {
    /** `21 November 2026`. */
    day,
    /** `21 November`. */
    shortDay,
    /** `2026-11-21`, for a file. */
    isoDay: (time: string) => digits.format(date(time)).split('/').reverse().join('-'),
    /** `21 November 2026, 09:14 (London)`. */
    moment: (time: string) => `${day(time)}, ${hour.format(date(time))} (${zoneWord(zone)})`,
    /** `09:14`, with the day where it is another day than that of `now`. */
    clock: (time: string, now: string) => {
      const at = hour.format(date(time));
      return day(time) === day(now) ? at : `${at} on ${shortDay(time)}`;
    },
    /** `14–21 November 2026`, `30 November – 7 December 2026`. */
    period: (since: string, until: string) => {
      const [from, to] = [day(since).split(' '), day(until).split(' ')];
      if (from[2] !== to[2]) return `${day(since)} – ${day(until)}`;
      if (from[1] !== to[1]) return `${shortDay(since)} – ${day(until)}`;
      return from[0] === to[0] ? day(until) : `${from[0]}–${day(until)}`;
    },
  };
}

/** `London` of `Europe/London`. */
const zoneWord = (zone: string): string => (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ');
