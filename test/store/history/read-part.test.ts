import { describe, expect, test } from 'vitest';
import { formatInstant, type Instant, parseInstant } from '../../../lambdas/run/instant.ts';
import type { Coverage } from '../../../lambdas/store/history/history.ts';
import {
  howMuchWasRead,
  nothingFoundWords,
  readPartsOf,
  readWords,
  unreadSentences,
} from '../../../lambdas/store/history/read-part.ts';

const at = (text: string): Instant => parseInstant(text) ?? 0n;
const now = at('2026-11-30T12:00:00Z');
const days = (count: number): bigint => BigInt(count) * 86_400_000_000n;
const uk = (since: Instant, until: Instant): Coverage => ({ catalogue: 'uk', since, until });
const asked = { since: now - days(30), until: now, now };
const day = (instant: Instant): string => formatInstant(instant).slice(0, 16);

describe('an answer is about', () => {
  test.each<[string, readonly Coverage[], string]>([
    ['everything that was asked for', [uk(now - days(40), now)], 'in these 30 days'],
    ['the part that was read', [uk(now - days(3), now)], 'in the 3 of 30 days that were read'],
    ['nothing, where nothing was read', [], 'in this period, of which nothing was read'],
    [
      'no rows, where it is after the newest row',
      [uk(now - days(90), now - days(60))],
      'in this period, of which no row was read',
    ],
    [
      'nothing, where it is before what was read',
      [uk(now + 1n, now + days(1))],
      'in this period, of which nothing was read',
    ],
    [
      'a part without its gap',
      [uk(now - days(30), now - days(20)), uk(now - days(10), now)],
      'in the 20 of 30 days that were read',
    ],
    ['less than a day', [uk(now - days(1) / 4n, now)], 'in the less than one day of 30 days that was read'],
    [
      'each catalogue',
      [uk(now - days(30), now), { ...uk(now - days(3), now), catalogue: 'australia' }],
      'in these 30 days of uk, in the 3 of 30 days that were read of australia',
    ],
  ])('%s', (_what, coverage, words) => {
    expect(readWords(readPartsOf(coverage, asked))).toBe(words);
  });
});

test('a named catalogue that was never read is nothing, also where another was read', () => {
  const parts = readPartsOf([uk(now - days(30), now)], { ...asked, catalogue: 'australia' });
  expect(howMuchWasRead(parts)).toBe('nothing');
  expect(nothingFoundWords('No gene turned green', parts)).toBe(
    'Nothing of this period was read, so nothing can be said about it.',
  );
});

test('a gap that no time of day shows is none', () => {
  const parts = readPartsOf([uk(now - days(30), now - days(2)), uk(now - days(2) + 900_000n, now)], asked);
  expect(parts).toMatchObject([{ gaps: [], openSince: null }]);
  expect(howMuchWasRead(parts)).toBe('all');
});

test('the time since the newest row was read for an hour, and is named', () => {
  const parts = readPartsOf([uk(now - days(30), now - days(1) / 48n)], asked);
  expect(howMuchWasRead(parts)).toBe('all');
  expect(unreadSentences(parts, day)).toStrictEqual([
    'Rows of uk after 2026-11-30T11:30 have not been read yet, or there are none.',
  ]);
  expect(howMuchWasRead(readPartsOf([uk(now - days(30), now - days(2))], asked))).toBe('part');
});

test('the minutes since the last poll are not said to be unread', () => {
  const parts = readPartsOf([uk(now - days(30), now - days(1) / 1440n)], asked);
  expect(unreadSentences(parts, day)).toStrictEqual([]);
});

test('the future is not a time that was not read', () => {
  const parts = readPartsOf([uk(now - days(2), now)], { since: now - days(1), until: now + days(1), now });
  expect(howMuchWasRead(parts)).toBe('all');
  expect(readWords(parts)).toBe('in these 24 hours');
});

test.each<[string, bigint, string]>([
  [
    'a day that has begun is not one more',
    days(30) + (days(1) * 3n) / 4n,
    'in the 23 of 30 days that were read',
  ],
  ['an hour that has begun is not one more', days(1) + days(1) / 36n, 'in these 24 hours'],
  [
    'a day of 23 hours is a day, where clocks are put forward',
    days(30) - days(1) / 24n,
    'in the 23 of 30 days that were read',
  ],
])('%s', (_what, length, words) => {
  const period = { since: now - length, until: now, now };
  expect(readWords(readPartsOf([uk(now - days(23) - days(1) / 2n, now)], period))).toBe(words);
});

test('without a beginning the period is that of the history, with the gaps in it', () => {
  const parts = readPartsOf([uk(now - days(9), now - days(6)), uk(now - days(5), now)], { now });
  expect(readWords(parts)).toBe('in the 8 of 9 days that were read');
  expect(unreadSentences(parts, day)).toStrictEqual([
    'uk was not read from 2026-11-24T12:00 to 2026-11-25T12:00. Changes of that time may be missing.',
  ]);
});
