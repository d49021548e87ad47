import { expect, test } from 'vitest';
import { formatInstant, parseInstant } from '../../lambdas/clock/instant.ts';

test.each([
  ['2023-11-17T15:57:41.863439Z', '2023-11-17T15:57:41.863439Z'],
  ['2023-10-07T12:54:07Z', '2023-10-07T12:54:07.000000Z'],
  ['2023-10-07T12:54:07.5Z', '2023-10-07T12:54:07.500000Z'],
  ['2023-10-07T12:54:07.123Z', '2023-10-07T12:54:07.123000Z'],
  ['2023-10-07T12:54:07.123456789Z', '2023-10-07T12:54:07.123456Z'],
  ['2023-11-18T02:57:41.863439+11:00', '2023-11-17T15:57:41.863439Z'],
  ['2023-06-18T01:57:41.863439+10:00', '2023-06-17T15:57:41.863439Z'],
  ['2023-11-17T14:27:41-0130', '2023-11-17T15:57:41.000000Z'],
  ['2024-02-29T23:59:59.999999Z', '2024-02-29T23:59:59.999999Z'],
])('%s is %s (fault 15)', (written, instant) => {
  expect(formatInstant(parseInstant(written) ?? 0n)).toBe(instant);
});

test.each([
  '',
  'yesterday',
  '2023-10-07',
  '2023-10-07T12:54:07',
  '2023-02-31T12:00:00Z',
  '2023-13-01T12:00:00Z',
  '2023-10-07T24:01:00Z',
  '2023-10-07T12:60:00Z',
  '0001-01-01T00:00:00Z',
  '1999-12-31T23:59:59.999999Z',
  '2100-01-01T00:00:00Z',
  '9999-12-31T23:59:59Z',
  ' 2023-10-07T12:54:07Z',
  '2023-10-07T12:54:07Z\n',
  null,
  undefined,
  1_700_000_000,
])('%j is no instant (fault 16)', (written) => {
  expect(parseInstant(written)).toBeNull();
});

test('instants are ordered where texts are not', () => {
  const earlier = parseInstant('2023-11-18T02:57:41+11:00') ?? 0n;
  const later = parseInstant('2023-11-17T16:00:00Z') ?? 0n;
  expect(earlier < later).toBe(true);
  expect('2023-11-18T02:57:41+11:00' < '2023-11-17T16:00:00Z').toBe(false);
});
