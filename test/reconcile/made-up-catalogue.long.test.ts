import { expect, test } from 'vitest';
import { type Catalogue, createCatalogue } from '../../lambdas/catalogue/client.ts';
import { anonymous } from '../../lambdas/catalogue/http/access.ts';
import type { Changes, EventKindName } from '../../lambdas/events/changes.ts';
import { type PanelEvent, typeName } from '../../lambdas/events/schemas.ts';
import { silentLog } from '../../lambdas/run/log.ts';
import { startCatalogue } from '../../sandbox/catalogue/start.ts';
import { createTestClock } from '../run/test-clock.ts';
import { createSweeper } from './sweep-harness.ts';

const SEEDS = Number(process.env.SEEDS ?? 100) / 25;
const MINUTE = 60_000;

/** The rating of each region and the version of each panel, as the listings show them. */
async function listed(catalogue: Catalogue): Promise<ReadonlyMap<string, string>> {
  const levels: Readonly<Record<string, string>> = { 3: 'green', 2: 'amber', 1: 'red', 0: 'none' };
  const panels = await catalogue.panels();
  const regions = await catalogue.regions();
  return new Map([
    ...panels.map(({ id, version }) => [`panel ${id}`, version] as const),
    ...regions.map(
      ({ panel, entity_name: name, confidence_level: level }) =>
        [`panel ${panel.id} region ${name}`, String(levels[level])] as const,
    ),
  ]);
}

function changeOf<Kind extends EventKindName>(
  { type, data }: PanelEvent,
  kind: Kind,
): Changes[Kind] | undefined {
  return type === typeName(kind) ? (data.change as Changes[Kind]) : undefined;
}

/** The same, as the events after a listing lead to it. */
function followed(
  start: ReadonlyMap<string, string>,
  events: readonly PanelEvent[],
): ReadonlyMap<string, string> {
  const state = new Map(start);
  for (const event of events) {
    const { panel, entity } = event.data;
    const key = `panel ${panel?.id}`;
    const version = panel?.version;
    if (version && (state.get(key) ?? '') !== version && isHigher(version, state.get(key)))
      state.set(key, version);
    const region = `${key} region ${entity?.name}`;
    const rating = changeOf(event, 'entity.classified')?.to ?? changeOf(event, 'entity.added')?.rating;
    if (entity?.type === 'region' && rating) state.set(region, rating);
    const renamed = changeOf(event, 'entity.renamed');
    if (renamed && entity?.type === 'region') {
      state.set(`${key} region ${renamed.to}`, state.get(`${key} region ${renamed.from}`) ?? '');
    }
  }
  return state;
}

function isHigher(version: string, than: string | undefined): boolean {
  const [one = [0, 0], other = [0, 0]] = [version, than ?? '0.0'].map((text) => text.split('.').map(Number));
  return Number(one[0]) > Number(other[0]) || (one[0] === other[0] && Number(one[1]) > Number(other[1]));
}

test('the events lead from the first listing of a made-up catalogue to the last one', async () => {
  let [fromListings, regions] = [0, 0];
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const clock = createTestClock({ now: Date.UTC(2026, 10, 20, 9), wokenByHand: true });
    const actEvery = [MINUTE, 10 * MINUTE] as const;
    const sandbox = await startCatalogue({ clock, seed, history: 200, actEvery });
    const catalogue = createCatalogue({ baseUrl: sandbox.url, access: anonymous, clock, log: silentLog });
    const sweeper = createSweeper({ catalogue, clock });
    try {
      await sweeper.poll();
      await sweeper.sweep();
      const start = await listed(catalogue);
      let sleep = await clock.nextSleep();
      for (let hour = 0; hour < 30; hour += 1) {
        for (let acts = 0; acts < 10; acts += 1) {
          clock.pass(sleep.milliseconds);
          sleep.wake();
          sleep = await clock.nextSleep();
        }
        await sweeper.poll();
        await sweeper.sweep({ shrunkenPercent: 20 });
      }
      for (let hour = 0; hour < 6; hour += 1) {
        clock.pass(60 * MINUTE);
        await sweeper.poll();
        await sweeper.sweep();
      }
      expect(await sweeper.sweep(), `seed ${seed}`).toMatchObject({ outcome: 'quiet', events: {} });

      // One row renames and rates: the rating is the new name's.
      const place = ({ time, type }: PanelEvent): string =>
        `${time} ${type === typeName('entity.renamed') ? 'first' : 'second'}`;
      const events = [...sweeper.history.values()].toSorted((one, other) =>
        place(one) < place(other) ? -1 : 1,
      );
      const state = followed(start, events);
      const end = [...(await listed(catalogue))].filter(([key]) => start.has(key.replace(/ region .*/, '')));
      expect({ seed, shown: end }).toEqual({ seed, shown: end.map(([key]) => [key, state.get(key)]) });
      regions += end.filter(([key]) => key.includes('region')).length;
      fromListings += sweeper.listed().length;
    } finally {
      await catalogue.close();
      await sandbox.close();
    }
  }
  expect(fromListings).toBeGreaterThan(SEEDS * 10);
  expect(regions).toBeGreaterThan(SEEDS);
});
