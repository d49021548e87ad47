import { expect, onTestFinished, test } from 'vitest';
import type { PanelEvent } from '../../../lambdas/events/schemas.ts';
import type { Filter } from '../../../lambdas/filters/filter.ts';
import { createSqlitePanelStates } from '../../../lambdas/panels/sqlite-panel-states.ts';
import { toMessage } from '../../../lambdas/publishing/to-message.ts';
import { assign, comment, decide } from '../../../lambdas/questions/worklist/decide.ts';
import { createKeptChanges, createSqliteWorklist } from '../../../lambdas/questions/worklist/kept-changes.ts';
import {
  readWorklist,
  readWorklistPage,
  type ShownEntries,
  type Worklist,
  type WorklistPage,
} from '../../../lambdas/questions/worklist/read-worklist.ts';
import { worklistStates } from '../../../lambdas/questions/worklist/worklist-record.ts';
import { defaultWorklist } from '../../../lambdas/questions/worklist/worklist-settings.ts';
import { namedPlaceOf } from '../../../lambdas/store/history/sqlite-named-place.ts';
import { forgetOldEvents } from '../../../lambdas/store/history/sqlite-retention.ts';
import { openStateFile } from '../../../lambdas/store/sqlite-file.ts';
import { seededRandom } from '../../../sandbox/software/values.ts';
import { createTestClock } from '../../run/test-clock.ts';
import { breast, correctionOf, eventOf, turnedGreen } from '../../words/events.ts';
import { instant } from './entries.ts';

const NOW = '2026-11-22T09:00:00Z';
const clock = createTestClock({ now: Date.parse(NOW) });

/** A folder in memory, its worklist as it is kept, and the same worklist as it is derived from all events. */
function openPlaces() {
  const file = openStateFile();
  onTestFinished(() => file.close());
  const named = namedPlaceOf(file);
  const states = createSqlitePanelStates({ file, catalogue: 'uk', now: clock.now });
  const worklist = createSqliteWorklist(file, clock);
  const keeping = { ...named, worklist, statesOf: () => states };
  const deriving = { ...keeping, worklist: { ...worklist, changes: async () => null } };
  const append = (events: readonly PanelEvent[]) =>
    named.history.append(
      events.map((event) => toMessage(event)),
      { catalogue: 'uk', since: instant('2026-11-01T00:00:00Z'), until: instant(NOW) },
    );
  const askedOf = ({ counts = 'working', filter = {}, since, ids }: Asked) => ({
    settings: { ...defaultWorklist, counts, filter, overdueDays: 10 },
    filter,
    now: instant(NOW),
    ...(since !== undefined && { since: instant(since) }),
    ...(ids && { ids }),
  });
  const read = (place: typeof keeping, asked: Asked = {}): Promise<Worklist> =>
    readWorklist(place, askedOf(asked));
  const readPage = (place: typeof keeping, shown: ShownEntries, asked: Asked = {}): Promise<WorklistPage> =>
    readWorklistPage(place, askedOf(asked), shown);
  return { file, append, keeping, deriving, read, readPage, kept: createKeptChanges(file) };
}

interface Asked {
  readonly counts?: 'working' | 'signed-off';
  readonly filter?: Filter;
  readonly since?: string;
  readonly ids?: ReadonlySet<string>;
}

const asked: readonly Asked[] = [
  {},
  { counts: 'signed-off' },
  { since: '2026-11-08T00:00:00Z' },
  { filter: { panels: [1] } },
  { filter: { panels: ['Panel 2'], genes: ['DDD'] } },
  { filter: { genes: ['AAA'] }, since: '2026-11-06T00:00:00Z' },
];

const everything = { states: worklistStates, isOverdue: false, order: 'oldest', page: 1, size: 5 } as const;
const shown: readonly ShownEntries[] = [
  everything,
  { ...everything, order: 'newest', page: 2, assigned: null },
  { ...everything, states: ['open', 're-analyse'], page: 3, size: 3 },
  { ...everything, states: ['open'], isOverdue: true, change: 'no-longer-green', page: 99 },
  { ...everything, states: ['done', 'wait-for-sign-off'], order: 'newest' },
  { ...everything, states: ['open'], assigned: ['Ann'], order: 'panel' },
];

const panels = [1, 2, 3].map((id) => ({ ...breast, id, name: `Panel ${id}` }));

test.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])(
  'changes that are kept as events come are those of all events, also late and corrected ones (%i)',
  async (seed) => {
    const random = seededRandom(seed);
    const pick = <Value>(values: readonly Value[]): Value =>
      values[Math.floor(random() * values.length)] as Value;
    const ratings = ['green', 'amber', 'red', 'none', null] as const;
    const made: PanelEvent<'entity.classified'>[] = [];
    const nextEvent = (at: number): PanelEvent => {
      // One in five is older than those before it.
      const day = random() < 0.2 ? 1 + Math.floor(random() * 20) : 1 + Math.floor(at / 4);
      const time = `2026-11-${String(day).padStart(2, '0')}T01:00:00.${String(at).padStart(6, '0')}Z`;
      const parts = { gene: pick(['AAA', 'BBB', 'CCC']), panel: pick(panels), time };
      const kind = random();
      if (kind < 0.08)
        return eventOf(
          'panel.signed-off',
          { signedOff: random() < 0.7, via: 'activity' },
          { ...parts, gene: null },
        );
      if (kind < 0.14) return eventOf('activity.unclassified', { reason: 'unknown-text', row: {} }, parts);
      if (kind < 0.22) return eventOf('entity.removed', { rating: pick(ratings) }, parts);
      if (kind < 0.3)
        return eventOf('entity.renamed', { from: parts.gene, to: 'DDD' }, { ...parts, gene: 'DDD' });
      const change = { from: pick(ratings), to: pick(ratings), direction: 'unknown' } as const;
      const earlier = random() < 0.15 ? made.pop() : undefined;
      if (earlier) return correctionOf(earlier, change, `c${at}`.padEnd(32, '0'));
      const event = eventOf('entity.classified', change, parts);
      made.push(event);
      return event;
    };
    const { append, keeping, deriving, read, readPage, kept } = openPlaces();
    let compared = 0;
    /** Somebody does something with an entry. */
    const touch = async ([entry]: Worklist['entries']): Promise<void> => {
      if (!entry) return;
      const at = { store: keeping.worklist, clock };
      const action = pick(['decide', 'comment', 'assign'] as const);
      if (action === 'comment') await comment(entry, { by: 'Ann', text: 'x' }, at);
      else if (action === 'assign')
        await assign(entry, { to: 'Ann', by: 'Bo', seen: entry.assignments.length }, at);
      else {
        const state = pick(['done', 're-analyse', 'wait-for-sign-off'] as const);
        await decide(entry, { state, by: 'Ann', why: 'seen', revision: entry.revision }, at);
      }
    };
    for (let at = 0; at < 80; at += 8) {
      await append(Array.from({ length: 8 }, (_, index) => nextEvent(at + index)));
      if (random() < 0.5) await kept.keep();
      for (const each of asked) {
        const derived = await read(deriving, each);
        expect(await read(keeping, each)).toEqual(derived);
        compared += derived.entries.length;
        const some = new Set(derived.entries.slice(2, 4).map(({ id }) => id));
        expect((await read(keeping, { ...each, ids: some })).entries).toEqual(derived.entries.slice(2, 4));
        const one = pick(shown);
        expect(await readPage(keeping, one, each)).toEqual(await readPage(deriving, one, each));
      }
      await touch((await read(keeping)).entries.filter(() => random() < 0.3));
    }
    expect(await kept.read((all) => all.all().changes.length)).toBeGreaterThan(0);
    expect(compared).toBeGreaterThan(50);
  },
);

test('of a panel without new events the kept changes are read, and no events', async () => {
  const { file, append, keeping, read, kept } = openPlaces();
  await append([turnedGreen({ panel: { ...breast, id: 1 } })]);
  await kept.keep();
  file.database.exec("UPDATE recorded_event SET kind = 'entity.commented'");
  await append([turnedGreen({ panel: { ...breast, id: 2 } })]);
  const { entries } = await read(keeping);
  expect(entries.map(({ panel }) => panel.id).toSorted()).toEqual([1, 2]);
});

test('of a page of the list, only its own changes are read', async () => {
  const { file, append, keeping, read, readPage, kept } = openPlaces();
  await append(panels.map((panel) => turnedGreen({ panel })));
  await kept.keep();
  const second = (await read(keeping)).entries[1];
  if (!second) throw new Error('Expected entries');
  file.database.exec(`UPDATE worklist_change SET value = '' WHERE id <> '${second.id}'`);
  const page = await readPage(keeping, { ...everything, page: 2, size: 1 });
  expect(page).toMatchObject({ entries: [second], all: 3, asked: 3 });
  expect((await read(keeping, { ids: new Set([second.id]) })).entries).toEqual([second]);
  await expect(read(keeping)).rejects.toThrow();
});

test.each([{ panels: [2] }, { panels: ['Panel 2'] }, { genes: ['BBB'] }])(
  'of a list about %j, only the changes of its panels are read',
  async (filter) => {
    const { file, append, keeping, read, kept } = openPlaces();
    await append(panels.map((panel) => turnedGreen({ panel, gene: panel.id === 2 ? 'BBB' : 'AAA' })));
    await kept.keep();
    file.database.exec("UPDATE worklist_change SET value = '' WHERE panel <> 2");
    expect((await read(keeping, { filter })).entries).toMatchObject([{ panel: { id: 2 } }]);
  },
);

test('of a change that stays as it is, no row is written again', async () => {
  const { file, append, kept } = openPlaces();
  await append([turnedGreen({ panel: { ...breast, id: 1 }, gene: 'AAA' })]);
  await kept.keep();
  const numbers = () => file.database.prepare('SELECT rowid, id FROM worklist_change ORDER BY rowid').all();
  const before = numbers();
  await append([turnedGreen({ panel: { ...breast, id: 1 }, gene: 'BBB' })]);
  await kept.keep();
  expect(numbers()).toHaveLength(2);
  expect(numbers()).toEqual(expect.arrayContaining(before));
});

test('decisions are those of the kept changes', async () => {
  const { append, keeping, read, kept } = openPlaces();
  await append([turnedGreen()]);
  await kept.keep();
  const [entry] = (await read(keeping)).entries;
  if (!entry) throw new Error('Expected an entry');
  const deciding = { state: 'done', by: 'Ann', why: 'as discussed', revision: 0 } as const;
  await decide(entry, deciding, { store: keeping.worklist, clock });
  expect((await read(keeping)).entries).toMatchObject([{ state: 'done', isDerived: true }]);
});

test('once events were forgotten, all changes are derived, and kept anew', async () => {
  const { file, append, keeping, deriving, read, kept } = openPlaces();
  const day = 24 * 60 * 60 * 1000;
  await append([turnedGreen({ panel: { ...breast, id: 1 } })]);
  forgetOldEvents(file, { days: 2, now: clock.now() });
  await append([turnedGreen({ panel: { ...breast, id: 2 } })]);
  await kept.keep();
  expect(forgetOldEvents(file, { days: 2, now: clock.now() + 5 * day })).toBe(1);
  expect(await kept.read(() => true)).toBeNull();
  expect((await read(keeping)).entries).toHaveLength(1);
  await kept.keep();
  expect(await kept.read(() => true)).toBe(true);
  expect(await read(keeping)).toEqual(await read(deriving));
});
