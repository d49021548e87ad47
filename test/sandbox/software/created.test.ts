import { describe, expect, test } from 'vitest';
import { parseCreated, renderCreated, type Zone } from '../../../sandbox/software/values.ts';

const at = (iso: string, micros = 0): number => Date.parse(iso) * 1000 + micros;

describe('printing', () => {
  const cases: readonly (readonly [micros: number, zone: Zone, created: string])[] = [
    [at('2023-11-17T15:57:41Z', 863_439), 'utc', '2023-11-17T15:57:41.863439Z'],
    [at('2023-11-17T15:57:41Z', 863_439), 'sydney', '2023-11-18T02:57:41.863439+11:00'],
    [at('2023-07-01T00:00:00Z', 7), 'sydney', '2023-07-01T10:00:00.000007+10:00'],
    [at('2023-10-07T12:54:07Z'), 'utc', '2023-10-07T12:54:07Z'],
    [at('2023-10-07T12:54:07Z'), 'sydney', '2023-10-07T23:54:07+11:00'],
    // Daylight saving ended at 16:00 UTC: later, and printed as earlier.
    [at('2023-04-01T15:59:59Z', 1), 'sydney', '2023-04-02T02:59:59.000001+11:00'],
    [at('2023-04-01T16:00:00Z', 1), 'sydney', '2023-04-02T02:00:00.000001+10:00'],
  ];
  test.each(cases)('%i in %s', (micros, zone, created) => {
    expect(renderCreated(micros, zone)).toBe(created);
    expect(parseCreated(created)).toBe(micros);
  });
});

describe('reading', () => {
  test.each([
    ['2023-11-17T15:57:41.8Z', at('2023-11-17T15:57:41Z', 800_000)],
    ['2023-11-17T15:57:41+01:00', at('2023-11-17T14:57:41Z')],
  ])('%s', (created, micros) => expect(parseCreated(created)).toBe(micros));

  test.each([
    '',
    'yesterday',
    '2023-11-17',
    '2023-11-17T15:57:41',
    '2023-13-17T15:57:41Z',
    '2023-11-17T15:57:41.1234567Z',
  ])('%j is no time', (created) => expect(parseCreated(created)).toBeUndefined());
});
