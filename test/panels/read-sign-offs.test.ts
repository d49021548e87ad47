import { describe, expect, onTestFinished, test } from 'vitest';
import { CatalogueError } from '../../lambdas/catalogue/http/access.ts';
import type { SignedOffPanel } from '../../lambdas/catalogue/schemas.ts';
import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import { noRequests } from '../../lambdas/panels/listing-of.ts';
import { signedOffAt } from '../../lambdas/panels/signed-off-at.ts';
import { createSqlitePanelStates } from '../../lambdas/panels/sqlite-panel-states.ts';
import { readSignOffs } from '../../lambdas/reconcile/read-sign-offs.ts';
import { instantOf } from '../../lambdas/run/instant.ts';
import { silentLog } from '../../lambdas/run/log.ts';
import { createSqliteHistory } from '../../lambdas/store/history/sqlite.ts';
import { createSqliteInsert } from '../../lambdas/store/history/sqlite-event-index.ts';
import { createSqliteDocuments } from '../../lambdas/store/items-sqlite.ts';
import { createSqliteStore } from '../../lambdas/store/sqlite.ts';
import { openStateFile } from '../../lambdas/store/sqlite-file.ts';
import { createTestClock } from '../run/test-clock.ts';
import { openProving } from './open-proving.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** `3 4.0 2026-03-01`: a panel, its signed-off version and the day. */
type Entry = string;

const itemOf = (entry: Entry): SignedOffPanel => {
  const [id = '', version = '', day = ''] = entry.split(' ');
  return { id: Number(id), name: `Panel ${id}`, version, signed_off: day };
};

/** Entries of so many panels, from 1. */
const many = (count: number, of: (id: number) => Entry): readonly Entry[] =>
  Array.from({ length: count }, (_, index) => of(index + 1));

const noFacts = { types: [], diseaseGroup: '', diseaseSubGroup: '', relevantDisorders: [], signedOff: false };

const forty = many(40, (id) => `${id} 4.0 2026-03-01`);

/** A list that a test changes, read with everything that is kept in a file in memory. */
function start() {
  const clock = createTestClock({ now: Date.UTC(2026, 10, 20, 9) });
  const file = openStateFile();
  onTestFinished(() => file.close());
  const history = createSqliteHistory(file);
  const states = createSqlitePanelStates({ file, catalogue: 'uk', now: clock.now });
  const store = createSqliteStore(file, 'uk', createSqliteInsert(file));
  const published: string[] = [];
  const asked: number[] = [];
  let fails: CatalogueError | null = null;
  const read = async (entries: readonly Entry[], given: { readonly accept?: boolean } = {}) => {
    const report = await readSignOffs({
      name: 'uk',
      catalogue: {
        url: 'https://catalogue.example/api/v1/',
        signedOff: async () => {
          asked.push(clock.now());
          if (fails) throw fails;
          return { items: entries.map(itemOf), complete: true, serverTime: clock.now() };
        },
      },
      states,
      documents: createSqliteDocuments(file, 'uk'),
      history,
      state: store,
      readLog: async () => ({ complete: true }),
      sameChangePercent: 20,
      publisher: {
        async publish(messages) {
          for (const { body } of messages) published.push(sentenceOf(JSON.parse(body) as PanelEvent));
          return [];
        },
      },
      clock,
      log: silentLog,
      ...given,
    });
    clock.pass(30 * MINUTE);
    return report;
  };
  /** The panels as a sweep listed them, each at a version. */
  const list = (versions: Readonly<Record<number, string>>) =>
    store.saveListing({
      panels: new Map(
        Object.entries(versions).map(([id, version]) => [
          Number(id),
          { name: `Panel ${id}`, facts: noFacts, versions: [{ version, at: instantOf(clock.now()) }] },
        ]),
      ),
      typeSlugs: new Map(),
      readAt: instantOf(clock.now()),
      listedAt: clock.now(),
      requests: noRequests,
    });
  const counting = async (panelId: number): Promise<string | undefined> => {
    const counts = signedOffAt(await states.signOffs(panelId), instantOf(clock.now()));
    return counts ? `${counts.version} ${counts.date}` : undefined;
  };
  return {
    clock,
    read,
    list,
    counting,
    asked,
    /** What was published since this was called last. */
    take: () => published.splice(0),
    fail: (error: CatalogueError | null) => {
      fails = error;
    },
  };
}

/** `3 4.0 2026-03-01 after 3.0 2025-01-01`; `3 withdrawn 4.0 2026-03-01`. */
function sentenceOf({ data }: PanelEvent): string {
  const { panel, change } = data as PanelEvent<'panel.signed-off'>['data'];
  const before = `${change.previousSignedOffVersion ?? 'none'} ${change.previousSignedOffDate ?? ''}`.trim();
  return change.signedOff
    ? `${panel.id} ${change.signedOffVersion} ${change.signedOffDate} after ${before}`
    : `${panel.id} withdrawn ${before}`;
}

/** A list that was read an hour ago and is trusted. */
async function settled(entries: readonly Entry[]) {
  const started = start();
  expect(await started.read(entries)).toMatchObject({ outcome: 'baseline', events: 0 });
  started.clock.pass(HOUR);
  expect(await started.read(entries)).toMatchObject({ outcome: 'read', events: 0 });
  return started;
}

describe('a list that lies publishes nothing, and nothing once it is right again', () => {
  test.each<[string, readonly Entry[]]>([
    ['empty', []],
    ['halved', forty.slice(20)],
    ['every version 1.0', many(40, (id) => `${id} 1.0 2026-03-01`)],
    ['every version 1.0, signed off today', many(40, (id) => `${id} 1.0 2026-11-20`)],
    ['versions that no panel has', many(40, (id) => `${id} 99999999999.0 2026-03-01`)],
    ['days that do not exist', many(40, (id) => `${id} 4.0 2026-02-31`)],
    ['years ahead', many(40, (id) => `${id} 4.0 2062-03-01`)],
    ['a day earlier for all', many(40, (id) => `${id} 4.0 2026-02-28`)],
  ])('%s', async (_, lie) => {
    const { read, list, take, counting } = await settled(forty);
    await list(Object.fromEntries(many(40, String).map((id) => [id, '4.7'])));
    for (let hours = 0; hours < 5; hours += 1)
      expect(await read(lie)).toMatchObject({ outcome: 'refused', events: 0 });
    expect(await read(forty)).toMatchObject({ outcome: 'read', events: 0 });
    expect(take()).toEqual([]);
    expect(await counting(7)).toBe('4.0 2026-03-01');
  });

  test('of the panels of others', async () => {
    const { read, take } = await settled(many(40, (id) => `${id} ${id}.0 2026-03-${10 + (id % 20)}`));
    const moved = many(40, (id) => `${(id % 40) + 1} ${id}.0 2026-03-${10 + (id % 20)}`);
    expect(await read(moved)).toMatchObject({ outcome: 'refused' });
    expect(take()).toEqual([]);
  });
});

test('a person accepts what was refused', async () => {
  const { read, take } = await settled(forty);
  expect(await read(forty.slice(20))).toMatchObject({ outcome: 'refused' });
  expect(await read(forty.slice(20), { accept: true })).toMatchObject({ outcome: 'read', events: 20 });
  expect(take()[0]).toBe('1 withdrawn 4.0 2026-03-01');
});

test('a sign-off that is gone is published once a reading an hour later does not show it either', async () => {
  const { read, take, counting, clock } = await settled(forty);
  const without = forty.slice(1);
  expect(await read(without)).toMatchObject({ outcome: 'read', events: 0, waiting: 1 });
  expect(await counting(1)).toBe('4.0 2026-03-01');
  await read(forty);
  expect(await read(without)).toMatchObject({ waiting: 1 });
  clock.pass(HOUR);
  expect(await read(without)).toMatchObject({ events: 1, waiting: 0 });
  expect(take()).toEqual(['1 withdrawn 4.0 2026-03-01']);
  expect(await counting(1)).toBeUndefined();
});

test('an entry that cannot be true is not believed, and hides nothing of other panels', async () => {
  const { read, list, take, counting } = await settled(forty);
  await list(Object.fromEntries(many(40, String).map((id) => [id, '4.7'])));
  const wrong = ['1 4.1 2026-02-31', '2 4.8 2026-11-20', '3 4.7 2026-11-20', ...forty.slice(3)];
  expect(await read(wrong)).toMatchObject({ outcome: 'read', events: 1, waiting: 2 });
  expect(take()).toEqual(['3 4.7 2026-11-20 after 4.0 2026-03-01']);
  expect(await counting(1)).toBe('4.0 2026-03-01');
  await read(['1 4.1 2026-02-28', '2 4.7 2026-11-20', '3 4.7 2026-11-20', ...forty.slice(3)]);
  expect(take()).toEqual(['2 4.7 2026-11-20 after 4.0 2026-03-01']);
});

test('what a list shows anew waits for a second reading where a large part of it cannot be true', async () => {
  const six = forty.slice(0, 6);
  const { read, list, take, clock } = await settled(six);
  await list(Object.fromEntries(many(7, String).map((id) => [id, '4.7'])));
  const lie = ['1 5.0 2026-11-20', '2 5.0 2026-11-20', ...six.slice(2), '7 1.0 2026-11-20'];
  expect(await read(lie)).toMatchObject({ outcome: 'refused', events: 0, waiting: 3 });
  expect(await read([...six, '7 4.7 2026-11-20'])).toMatchObject({ outcome: 'read', events: 1 });
  expect(await read(lie)).toMatchObject({ events: 0, waiting: 3 });
  clock.pass(HOUR);
  expect(await read(lie)).toMatchObject({ events: 1, waiting: 2 });
  expect(take()).toEqual(['7 4.7 2026-11-20 after none', '7 1.0 2026-11-20 after 4.7 2026-11-20']);
});

test('many new sign-offs without a row wait for a reading an hour later, and are published once', async () => {
  const { read, take, clock } = await settled(forty);
  const signed = [...many(20, (id) => `${id} 5.0 2026-11-20`), ...forty.slice(20)];
  expect(await read(signed)).toMatchObject({ outcome: 'refused', events: 0, waiting: 20 });
  clock.pass(HOUR);
  expect(await read(signed)).toMatchObject({ outcome: 'read', events: 20 });
  expect(await read(signed)).toMatchObject({ outcome: 'read', events: 0 });
  expect(take()).toHaveLength(20);
});

test.each([
  ['empty', []],
  ['of first versions', many(40, (id) => `${id} 1.0 2026-03-01`)],
])('a first reading that was %s is replaced without events', async (_, lie) => {
  const { read, take, counting, clock } = start();
  expect(await read(lie)).toMatchObject({ outcome: 'baseline' });
  expect(await read(forty)).toMatchObject({ outcome: 'baseline', events: 0 });
  clock.pass(HOUR);
  expect(await read(forty)).toMatchObject({ outcome: 'read', events: 0 });
  expect(take()).toEqual([]);
  expect(await counting(9)).toBe('4.0 2026-03-01');
});

test('sign-offs of one panel on one day wait together, and are published once', async () => {
  const { read, take, clock } = await settled(['1 0.8 2026-01-20']);
  const all = ['1 0.8 2026-01-20', '1 0.5 2026-11-20', '1 0.9 2026-11-20', '1 0.10 2026-11-20'];
  expect(await read(all)).toMatchObject({ events: 0 });
  clock.pass(HOUR);
  expect(await read(all)).toMatchObject({ events: 3 });
  expect(await read(all)).toMatchObject({ events: 0 });
  expect(take()).toHaveLength(3);
});

test('the sign-off of a panel that is not public is not withdrawn', async () => {
  const { read, list, take, clock } = await settled(forty);
  await list(
    Object.fromEntries(
      many(40, String)
        .filter((id) => id !== '1')
        .map((id) => [id, '4.7']),
    ),
  );
  await read(forty.slice(1));
  clock.pass(HOUR);
  await read(forty.slice(1));
  expect(take()).toEqual([]);
});

describe('a panel ends with the sign-off that the list shows last', () => {
  const [a, b, earlierA, laterA] = [
    '1 4.0 2026-11-20',
    '1 4.3 2026-11-20',
    '1 4.0 2026-11-18',
    '1 4.0 2026-11-22',
  ];
  test.each<[string, readonly Entry[]]>([
    ['A, B, A', [a, b, a]],
    ['B, A, B', [b, a, b]],
    ['A, B, A, B, A', [a, b, a, b, a]],
    ['an earlier day', [a, earlierA]],
    ['an earlier day, and back', [a, earlierA, a]],
    ['a later day', [earlierA, a]],
    ['another version of an earlier day', [a, b, earlierA]],
    ['a day to come, and back', [earlierA, laterA, earlierA]],
  ])('%s', async (_, entries) => {
    const { read, take, counting, clock } = await settled(['1 3.0 2025-01-01', ...forty.slice(1)]);
    for (const entry of entries) {
      // Twice: what goes back waits for a second reading.
      for (let reading = 0; reading < 2; reading += 1) {
        await read([entry, ...forty.slice(1)]);
        clock.pass(HOUR);
      }
    }
    const last = entries.at(-1)?.slice(2);
    expect(await counting(1)).toBe(last);
    const stated = take();
    expect(stated).toHaveLength(entries.length);
    expect(stated.at(-1)).toContain(`1 ${last} after ${entries.at(-2)?.slice(2) ?? '3.0 2025-01-01'}`);
  });
});

test('a list that is not served is asked for ever less often, and once a week in the end', async () => {
  const { read, asked, clock, fail } = start();
  fail(new CatalogueError({ condition: 'NOT_FOUND', action: 'Listing', seen: 'HTTP 404' }));
  const askedIn = async (days: number): Promise<number> => {
    asked.splice(0);
    for (let times = 0; times < days * 48; times += 1) await read([]);
    return asked.length;
  };
  expect(await askedIn(1)).toBeGreaterThan(4);
  await askedIn(20);
  expect(await askedIn(14)).toBe(2);
  fail(null);
  clock.pass(7 * 24 * HOUR);
  expect(await read(forty)).toMatchObject({ outcome: 'baseline' });
});

test('the type "GMS signed-off" alone is no sign-off', async () => {
  const { clock, catalogue, harness } = await openProving();
  const readAll = async () => {
    clock.pass(25 * HOUR);
    await harness.poll();
    await harness.sweep();
    await harness.readSignOffs();
  };
  await readAll();
  const before = await harness.states.signOffs();
  const given = Array.from({ length: 4 }, (_, index) => {
    const { panel } = catalogue.act({ kind: 'give or take the signed-off type silently', panel: index + 1 });
    return panel.id;
  });
  await readAll();
  const published = (await harness.events()).filter(({ data }) => given.includes(Number(data.panel?.id)));
  expect(published.map(({ type }) => type)).toEqual(given.map(() => 'gene-panel.panel.changed.v1'));
  expect(JSON.stringify(published.map(({ data }) => data.change))).toContain('GMS signed-off');
  expect(await harness.states.signOffs()).toEqual(before);
});
