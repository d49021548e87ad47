import { describe, expect, test } from 'vitest';
import { archiveOfSamples, hasSamples, readArchive } from './archived-truth.ts';
import { coverage } from './coverage.ts';
import { reportOf } from './report-of.ts';
import { smallArchive } from './small-archive.ts';
import { readAndHold, waysOfReading } from './ways-of-reading.ts';

describe.skipIf(!hasSamples)('what is published of the archive of the real software', () => {
  /** Fields of which values were held in one of the ways. */
  const heldFields = new Set<string>();

  test.each(Object.entries(waysOfReading(20)))('%s: the archive denies no value', async (name, way) => {
    const holdings = await readAndHold(readArchive(archiveOfSamples), way);
    reportOf(`samples, ${name}`, holdings);
    expect(holdings.events.length).toBeGreaterThan(1500);
    expect(holdings.denied).toEqual([]);
    expect(holdings.missing).toEqual([]);
    // 1.39 to 1.51, since what follows the first version of a panel is read twice. On a quiet day the one version is asked for that rows
    // name and the archive lacks.
    expect(holdings.requestsPerVersion ?? 0).toBeLessThan(1.6);
    expect(holdings.requestsOfQuietDay).toBeLessThanOrEqual(1);
    for (const [field, count] of holdings.held) if (count > 0) heldFields.add(field);
  });

  test('every field that the coverage names is held', async () => {
    // No gene of the samples has an id of Ensembl.
    const small = await readAndHold(smallArchive(), {});
    for (const [field, count] of small.held) if (count > 0) heldFields.add(field);
    const named = Object.values(coverage).flatMap((held) => (typeof held === 'string' ? [] : held));
    expect(named.length).toBeGreaterThan(60);
    expect(named.filter((field) => !heldFields.has(field))).toEqual([]);
  });
});
