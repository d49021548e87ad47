import { DAY_MS } from './clock.ts';

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
