import { expect, test } from 'vitest';
import { parseHttpDate, requestedWait } from '../../../lambdas/catalogue/http/response.ts';

const at = Date.UTC(1994, 10, 6, 8, 49, 37);

test.each([
  ['Sun, 06 Nov 1994 08:49:37 GMT', at],
  ['Sunday, 06-Nov-94 08:49:37 GMT', at],
  ['Sun Nov  6 08:49:37 1994', at],
  ['Wed Nov 16 08:49:37 1994', at + 10 * 24 * 60 * 60 * 1000],
  ['on Sun, 06 Nov 1994 08:49:37 GMT', null],
  ['Sun, 06 Nov 1994 08:49:37 GMT+0100', null],
  ['on Sunday, 06-Nov-94 08:49:37 GMT', null],
  ['Sunday, 06-Nov-94 08:49:37 GMT+0100', null],
  ['on Sun Nov  6 08:49:37 1994', null],
  ['Sun Nov  6 08:49:37 1994 +0100', null],
  ['Sun, 06 Nov 1994 08:49:37 +0100', null],
  ['Sun, 99 Nov 1994 08:49:37 GMT', null],
  ['1994-11-06T08:49:37Z', null],
  ['1', null],
  ['tomorrow', null],
  ['', null],
])('the date %j', (text, time) => {
  expect(parseHttpDate(text)).toBe(time);
});

test.each([
  ['120', 120_000],
  [' 7 ', 7_000],
  ['0', null],
  ['-5', null],
  ['1.5', null],
  ['1e3', null],
  ['soon', null],
  ['', null],
  [null, null],
  ['86400', 86_400_000],
  ['99999999999999999999', 1e23],
  ['Sun, 06 Nov 1994 08:50:07 GMT', 30_000],
  ['Sun Nov  6 08:50:07 1994', 30_000],
  ['Sun, 06 Nov 1994 08:49:37 GMT', null],
  ['Sat, 05 Nov 1994 08:49:37 GMT', null],
])('Retry-After %j', (text, wait) => {
  expect(requestedWait(text, { serverTime: null, now: at })).toBe(wait);
});

test('a date is compared with the clock of its server', () => {
  const times = { serverTime: at, now: at + 3_600_000 };
  expect(requestedWait('Sun, 06 Nov 1994 08:50:07 GMT', times)).toBe(30_000);
});
