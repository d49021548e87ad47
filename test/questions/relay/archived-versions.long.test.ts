import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { parseInstant } from '../../../lambdas/run/instant.ts';
import { startCatalogue } from '../../../sandbox/catalogue/start.ts';
import { openProvingHarness } from '../../panels/proving-harness.ts';
import { createTestClock } from '../../run/test-clock.ts';
import { differences, relayOf } from './as-the-catalogue.ts';

const samples = join(import.meta.dirname, '../../../../shared/samples/versions');

const saved = (name: string): Record<string, unknown> =>
  JSON.parse(gunzipSync(readFileSync(join(samples, `${name}.json.gz`))).toString());

describe.skipIf(!existsSync(samples))('the panels that the real software archived', () => {
  test('are given again as it gave them: every version, every panel, every list', async () => {
    const clock = createTestClock({ now: Date.parse('2026-11-23T12:00:00Z') });
    const catalogue = await startCatalogue({ clock, from: samples, ties: 'fixed' });
    const harness = openProvingHarness({
      url: catalogue.url,
      clock,
      from: parseInstant('2026-11-01T00:00:00Z') ?? 0n,
    });
    const [current, versions] = [saved('current'), saved('versions')];
    await harness.poll();
    await harness.sweep();
    await harness.prove({ fromStart: Object.keys(current).map(Number) });
    await harness.readSignOffs();
    const ask = relayOf(harness.relaySource, clock.now);
    const relay = (path: string): Promise<Response> => ask(`/uk/api/v1/${path}`);
    const paths = [
      ...Object.keys(current).map((id) => `panels/${id}/`),
      ...Object.keys(versions).map((key) => `panels/${key.replace('@', '/?version=')}`),
      ...Object.keys(current).map((id) => `panels/${id}/activities/`),
      'panels/',
      'panels/signedoff/?panel_id=28',
      'regions/',
      'activities/',
    ];
    const different = await differences(paths, { catalogue: catalogue.url, relay });
    expect(different.map(({ path }) => path)).toEqual([]);
    expect(paths.length).toBeGreaterThan(850);
    await harness.close();
    await catalogue.close();
  }, 300_000);
});
