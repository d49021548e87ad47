import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { READ_FORMAT, stateFormats, WRITTEN_FORMAT } from '../../lambdas/state/formats.ts';

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));

/** Positive where the first release is the later one. */
const compare = (one: string, other: string): number => one.localeCompare(other, 'en', { numeric: true });

test.each(stateFormats)('format $format is written by a release after the first that reads it', (each) => {
  const { readSince, writtenSince, together } = each;
  if (together === undefined) expect(compare(writtenSince, readSince)).toBeGreaterThan(0);
  else expect([readSince, together.length > 10]).toEqual([writtenSince, true]);
});

test('only formats before the first published release began with both', () => {
  const both = stateFormats.filter(({ together }) => together !== undefined);
  expect(both.map(({ format }) => format)).toEqual([1, 2]);
});

test('this version writes the newest format that it may write, and reads all', () => {
  const allowed = stateFormats.filter(({ writtenSince }) => compare(writtenSince, version) <= 0);
  expect(WRITTEN_FORMAT).toBe(allowed.at(-1)?.format);
  expect(READ_FORMAT).toBe(stateFormats.at(-1)?.format);
});
