import { expect, test } from 'vitest';
import { reportOf } from './report-of.ts';
import { smallArchive } from './small-archive.ts';
import { readAndHold, waysOfReading } from './ways-of-reading.ts';

test.each(Object.entries(waysOfReading(2)))('a small archive, %s: no value is denied', async (name, way) => {
  const holdings = await readAndHold(smallArchive(), way);
  reportOf(`small archive, ${name}`, holdings);
  expect(holdings.events.length).toBeGreaterThan(10);
  expect(holdings.denied).toEqual([]);
  expect(holdings.missing).toEqual([]);
});
