import { hash } from 'node:crypto';
import { readPage } from '../../../lambdas/catalogue/http/response.ts';
import { readLogRows } from '../../../lambdas/catalogue/log-row.ts';
import type { Activity } from '../../../lambdas/catalogue/schemas.ts';
import { classify, classifyLog } from '../../../lambdas/classifier/classify.ts';
import { correlate, createKnownStates } from '../../../lambdas/classifier/correlation/correlate.ts';
import { toMessage } from '../../../lambdas/publishing/message.ts';
import { cpuRatios } from '../cpu-ratios.ts';
import type { Race } from '../figure.ts';
import { bodiesOf } from '../pages.ts';

/** Fewer are over before Node has compiled the code. */
const REPEATS = 200;

/** By the name of the work. */
const goals: Readonly<Record<string, number>> = { 'all of it': 14, 'texts classified': 3 };

const responseWith = (body: Buffer): Parameters<typeof readPage>[0] => ({
  status: 200,
  body,
  text: () => body.toString(),
  serverTime: null,
  header: () => null,
  fail: (_condition, seen) => new Error(seen) as never,
});

/** What a page of 100 rows costs, from its bytes to the messages, for what JSON.parse of it costs. */
export const pageCost: Race = {
  name: 'page-cost',
  title: 'A page of 100 rows, from bytes to messages (CPU)',
  run: async () => {
    const bodies = bodiesOf(300);
    const pages = bodies.map((body) => (JSON.parse(body.toString()) as { results: Activity[] }).results);
    const context = { catalogue: { name: 'bench', url: '/api/v1/' }, listing: null };
    const eventsOf = (rows: Activity[]) => correlate(classifyLog(rows), createKnownStates(), context).events;
    const events = pages.map(eventsOf);
    const messages = events.map((each) => each.map((event) => toMessage(event)));
    let turn = 0;
    const next = (): number => turn++ % bodies.length;
    const works: readonly (readonly [string, () => unknown])[] = [
      ['JSON.parse', () => JSON.parse((bodies[next()] as Buffer).toString())],
      [
        'all of it',
        () =>
          eventsOf(readPage(responseWith(bodies[next()] as Buffer)).items as Activity[]).map((event) =>
            toMessage(event),
          ),
      ],
      ['bytes to JSON, checked for repeated keys', () => readPage(responseWith(bodies[next()] as Buffer))],
      ['rows checked, with their keys', () => readLogRows(pages[next()] as Activity[])],
      ['texts classified', () => (pages[next()] as Activity[]).map(classify)],
      ['events to messages', () => (events[next()] ?? []).map((event) => toMessage(event))],
      ['floor: messages to JSON and a hash of each', () => (messages[next()] ?? []).map(hashed)],
    ];
    const ratios = cpuRatios(
      works.map(([, work]) => work),
      REPEATS,
    );
    const figures = works.slice(1).map(([name], index) => ({
      name,
      value: ratios[index + 1] ?? Number.NaN,
      unit: '×',
      baseline: 'JSON.parse of the page',
      ...(goals[name] !== undefined && { goal: goals[name] }),
    }));
    const [all = Number.NaN, floor = Number.NaN] = [ratios[1], ratios.at(-1)];
    const least = floor + 1;
    return {
      figures,
      notes: [
        `No way to make these messages costs less than ${least.toFixed(1)} ×: the page parsed, each message written`,
        `as JSON, and hashed. All of it is ${(all / least).toFixed(1)} times that.`,
      ],
    };
  },
};

/** What no way to make messages can save: their text, and one hash for an id. */
const hashed = (message: unknown): string => hash('sha256', JSON.stringify(message));
