import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import { createNotifier } from '../../lambdas/notify/notifier.ts';
import { poll } from '../../lambdas/poll/poll.ts';
import type { Message } from '../../lambdas/publishing/message.ts';
import { sweep } from '../../lambdas/reconcile/sweep.ts';
import { createReadLog } from '../../lambdas/reconcile/sweep-report.ts';
import { minutes } from '../../lambdas/run/instant.ts';
import { silentLog } from '../../lambdas/run/log.ts';
import { forgetOldState } from '../../lambdas/store/store.ts';
import { madeUpGene, madeUpState } from '../panels/made-up-states.ts';
import { createRecordingPublisher } from '../poll/simulated-log.ts';
import { type ChangingCatalogue, createChangingCatalogue } from './changing-catalogue.ts';
import type { Measured, YearsPlace } from './five-years-places.ts';
import { CATALOGUE } from './kept-stores.ts';
import { planNamed, receivers } from './people.ts';
import { createLife } from './processes.ts';

const DAY_MS = 86_400_000;
const DAYS = 5 * 365;
/** Days on which nothing runs: twice two months. */
const isOutage = (day: number): boolean => (day >= 400 && day < 461) || (day >= 1300 && day < 1361);

interface YearsOptions {
  readonly place: YearsPlace;
  /** Days from one run to the next. */
  readonly every: number;
  /** Changes in the catalogue between two runs. */
  readonly changes: number;
  /** Days for which events and states are kept. */
  readonly days: number;
}

/** What five years came to. */
interface Years {
  /** Facts that no event stated. */
  readonly lost: readonly string[];
  /** Ids that were accepted twice. */
  readonly repeated: number;
  readonly events: number;
  /** Messages that reached their receivers, and what is not sent at the end. */
  readonly messages: number;
  readonly notSent: number;
  /** What is kept at the end of each year. */
  readonly kept: readonly Measured[];
  /** What a poll, a sweep and a run of messages read at the end of each year, when nothing had changed. */
  readonly atRest: readonly Readonly<Record<'poll' | 'sweep' | 'messages' | 'search', number>>[];
}

const timesOf = (event: PanelEvent): readonly string[] =>
  event.data.activities.map(({ text }) => `row ${text}`);

/** Five years of polls, sweeps, messages and states of panels, with two outages of two months. */
export async function simulateYears({ place, every, changes, days }: YearsOptions): Promise<Years> {
  const changing: ChangingCatalogue = createChangingCatalogue(5);
  const { catalogue } = changing;
  const { clock } = catalogue.log;
  place.begin(clock);
  const accepted: Message[] = [];
  const arrived: Parameters<typeof receivers>[0]['arrived'] = [];
  const kept: Measured[] = [];
  const atRest: Years['atRest'][number][] = [];
  const plan = planNamed('people');
  const from = catalogue.log.now;
  const publisher = createRecordingPublisher(accepted);
  let taken = 0;
  let [year, runs] = [1, 0];
  let newest: { readonly panelId: number; readonly version: string; readonly validFrom: bigint } | undefined;

  const open = () => {
    const stores = place.open();
    const shared = { name: CATALOGUE, catalogue: catalogue.client, clock, log: silentLog, publisher };
    const pollOnce = () =>
      poll({ ...shared, store: stores.state, history: stores.history, overlap: minutes(15), from });
    const notifier = createNotifier({
      plan,
      store: stores.outbox,
      senders: receivers({
        stores: { open: () => stores },
        life: createLife(() => 0),
        random: () => 1,
        rate: () => 0,
        now: clock.now,
        arrived,
      }),
      history: stores.history,
      names: stores.history.names,
      clock,
      log: silentLog,
      runId: 'run',
      timeLimit: () => new AbortController().signal,
      keepDeadLetter: async () => {},
    });
    const sweepOnce = () =>
      sweep({
        ...shared,
        documents: stores.documents,
        history: stores.history,
        state: stores.state,
        shrunkenPercent: 50,
        sameChangePercent: 100,
        readLog: createReadLog({ store: stores.state, log: silentLog, poll: pollOnce }),
      });
    return { stores, notifier, pollOnce, sweepOnce };
  };
  const runAll = async (): Promise<void> => {
    const { stores, notifier, pollOnce, sweepOnce } = open();
    await pollOnce();
    await sweepOnce();
    for (; taken < accepted.length; taken += 1) {
      const [message] = accepted.slice(taken, taken + 1);
      if (message) await notifier.receive(JSON.parse(message.body) as PanelEvent);
    }
    clock.pass(3_600_000);
    await notifier.run();
    runs += 1;
    const now = BigInt(clock.now()) * 1000n;
    if (runs % 10 === 1) {
      const version = `1.${runs}`;
      if (newest) await stores.states.note(newest, { validTo: now - minutes(60) });
      newest = { panelId: 3, version, validFrom: now - minutes(60) };
      await stores.states.save(
        madeUpState({
          ...{ version, validFrom: now - minutes(60), readAt: now },
          entities: Array.from({ length: 200 }, (_, gene) => madeUpGene(`GENE${gene}`)),
        }),
      );
    }
    await place.forget(days, clock.now());
    await forgetOldState(stores.state, { days, now: clock.now() });
  };
  const readAtRest = async (): Promise<Years['atRest'][number]> => {
    const { stores, notifier, pollOnce, sweepOnce } = open();
    const read = async (act: () => Promise<unknown>): Promise<number> => {
      const before = place.reads();
      await act();
      return place.reads() - before;
    };
    return {
      poll: await read(pollOnce),
      sweep: await read(sweepOnce),
      messages: await read(() => notifier.run()),
      search: await read(async () => {
        for await (const _event of stores.history.find({ filter: { panels: [3] }, limit: 20 }));
      }),
    };
  };

  await runAll();
  changing.isListed = true;
  for (let day = every; day < DAYS; day += every) {
    for (let change = 0; change < changes; change += 1) {
      changing.change();
      clock.pass(Math.floor((every * DAY_MS - 3_600_000) / changes) - 5_000);
    }
    if (isOutage(day)) continue;
    await runAll();
    if (day < year * 365 - every) continue;
    year += 1;
    clock.pass(3_600_000);
    // The changes of the last sweep wait for one more.
    await runAll();
    kept.push(await place.measure());
    atRest.push(await readAtRest());
  }
  const published = new Set(accepted.flatMap(({ body }) => timesOf(JSON.parse(body) as PanelEvent)));
  const ids = new Set(accepted.map(({ id }) => id));
  const { notifier } = open();
  return {
    lost: changing.rows.map((text) => `row ${text}`).filter((fact) => !published.has(fact)),
    repeated: accepted.length - ids.size,
    events: ids.size,
    messages: arrived.length,
    notSent: (await notifier.kept.list()).length,
    kept,
    atRest,
  };
}
