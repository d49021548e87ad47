import { expect, test } from 'vitest';
import { startCatalogue } from '../../sandbox/catalogue/start.ts';
import { createTestClock } from '../run/test-clock.ts';
import { openProvingHarness } from './proving-harness.ts';

const HOUR = 3_600_000;
const WEEK = 7 * 24 * HOUR;

test('a catalogue of the lists alone is soon asked for nothing twice a week, and its events are published', async () => {
  const clock = createTestClock({ now: Date.UTC(2026, 10, 20, 9) });
  const catalogue = await startCatalogue({ clock, history: 60, seed: 5, details: 'none' });
  const harness = openProvingHarness({ url: catalogue.url, clock });
  const asked: { readonly address: string; readonly at: number }[] = [];
  catalogue.onRequest(({ path }) => {
    if (/\/panels\/(?:\d+|signedoff)\//.test(path)) {
      asked.push({ address: path, at: clock.now() });
    }
  });
  const begun = clock.now();
  for (let quarterDay = 0; quarterDay < 4 * 28; quarterDay += 1) {
    if (quarterDay % 2 === 1) catalogue.act();
    await harness.poll();
    if (quarterDay % 4 === 0) await harness.sweep();
    await harness.readSignOffs();
    const report = await harness.prove();
    expect(report).toMatchObject({ proven: 0, unproven: 0, unprovenForADay: 0, percent: null });
    clock.pass(6 * HOUR);
  }
  const weeks = [0, 1, 2, 3].map((week) =>
    asked.filter(({ at }) => at >= begun + week * WEEK && at < begun + (week + 1) * WEEK),
  );
  for (const addresses of weeks.slice(1)) {
    expect(new Set(addresses.map(({ address }) => address)).size).toBe(addresses.length);
  }
  // Three panels at first, six waits until that is taken to last, then one panel a week; and the list of sign-offs.
  expect(weeks.map(({ length }) => length)).toEqual([14, 2, 2, 2]);
  expect((await harness.events()).length).toBeGreaterThan(30);
  await harness.close();
  await catalogue.close();
});
