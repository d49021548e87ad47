import { describe, expect, test } from 'vitest';
import { archiveOfSamples, hasSamples, readArchive } from './archived-truth.ts';
import { reportOf } from './report-of.ts';
import { readAndHold, waysOfReading } from './ways-of-reading.ts';

describe.skipIf(!hasSamples)('what is published of the archive of the real software', () => {
  test.each(Object.entries(waysOfReading(20)))('%s: the archive denies no value', async (name, way) => {
    const holdings = await readAndHold(readArchive(archiveOfSamples), way);
    reportOf(`samples, ${name}`, holdings);
    expect(holdings.events.length).toBeGreaterThan(1500);
    expect(holdings.denied).toEqual([]);
    expect(holdings.missing).toEqual([]);
  });
});
