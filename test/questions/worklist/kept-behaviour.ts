import { expect, test } from 'vitest';
import type { PanelEvent } from '../../../lambdas/events/schemas.ts';
import type { Filter } from '../../../lambdas/filters/filter.ts';
import { toMessage } from '../../../lambdas/publishing/message.ts';
import { assign, comment, decide } from '../../../lambdas/questions/worklist/decide.ts';
import {
  readWorklist,
  readWorklistPage,
  type ShownEntries,
  type Worklist,
  type WorklistPage,
  type WorklistPlace,
} from '../../../lambdas/questions/worklist/read-worklist.ts';
import { worklistStates } from '../../../lambdas/questions/worklist/worklist-record.ts';
import { defaultWorklist } from '../../../lambdas/questions/worklist/worklist-settings.ts';
import { seededRandom } from '../../../sandbox/software/values.ts';
import type { TestClock } from '../../run/test-clock.ts';
import { breast, correctionOf, eventOf } from '../../words/events.ts';
import { instant } from './entries.ts';

export const NOW = '2026-11-22T09:00:00Z';

/** The worklist of a place as it is kept, and the same worklist as it is derived from all events. */
export function placesOf(keeping: WorklistPlace) {
  const deriving: WorklistPlace = {
    ...keeping,
    worklist: { ...keeping.worklist, changes: async () => null },
  };
  const append = (events: readonly PanelEvent[]) =>
    keeping.history.append(
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
  const read = (place: WorklistPlace, asked: Asked = {}): Promise<Worklist> =>
    readWorklist(place, askedOf(asked));
  const readPage = (place: WorklistPlace, shown: ShownEntries, asked: Asked = {}): Promise<WorklistPage> =>
    readWorklistPage(place, askedOf(asked), shown);
  return { append, keeping, deriving, read, readPage };
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
  { filter: { rCodes: ['R208'] } },
  { filter: { rCodes: ['R59'], panels: ['Panel 2', 3] }, since: '2026-11-04T00:00:00Z' },
  { filter: { panelTypes: ['gms-signed-off'] } },
  { filter: { genes: ['AAA'] }, since: '2026-11-06T00:00:00Z' },
];

export const everything = {
  states: worklistStates,
  isOverdue: false,
  order: 'oldest',
  page: 1,
  size: 5,
} as const;
const shown: readonly ShownEntries[] = [
  everything,
  { ...everything, order: 'newest', page: 2, assigned: null },
  { ...everything, states: ['open', 're-analyse'], page: 3, size: 3 },
  { ...everything, states: ['open'], isOverdue: true, change: 'no-longer-green', page: 99 },
  { ...everything, states: ['done', 'wait-for-sign-off'], order: 'newest' },
  { ...everything, states: ['open'], assigned: ['Ann'], order: 'panel' },
  { ...everything, order: 'panel' },
  { ...everything, order: 'panel', page: 2, size: 4, assigned: null },
  { ...everything, order: 'panel', page: 3, size: 3, change: 'now-green' },
];

export const panels = [1, 2, 3].map((id) => ({ ...breast, id, name: `Panel ${id}` }));

interface Opened extends ReturnType<typeof placesOf> {
  readonly clock: TestClock;
  keep(): Promise<void>;
}

/** As events state them: the third was renamed. */
const statedPanels = panels.flatMap((panel) =>
  panel.id === 3 ? [panel, { ...panel, name: 'Another', relevantDisorders: ['R59'], types: [] }] : [panel],
);

/** Whatever events come, in whatever order: what is kept is what is derived from all of them. */
export function testKeptChanges(where: string, seeds: readonly number[], open: () => Promise<Opened>): void {
  test.each(seeds)(
    `changes that are kept ${where} as events come are those of all events, also late and corrected ones (%i)`,
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
        const parts = { gene: pick(['AAA', 'BBB', 'CCC']), panel: pick(statedPanels), time };
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
      const { append, keeping, deriving, read, readPage, keep, clock } = await open();
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
        if (random() < 0.5) await keep();
        clock.pass(Math.floor(random() * 30) * 60_000);
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
      expect(await keeping.worklist.changes?.((all) => all.changes({}).length)).toBeGreaterThan(0);
      expect(compared).toBeGreaterThan(50);
    },
  );
}
