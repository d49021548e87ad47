import { describe, expect, test } from 'vitest';
import { CatalogueError } from '../../lambdas/catalogue/errors.ts';
import type { Panel } from '../../lambdas/catalogue/schemas.ts';
import { silentLog } from '../../lambdas/log/log.ts';
import { createPanelSource, type PanelSource } from '../../lambdas/panels/panel-source.ts';
import { createTestClock } from '../clock/test-clock.ts';
import { createMemoryStore, emptyTable } from '../state/memory-store.ts';

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
function stage(listed: Panel[] = [panel(7)]) {
  const table = emptyTable();
  let readings = 0;
  let failures = 0;
  let fault: (() => Error) | null = null;
  const clock = createTestClock();
  const catalogue = {
    listPanels: async () => {
      readings += 1;
      if (fault) throw fault();
      return { items: listed, complete: true, serverTime: clock.now() - 3 };
    },
  };
  return {
    listed,
    table,
    poll: (): PanelSource =>
      createPanelSource({
        catalogue,
        store: createMemoryStore(table),
        clock,
        log: silentLog,
        onFailure: () => {
          failures += 1;
        },
      }),
    pass: clock.pass,
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
  const { poll, now } = stage();
  expect(await poll().listing([7])).toStrictEqual({
    panels: new Map([
      [
        7,
        {
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
  const { poll, listed } = stage();
  listed.push(panel(8, { name: 'Super', child_panel_ids: [7] }));
  const { panels } = (await poll().listing([7])) ?? {};
  expect(panels?.get(7)?.facts.superPanels).toStrictEqual([{ id: 8, name: 'Super' }]);
  expect(panels?.get(8)?.facts.superPanels).toStrictEqual([]);
});

test('a version that a later listing replaces is kept beside the new one', async () => {
  const world = stage();
  await world.poll().listing([7]);
  const versionsAfter = async (version: string) => {
    world.listed[0] = panel(7, { version, version_created: '2026-01-31T12:30:00Z' });
    world.pass(60 * MINUTE);
    return (await world.poll().listing([7]))?.panels.get(7)?.versions.map((one) => one.version);
  };
  expect(await versionsAfter('1.4')).toStrictEqual(['1.4']);
  expect(await versionsAfter('2.0')).toStrictEqual(['2.0', '1.4']);
  expect(await versionsAfter('2.0')).toStrictEqual(['2.0', '1.4']);
  expect(await versionsAfter('2.1')).toStrictEqual(['2.1', '2.0']);
});

describe('the panels are listed again', () => {
  test('when the listing is an hour old, and not before', async () => {
    const world = stage();
    const times = async (): Promise<number> => {
      await world.poll().listing([7]);
      return world.readings;
    };
    expect(await times()).toBe(1);
    world.pass(60 * MINUTE - 1);
    expect(await times()).toBe(1);
    world.pass(1);
    expect(await times()).toBe(2);
  });

  test('at once for a panel that the listing lacks, and then not for that panel for ten minutes', async () => {
    const world = stage();
    await world.poll().listing([7]);
    world.pass(MINUTE);
    const source = world.poll();
    expect((await source.listing([7, 8]))?.panels.has(8)).toBe(false);
    expect(world.readings).toBe(2);
    world.listed.push(panel(8));
    await source.listing([8]);
    await world.poll().listing([8]);
    expect(world.readings).toBe(2);
    world.pass(10 * MINUTE);
    expect((await world.poll().listing([8]))?.panels.has(8)).toBe(true);
    expect(world.readings).toBe(3);
  });

  test('six times in an hour at most, however many panels are missing', async () => {
    const world = stage();
    for (let id = 100; id < 130; id++) {
      await world.poll().listing([id]);
      world.pass(MINUTE);
    }
    expect(world.readings).toBe(6);
    world.pass(31 * MINUTE);
    await world.poll().listing([200]);
    expect(world.readings).toBe(7);
  });
});

describe('a catalogue that does not list its panels', () => {
  test('is asked again after ten minutes; events show the facts that are known', async () => {
    const world = stage();
    await world.poll().listing([7]);
    world.pass(60 * MINUTE);
    world.failWith(failure('UNAVAILABLE'));
    expect((await world.poll().listing([7]))?.panels.has(7)).toBe(true);
    expect(world.failures).toBe(1);
    world.pass(10 * MINUTE - 1);
    expect((await world.poll().listing([7]))?.panels.has(7)).toBe(true);
    expect(world.readings).toBe(2);
    world.failWith(null);
    world.pass(1);
    await world.poll().listing([7]);
    expect([world.readings, world.failures]).toStrictEqual([3, 1]);
  });

  test('is not asked before the time that it names, also in later polls and without any listing', async () => {
    const world = stage();
    world.failWith(failure('NOT_BEFORE', world.now + 3 * 60 * MINUTE));
    expect((await world.poll().listing([7]))?.panels.size).toBe(0);
    world.failWith(null);
    for (let polls = 0; polls < 3; polls++) {
      world.pass(60 * MINUTE - 1);
      expect((await world.poll().listing([7, polls]))?.panels.size).toBe(0);
    }
    expect(world.readings).toBe(1);
    world.pass(3);
    expect((await world.poll().listing([7]))?.panels.size).toBe(1);
  });

  test('ends the poll where the failure is not the catalogue’s', async () => {
    const world = stage();
    world.failWith(() => new Error('stopped'));
    await expect(world.poll().listing([7])).rejects.toThrow('stopped');
  });
});
