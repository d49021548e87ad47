import { describe, expect, test } from 'vitest';
import { lastDue } from '../../lambdas/notify/begin-deliveries.ts';
import type { DigestTimes } from '../../lambdas/notify/subscription.ts';

const digest = (parts: Partial<DigestTimes>): DigestTimes => ({
  kind: 'digest',
  every: 'daily',
  hour: 7,
  ifNothing: false,
  ...parts,
});
const due = (times: Partial<DigestTimes>, zone: string, now: string): string =>
  new Date(lastDue(digest(times), zone, Date.parse(now))).toISOString();

describe('a digest is due', () => {
  test.each([
    ['every day', {}, 'Europe/London', '2026-11-21T09:00:00Z', '2026-11-21T07:00:00.000Z'],
    ['yesterday, before its hour', {}, 'Europe/London', '2026-11-21T06:59:59Z', '2026-11-20T07:00:00.000Z'],
    ['at its very hour', {}, 'Europe/London', '2026-11-21T07:00:00Z', '2026-11-21T07:00:00.000Z'],
    ['by summer time', {}, 'Europe/London', '2026-07-01T09:00:00Z', '2026-07-01T06:00:00.000Z'],
    [
      'on working days',
      { days: ['monday', 'friday'] },
      'UTC',
      '2026-11-22T09:00:00Z',
      '2026-11-20T07:00:00.000Z',
    ],
    [
      'once a week',
      { every: 'weekly', days: ['monday'] },
      'Australia/Sydney',
      '2026-11-22T21:00:00Z',
      '2026-11-22T20:00:00.000Z',
    ],
    [
      'on Mondays unless said otherwise',
      { every: 'weekly' },
      'UTC',
      '2026-11-22T09:00:00Z',
      '2026-11-16T07:00:00.000Z',
    ],
    [
      'once a month',
      { every: 'monthly', day: 28 },
      'UTC',
      '2026-03-01T00:00:00Z',
      '2026-02-28T07:00:00.000Z',
    ],
    [
      'at an hour that comes twice, the first time',
      { hour: 1 },
      'Europe/London',
      '2026-10-25T03:00:00Z',
      '2026-10-25T00:00:00.000Z',
    ],
    [
      'at an hour that is skipped, an hour later',
      { hour: 1 },
      'Europe/London',
      '2026-03-29T03:00:00Z',
      '2026-03-29T01:00:00.000Z',
    ],
    [
      'on the day before clocks go forward in London',
      {},
      'Europe/London',
      '2026-03-28T22:00:00Z',
      '2026-03-28T07:00:00.000Z',
    ],
    ['on the day on which they do', {}, 'Europe/London', '2026-03-29T22:00:00Z', '2026-03-29T06:00:00.000Z'],
    [
      'on that short day, also in the first hour after it',
      {},
      'Europe/London',
      '2026-03-29T23:30:00Z',
      '2026-03-29T06:00:00.000Z',
    ],
    [
      'on the day on which clocks go back in London',
      {},
      'Europe/London',
      '2026-10-25T22:00:00Z',
      '2026-10-25T07:00:00.000Z',
    ],
    [
      'on the Monday after clocks went forward in Sydney',
      { every: 'weekly' },
      'Australia/Sydney',
      '2026-10-05T00:00:00Z',
      '2026-10-04T20:00:00.000Z',
    ],
    [
      'on the Monday before',
      { every: 'weekly' },
      'Australia/Sydney',
      '2026-10-03T00:00:00Z',
      '2026-09-27T21:00:00.000Z',
    ],
    [
      'on the Monday after clocks went back in Sydney',
      { every: 'weekly' },
      'Australia/Sydney',
      '2026-04-06T00:00:00Z',
      '2026-04-05T21:00:00.000Z',
    ],
    [
      'at an hour that is skipped in Sydney',
      { hour: 2 },
      'Australia/Sydney',
      '2026-10-03T18:00:00Z',
      '2026-10-03T16:00:00.000Z',
    ],
    [
      'at an hour that comes twice in Sydney',
      { hour: 2 },
      'Australia/Sydney',
      '2026-04-04T18:00:00Z',
      '2026-04-04T15:00:00.000Z',
    ],
    [
      'on the first of a month in which clocks changed',
      { every: 'monthly' },
      'Australia/Sydney',
      '2026-04-30T23:00:00Z',
      '2026-04-30T21:00:00.000Z',
    ],
  ] as const)('%s', (_title, times, zone, now, expected) => {
    expect(due(times as Partial<DigestTimes>, zone, now)).toBe(expected);
  });

  test('once each day of a year, in zones with and without summer time', () => {
    for (const zone of ['Europe/London', 'Australia/Sydney', 'Australia/Lord_Howe']) {
      for (const hour of [1, 23]) {
        const found = new Set<number>();
        for (let now = Date.UTC(2026, 0, 2); now < Date.UTC(2027, 0, 2); now += 12 * 3_600_000) {
          found.add(lastDue(digest({ hour }), zone, now));
        }
        expect(found.size).toBeGreaterThanOrEqual(365);
        expect(found.size).toBeLessThanOrEqual(366);
      }
    }
  });
});
