import { readLogRows } from '../../lambdas/catalogue/log-row.ts';
import type { Activity } from '../../lambdas/catalogue/schemas.ts';
import { classify } from '../../lambdas/classifier/classify.ts';
import { classifyLog } from '../../lambdas/classifier/classify-log.ts';
import { correlate } from '../../lambdas/correlation/correlate.ts';
import { createKnownStates } from '../../lambdas/correlation/known-states.ts';
import { readPage } from '../../lambdas/http/page.ts';
import { toMessage } from '../../lambdas/publishing/to-message.ts';
import { bodiesOf } from './pages.ts';
import { cpuRatios, type Ratio } from './ratio.ts';

const REPEATS = 40;

const responseWith = (body: Buffer): Parameters<typeof readPage>[0] => ({
  status: 200,
  body,
  text: () => body.toString(),
  serverTime: null,
  header: () => null,
  fail: (_condition, seen) => new Error(seen) as never,
});

/** What a page of 100 rows costs, from its bytes to the messages, for what JSON.parse of it costs. */
export function pageCosts(): Ratio[] {
  const bodies = bodiesOf(300);
  const pages = bodies.map((body) => (JSON.parse(body.toString()) as { results: Activity[] }).results);
  let turn = 0;
  const next = (): number => turn++ % bodies.length;
  const context = { catalogue: { name: 'bench', url: '/api/v1/' }, listing: null };
  const works = [
    () => JSON.parse((bodies[next()] as Buffer).toString()) as unknown,
    () => {
      const { items } = readPage(responseWith(bodies[next()] as Buffer));
      return correlate(classifyLog(items), createKnownStates(), context).events.map((event) =>
        toMessage(event),
      );
    },
    () => (pages[next()] as Activity[]).map(classify),
    () => readLogRows(pages[next()] as Activity[]),
  ];
  const [, whole = 0, classifying = 0, reading = 0] = cpuRatios(works, REPEATS);
  const unit = '× JSON.parse of the page';
  return [
    { name: 'a page of 100 rows, from bytes to messages', ratio: whole, unit, aim: 6 },
    { name: '… of which classification', ratio: classifying, unit, aim: 0.5 },
    { name: '… of which checking rows and their keys', ratio: reading, unit, aim: Number.NaN },
  ];
}
