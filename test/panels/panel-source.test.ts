import { describe, expect, test } from 'vitest';
import { CatalogueError } from '../../lambdas/catalogue/http/access.ts';
import type { Panel } from '../../lambdas/catalogue/schemas.ts';
import { createPanelSource, type PanelSource } from '../../lambdas/panels/listing-of.ts';
import { HOUR_MS } from '../../lambdas/run/clock.ts';
import { silentLog } from '../../lambdas/run/log.ts';
import { StateError } from '../../lambdas/store/state-error.ts';
import type { StateStore } from '../../lambdas/store/store.ts';
import { createTestClock } from '../run/test-clock.ts';
import { createMemoryStore, emptyTable } from '../store/memory-store.ts';

const MINUTE = 60_000;

const panel = (id: number, given: Partial<Panel> = {}): Panel => ({
  id,
  hash_id: null,
  name: `Panel ${id}`,
  disease_group: '',
  disease_sub_group: '',
  status: 'public',
  version: '1.4',
  version_created: '2026-01-30T12:00:00.000001Z',
  relevant_disorders: ['R59'],
  stats: {},
  types: [{ name: 'GMS signed-off', slug: 'gms-signed-off', description: '' }],
  ...given,
});

/** A catalogue that lists panels, and polls of it: each has a source of its own and shares the store. */
function createHarness(listed: Panel[] = [panel(7)]) {
  const table = emptyTable();
  let readings = 0;
  let failures = 0;
  let complete = true;
  let fault: (() => Error) | null = null;
  const clock = createTestClock();
  const catalogue = {
    listPanels: async () => {
      readings += 1;
      if (fault) throw fault();
      return { items: listed, complete, serverTime: clock.now() - 3 };
    },
  };
  return {
    listed,
    table,
    poll: (store: Partial<StateStore> = {}): PanelSource =>
      createPanelSource({
        catalogue,
        store: { ...createMemoryStore(table), ...store },
        clock,
        log: silentLog,
        onFailure: () => {
          failures += 1;
        },
      }),
    pass: clock.pass,
    cutOff: () => {
      complete = false;
    },
    failWith: (error: (() => Error) | null) => {
      fault = error;
    },
    get now() {
      return clock.now();
    },
    get readings() {
      return readings;
    },
    get failures() {
      return failures;
    },
  };
}

const failure = (condition: 'UNAVAILABLE' | 'NOT_BEFORE', notBefore?: number) => () =>
  new CatalogueError({ condition, action: 'Listing', seen: 'HTTP 503', ...(notBefore && { notBefore }) });

test('a listing holds the facts of panels, their versions and the slugs of types, by the catalogue’s clock', async () => {
  const { poll, now } = createHarness();
  expect(await poll().listing([7])).toStrictEqual({
    panels: new Map([
      [
        7,
        {
          name: 'Panel 7',
          facts: {
            types: ['gms-signed-off'],
            diseaseGroup: '',
            diseaseSubGroup: '',
            relevantDisorders: ['R59'],
            signedOff: true,
          },
          versions: [{ version: '1.4', at: BigInt(Date.UTC(2026, 0, 30, 12)) * 1000n + 1n }],
        },
      ],
    ]),
    typeSlugs: new Map([['GMS signed-off', 'gms-signed-off']]),
    readAt: BigInt(now - 3) * 1000n,
    listedAt: now,
    requests: { readings: [now], absent: [], notBefore: null },
  });
});

test('a listing that names the panels of super panels gives the super panels of each panel', async () => {
  const { poll, listed } = createHarness();
  listed.push(panel(8, { name: 'Super', child_panel_ids: [7] }));
  const { panels } = (await poll().listing([7])) ?? {};
  expect(panels?.get(7)?.facts.superPanels).toStrictEqual([{ id: 8, name: 'Super' }]);
  expect(panels?.get(8)?.facts.superPanels).toStrictEqual([]);
});

test('panels that a listing lacks stay known where it lacks many, or was not read to its end', async () => {
  const harness = createHarness();
  const { listed, poll } = harness;
  for (let id = 8; id < 18; id += 1) listed.push(panel(id, { name: `Panel ${id}` }));
  await poll().listing([7]);
  const knownAfter = async (count: number): Promise<number | undefined> => {
    listed.splice(count);
    harness.pass(HOUR_MS);
    return (await poll().listing([7]))?.panels.size;
  };
  expect([await knownAfter(10), await knownAfter(8), await knownAfter(4)]).toEqual([10, 8, 8]);
  harness.cutOff();
  expect(await knownAfter(3)).toBe(8);
});

test('a version that a later listing replaces is kept beside the new one', async () => {
  const harness = createHarness();
  await harness.poll().listing([7]);
  const versionsAfter = async (version: string, created = '2026-01-31T12:30:00Z') => {
    harness.listed[0] = panel(7, { version, version_created: created });
    harness.pass(60 * MINUTE);
    return (await harness.poll().listing([7]))?.panels.get(7)?.versions.map((one) => one.version);
  };
  expect(await versionsAfter('1.4', '2026-01-30T12:00:00.000001Z')).toStrictEqual(['1.4']);
  expect(await versionsAfter('2.0')).toStrictEqual(['2.0', '1.4']);
  expect(await versionsAfter('2.0')).toStrictEqual(['2.0', '1.4']);
  expect(await versionsAfter('2.1')).toStrictEqual(['2.1', '2.0']);
});

test('a number that a panel got again, after it was set back, is another version', async () => {
  const harness = createHarness();
  const before = await harness.poll().listing([7]);
  harness.listed[0] = panel(7, { version_created: '2026-01-31T12:30:00Z' });
  harness.pass(60 * MINUTE);
  const listed = (await harness.poll().listing([7]))?.panels.get(7)?.versions ?? [];
  expect(listed.map(({ version }) => version)).toStrictEqual(['1.4', '1.4']);
  expect(listed[1]).toStrictEqual(before?.panels.get(7)?.versions[0]);
});

describe('the panels are listed again', () => {
  test('when the listing is an hour old, and not before', async () => {
    const harness = createHarness();
    const times = async (): Promise<number> => {
      await harness.poll().listing([7]);
      return harness.readings;
    };
    expect(await times()).toBe(1);
    harness.pass(60 * MINUTE - 1);
    expect(await times()).toBe(1);
    harness.pass(1);
    expect(await times()).toBe(2);
  });

  test('at once for a panel that the listing lacks, and then not for that panel for ten minutes', async () => {
    const harness = createHarness();
    await harness.poll().listing([7]);
    harness.pass(MINUTE);
    const source = harness.poll();
    expect((await source.listing([7, 8]))?.panels.has(8)).toBe(false);
    expect(harness.readings).toBe(2);
    harness.listed.push(panel(8));
    await source.listing([8]);
    await harness.poll().listing([8]);
    expect(harness.readings).toBe(2);
    harness.pass(10 * MINUTE);
    expect((await harness.poll().listing([8]))?.panels.has(8)).toBe(true);
    expect(harness.readings).toBe(3);
  });

  test('six times in an hour at most, however many panels are missing', async () => {
    const harness = createHarness();
    for (let id = 100; id < 130; id++) {
      await harness.poll().listing([id]);
      harness.pass(MINUTE);
    }
    expect(harness.readings).toBe(6);
    harness.pass(31 * MINUTE);
    await harness.poll().listing([200]);
    expect(harness.readings).toBe(7);
  });
});

describe('a catalogue that does not list its panels', () => {
  test('is asked again after ten minutes; events show the facts that are known', async () => {
    const harness = createHarness();
    await harness.poll().listing([7]);
    harness.pass(60 * MINUTE);
    harness.failWith(failure('UNAVAILABLE'));
    expect((await harness.poll().listing([7]))?.panels.has(7)).toBe(true);
    expect(harness.failures).toBe(1);
    harness.pass(10 * MINUTE - 1);
    expect((await harness.poll().listing([7]))?.panels.has(7)).toBe(true);
    expect(harness.readings).toBe(2);
    harness.failWith(null);
    harness.pass(1);
    await harness.poll().listing([7]);
    expect([harness.readings, harness.failures]).toStrictEqual([3, 1]);
  });

  test('is not asked before the time that it names, also in later polls and without any listing', async () => {
    const harness = createHarness();
    harness.failWith(failure('NOT_BEFORE', harness.now + 3 * 60 * MINUTE));
    expect((await harness.poll().listing([7]))?.panels.size).toBe(0);
    harness.failWith(null);
    for (let polls = 0; polls < 3; polls++) {
      harness.pass(60 * MINUTE - 1);
      expect((await harness.poll().listing([7, polls]))?.panels.size).toBe(0);
    }
    expect(harness.readings).toBe(1);
    harness.pass(3);
    expect((await harness.poll().listing([7]))?.panels.size).toBe(1);
  });

  test('ends the poll where the failure is not the catalogue’s', async () => {
    const harness = createHarness();
    harness.failWith(() => new Error('stopped'));
    await expect(harness.poll().listing([7])).rejects.toThrow('stopped');
  });
});

test('a listing that the store refuses is used by its poll, which goes on', async () => {
  const harness = createHarness();
  const saveListing = async (): Promise<void> => {
    throw new StateError('STATE_UNAVAILABLE', 'Item size has exceeded the maximum allowed size');
  };
  expect((await harness.poll({ saveListing }).listing([7]))?.panels.has(7)).toBe(true);
  expect(harness.failures).toBe(1);
});
