import { describe, expect, test } from 'vitest';
import { archiveOfSamples, hasSamples, readArchive } from './archived-truth.ts';
import { reportOf } from './report-of.ts';
import { readAndHold, waysOfReading } from './ways-of-reading.ts';

/**
 * Values that are known to be denied where panels are proven while their versions are seconds old, and rows of other panels are
 * still written: in that way alone.
 */
const KNOWN_WITHOUT_PAUSES = 8;

describe.skipIf(!hasSamples)('what is published of the archive of the real software', () => {
  test.each(Object.entries(waysOfReading(20)))('%s: the archive denies no value', async (name, way) => {
    const holdings = await readAndHold(readArchive(archiveOfSamples), way);
    reportOf(`samples, ${name}`, holdings);
    const known = name === 'a poll after each few rows, without pauses' ? KNOWN_WITHOUT_PAUSES : 0;
    expect(holdings.events.length).toBeGreaterThan(1500);
    expect(holdings.denied.slice(known)).toEqual([]);
    expect(holdings.missing).toEqual([]);
  });
});
