import { expect, test } from 'vitest';
import { poll } from '../../lambdas/poll/poll.ts';
import type { PollOptions } from '../../lambdas/poll/poll-options.ts';
import type { PollReport } from '../../lambdas/poll/report.ts';
import type { Message } from '../../lambdas/publishing/message.ts';
import { minutes } from '../../lambdas/run/instant.ts';
import { silentLog } from '../../lambdas/run/log.ts';
import { StateError } from '../../lambdas/store/state-error.ts';
import { open } from '../catalogue/http/fixtures/opened.ts';
import { json, row } from '../catalogue/http/fixtures/responses.ts';
import { serve } from '../catalogue/http/fixtures/server.ts';
import { createMemoryStore, emptyTable, type MemoryTable } from '../store/memory-store.ts';
import { createRecordingPublisher, noon } from './simulated-log.ts';

const BEFORE = 50;
const NEW = 500;
const PAGE = 100;

/** Page `number` of a log of so many rows, a minute apart. */
function pageOf(number: number, count: number): object {
  const top = count - (number - 1) * PAGE;
  const results = Array.from({ length: Math.min(PAGE, top) }, (_, place) => {
    const index = top - 1 - place;
    const created = new Date(Number(noon / 1000n) + index * 60_000).toISOString();
    return { ...row, created, entity_name: `GENE${index}`, text: `Marked gene: GENE${index} as ready` };
  });
  return { count, next: top > PAGE ? 'http://127.0.0.1/' : null, previous: null, results };
}

interface Reading {
  readonly table: MemoryTable;
  readonly accepted: Message[];
  /** Numbers of the pages that were asked for. */
  readonly pages: number[];
  poll(given?: Given): Promise<PollReport>;
  /** What a poll publishes that nothing disturbs. */
  undisturbed(): Promise<readonly Message[]>;
}

interface Given extends Partial<PollOptions> {
  /** Called for each access to the store and to the topics, before and after it. */
  readonly step?: (name: string) => Promise<void>;
  /** Called for each page that is asked for; it is answered once the call has ended. */
  readonly onPage?: (number: number) => Promise<void> | void;
}

/** A log on a real server, read to its newest row, to which 500 rows are then added: its pages 1 to 5. */
async function backlog(): Promise<Reading> {
  const [table, accepted, pages] = [emptyTable(), [] as Message[], [] as number[]];
  let rows = BEFORE;
  let onPage: NonNullable<Given['onPage']> = () => {};
  const { url } = await serve(async (response, request) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://127.0.0.1');
    if (!pathname.endsWith('/activities/'))
      return json({ count: 0, next: null, previous: null, results: [] })(response, request);
    const number = Number(searchParams.get('page') ?? 1);
    pages.push(number);
    await onPage(number);
    json(pageOf(number, rows))(response, request);
  });
  const { catalogue, clock } = open(url);
  const run = { name: 'test', catalogue, clock, log: silentLog, overlap: minutes(15) };
  await poll({ ...run, store: createMemoryStore(table), publisher: createRecordingPublisher(accepted) });
  const begun = structuredClone(table);
  rows += NEW;
  pages.length = 0;
  return {
    ...{ table, accepted, pages },
    poll: ({ step, onPage: called = () => {}, ...given } = {}) => {
      onPage = called;
      const store = createMemoryStore(table, step);
      return poll({ ...run, store, publisher: createRecordingPublisher(accepted, step), ...given });
    },
    undisturbed: async () => {
      const whole: Message[] = [];
      await poll({ ...run, store: createMemoryStore(begun), publisher: createRecordingPublisher(whole) });
      return whole;
    },
  };
}

/** Runs `act` when a step is taken for the `time`th time. */
function at(wanted: string, time: number, act: () => Promise<void>) {
  let times = 0;
  return async (name: string): Promise<void> => {
    if (name === wanted && ++times === time) await act();
  };
}

test('while a chunk is recorded, the pages of the next one are asked for, and one page more', async () => {
  const { poll, pages, accepted, undisturbed } = await backlog();
  const asked = Promise.withResolvers<void>();
  let before: readonly number[] = [];
  const recording = at('record before', 1, async () => {
    await asked.promise;
    before = [...pages];
  });
  const onPage = (number: number): void => {
    if (number === 3) asked.resolve();
  };
  expect(await poll({ step: recording, onPage })).toMatchObject({ outcome: 'published', activities: NEW });
  // The first chunk is half of page 5, the second one ends on page 4.
  expect(before).toStrictEqual([1, 6, 5, 4, 3]);
  expect(pages).toStrictEqual([1, 6, 5, 4, 3, 2]);
  expect(accepted).toStrictEqual(await undisturbed());
}, 10_000);

test('each chunk is recorded, published and advanced past before the next one is recorded', async () => {
  const { poll } = await backlog();
  const steps: string[] = [];
  await poll({
    step: async (name) => {
      if (/^(record|publish|settle|advance|update) /.test(name)) steps.push(name);
    },
  });
  const one = ['record', 'publish', 'settle', 'advance'].flatMap((name) =>
    name === 'publish'
      ? [`${name} before`, `${name} half`, `${name} after`]
      : [`${name} before`, `${name} after`],
  );
  const chunks = steps.filter((name) => name === 'record before').length;
  expect(chunks).toBeGreaterThan(4);
  expect(steps).toStrictEqual(Array.from({ length: chunks }, () => one).flat());
});

/** The accesses of the second chunk, the events accepted by then, the rows that the state has, and where the next poll begins. */
const failures = [
  ['record before', 50, 50, 50],
  ['publish half', 100, 50, 50],
  ['advance after', 150, 150, 150],
] as const;

test.each(failures)(
  'a poll that fails at "%s" leaves nothing of what it read ahead, and the next one sends the same bytes',
  async (name, published, settled, begins) => {
    const { poll, table, accepted, pages, undisturbed } = await backlog();
    const [rows, entities] = [table.ledger.size, table.entities.size];
    const asked = Promise.withResolvers<void>();
    let isAnswered = false;
    const failing = at(name, 2, async () => {
      await asked.promise;
      throw new StateError('STATE_UNAVAILABLE', 'no disk');
    });
    const onPage = async (number: number): Promise<void> => {
      if (number !== 2) return;
      asked.resolve();
      // The failure comes first.
      for (let turns = 0; turns < 10; turns += 1) await new Promise(setImmediate);
      isAnswered = true;
    };
    await expect(poll({ step: failing, onPage })).rejects.toThrow('no disk');
    // The request that was under way has ended before the poll.
    expect([isAnswered, pages]).toStrictEqual([true, [1, 6, 5, 4, 3, 2]]);
    expect([table.ledger.size - rows, table.entities.size - entities]).toStrictEqual([settled, settled]);
    await poll();
    const whole = await undisturbed();
    expect(accepted).toStrictEqual([...whole.slice(0, published), ...whole.slice(begins)]);
  },
  10_000,
);

test('a poll whose deadline passes drops what it read ahead, and reports what it published', async () => {
  const { poll, accepted, undisturbed } = await backlog();
  let now = 0;
  const clock = { now: () => now, random: () => 0.5, sleep: async () => {} };
  const late = at('publish after', 1, async () => {
    now = 1000;
  });
  const report = await poll({ clock, deadline: 1000, step: late });
  expect(report).toMatchObject({ outcome: 'out-of-time', activities: 50, waiting: 0 });
  expect(accepted).toStrictEqual((await undisturbed()).slice(0, 50));
});
