import { createNotifier, takeBatch } from '../../lambdas/notify/notifier.ts';
import type { NotifyPlan } from '../../lambdas/notify/subscription.ts';
import { PublishError } from '../../lambdas/publishing/faults.ts';
import type { Message, Publisher } from '../../lambdas/publishing/message.ts';
import { loadSweep } from '../../lambdas/reconcile/sweep-state.ts';
import { jsonLog } from '../../lambdas/run/log.ts';
import { HistoryError } from '../../lambdas/store/history/history.ts';
import { StateError } from '../../lambdas/store/state-error.ts';
import { type ChangingCatalogue, createChangingCatalogue } from './changing-catalogue.ts';
import { type KeptStores, keepInDynamoDb, keepInSqlite } from './kept-stores.ts';
import { type Arrival, planNamed, receivers } from './people.ts';
import { createLife, type Life } from './processes.ts';
import { createWork, type Process } from './work.ts';

interface InterleaveOptions {
  readonly seed: number;
  readonly store: 'DynamoDB' | 'SQLite';
  /** How likely a process dies at one of its steps, of about a hundred. */
  readonly deaths: number;
  /** How likely a request fails, a publication is unanswered, or a receiver refuses a message. */
  readonly faults: number;
  /** Whether a person moves the mark and replays events meanwhile, which repeats some; true where absent. */
  readonly person?: boolean;
}

/** Everything that a run left behind, for `examine`. */
export interface Interleaved {
  readonly changing: ChangingCatalogue;
  readonly stores: KeptStores;
  /** Messages that the topics took, in this order; a replay repeats some. */
  readonly accepted: readonly Message[];
  readonly arrived: readonly Arrival[];
  /** `place id` of events that a person dropped, or that gave no message because a rating changed back. */
  readonly dropped: ReadonlySet<string>;
  readonly deaths: number;
  readonly faults: Readonly<Record<string, number>>;
  /** What a poll asked the catalogue for and wrote when everything was at rest. */
  readonly atRest: { readonly requests: number; readonly notSent: number; readonly queued: number };
}

/** An index of a table shows what was published so long ago; proofs rely on that. */
const MOST_BEHIND_MS = 9 * 60_000;

/** Errors that end a run as they should: the next one goes on. */
const isExpected = (error: unknown): boolean =>
  error instanceof StateError ||
  error instanceof HistoryError ||
  error instanceof PublishError ||
  (error instanceof Error && /^(ProvisionedThroughputExceeded|TimeoutError)/.test(error.name));

/**
 * Runs polls, sweeps, proofs, the function that sends messages, and what a person does with `mark`, `replay` and `messages`, all at
 * the same time; then lets everything come to rest.
 */
export async function interleave({
  seed,
  store,
  deaths,
  faults,
  person = true,
}: InterleaveOptions): Promise<Interleaved> {
  const changing = createChangingCatalogue(seed);
  const { catalogue } = changing;
  const { clock, random } = catalogue.log;
  let calm = false;
  let died = 0;
  let runs = 0;
  const rate = (): number => (calm ? 0 : faults);
  const stores = await (store === 'SQLite' ? keepInSqlite : keepInDynamoDb)({ clock, random, rate });
  const accepted: Message[] = [];
  const arrived: Arrival[] = [];
  const dropped = new Set<string>();
  const queue: string[] = [];
  const counts = { unpublished: 0, moves: 0, replays: 0, conflicts: 0 };
  let plan: NotifyPlan = planNamed('people');
  const log = jsonLog((line) => {
    const { changedBack = [] } = JSON.parse(line) as { readonly changedBack?: readonly string[] };
    for (const id of changedBack) for (const name of ['people', 'readers']) dropped.add(`${name} ${id}`);
  }, clock.now);

  const work = createWork({
    ...{ changing, clock, log, random, dropped, counts },
    from: catalogue.log.now,
    isCalm: () => calm,
    takesInFirst: store === 'SQLite',
  });

  const publisherOf = (life: Life): Publisher => ({
    async publish(messages) {
      for (const message of messages) {
        await life.step();
        const kind = random() / (3 * rate());
        if (kind < 0.5) throw lost(message);
        accepted.push(message);
        if (store === 'DynamoDB') queue.push(message.body);
        await life.step();
        if (kind < 1) throw lost(message);
      }
      return [];
    },
  });
  const lost = ({ topic }: Message): PublishError => {
    counts.unpublished += 1;
    return new PublishError('unavailable', topic, 'no answer');
  };

  const begin = (): { readonly life: Life; readonly runId: string } => {
    runs += 1;
    const life = createLife(random);
    if (!calm && random() < deaths) life.dieAfter(Math.floor(random() * (random() < 0.5 ? 40 : 300)));
    return { life, runId: `run-${runs}` };
  };
  /** One process: it ends, dies, or fails as it may. */
  const attempt = async (act: (process: Process) => Promise<unknown>, given = begin()): Promise<void> => {
    const { life, runId } = given;
    const opened = stores.open(life, runId);
    const publisher = publisherOf(life);
    const notifier = createNotifier({
      plan,
      store: opened.outbox,
      senders: receivers({ stores, life, random, rate, now: clock.now, arrived }),
      history: opened.history,
      names: opened.history.names,
      clock,
      log,
      runId: store === 'SQLite' ? 'local' : runId,
      timeLimit: () => new AbortController().signal,
      keepDeadLetter: async () => {},
    });
    try {
      await life.until(act({ ...opened, life, publisher, notifier }));
    } catch (error) {
      if (calm || !isExpected(error)) throw error;
      if (error instanceof StateError && error.code === 'STATE_CONFLICT') counts.conflicts += 1;
    }
    if (life.isDead) died += 1;
  };

  /** Takes in a batch of the queue, which may deliver a message again. */
  const take = async (): Promise<void> => {
    const batch = queue.splice(0, 1 + Math.floor(random() * 10));
    const Records = batch.map((body, index) => ({ messageId: String(index), body }));
    let failed = new Set(batch.keys());
    await attempt(async ({ notifier }) => {
      const { batchItemFailures } = await takeBatch({ Records }, { notifier, plan, log });
      failed = new Set(batchItemFailures.map(({ itemIdentifier }) => Number(itemIdentifier)));
    });
    for (const [index, body] of batch.entries())
      if (failed.has(index) || (!calm && random() < 0.1)) queue.push(body);
  };
  const some = (likely: number, act: () => Promise<void>): readonly Promise<void>[] =>
    random() < likely ? [act()] : [];
  /** Functions of their own, which nothing keeps apart. */
  const deployedRound = (): readonly Promise<void>[] => [
    ...some(0.8, () => attempt(work.poll)),
    ...some(0.4, () => attempt(work.poll)),
    ...some(0.5, () => attempt(work.sweep)),
    ...some(0.5, () => attempt(work.prove)),
    ...some(0.7, take),
    ...some(0.4, take),
    ...some(0.6, () => attempt(work.send)),
    ...some(0.4, () => attempt(work.send)),
    ...(person ? some(0.15, () => attempt(work.moveMark)) : []),
    ...(person ? some(0.1, () => attempt(work.replay)) : []),
    ...some(0.2, () => attempt(work.decide)),
  ];
  /** One process watches, and dies as a whole; a person moves the mark while it does not run. */
  const localRound = (): readonly Promise<void>[] => {
    const watching = begin();
    const other = random() < 0.15 ? attempt(work.moveMark) : null;
    return [
      (other ?? Promise.resolve()).then(() =>
        attempt(async (process) => {
          const sending = (async () => {
            for (let times = 0; times < 2; times += 1) await work.send(process);
          })();
          const working = (async () => {
            await work.poll(process);
            if (random() < 0.6) await work.sweep(process);
            if (random() < 0.6) await work.prove(process);
          })();
          const [first, second] = await Promise.allSettled([working, sending]);
          for (const each of [first, second]) if (each.status === 'rejected') throw each.reason;
        }, watching),
      ),
      ...some(0.1, () => attempt(work.replay)),
      ...some(0.2, () => attempt(work.decide)),
    ];
  };

  const calmly = async <Value>(look: () => Promise<Value>): Promise<Value> => {
    calm = true;
    const value = await look();
    calm = false;
    return value;
  };
  const isListed = async (): Promise<boolean> =>
    (await loadSweep(
      stores.open(
        createLife(() => 0),
        'person',
      ).documents,
    )) !== null;
  while (!(await calmly(isListed))) {
    if (random() < 0.5) changing.change();
    await attempt(work.poll);
    await attempt(work.sweep);
    clock.pass(60_000);
  }
  changing.isListed = true;
  let behindMs = 0;
  const pass = async (milliseconds: number): Promise<void> => {
    behindMs += milliseconds;
    if (behindMs > MOST_BEHIND_MS) {
      await stores.catchUp();
      behindMs = 0;
    }
    clock.pass(Math.floor(milliseconds));
  };
  for (let round = 0; round < 7; round += 1) {
    if (round === 4) plan = planNamed('readers');
    for (let changes = Math.floor(random() * 6); changes > 0; changes -= 1) changing.change();
    await Promise.all((store === 'DynamoDB' ? deployedRound : localRound)());
    await stores.catchUp(Math.floor(random() * 60));
    await pass(Math.floor(random() * 20 * 60_000) + (random() < 0.2 ? random() * 20 * 3_600_000 : 0));
  }

  calm = true;
  plan = planNamed('readers');
  const settle = async (): Promise<void> => {
    await pass(30 * 60_000);
    await attempt(work.poll);
    await attempt(work.sweep);
    await attempt(work.prove);
    while (queue.length > 0) await take();
    await attempt(work.decide);
    await attempt(work.send);
    await stores.catchUp();
  };
  for (let times = 0; times < 4; times += 1) await settle();
  // What waits for a day is read then, and what waits for its rows after that.
  for (const hours of [25, 25, 2]) {
    await pass(hours * 3_600_000);
    await settle();
  }
  catalogue.log.asked.length = 0;
  await attempt(work.poll);
  let notSent = 0;
  await attempt(async ({ notifier }) => {
    notSent = (await notifier.kept.list()).length + (await notifier.waiting());
  });
  return {
    changing,
    stores,
    accepted,
    arrived,
    dropped,
    deaths: died,
    faults: { ...stores.faults, ...counts },
    atRest: { requests: catalogue.log.asked.length, notSent, queued: queue.length },
  };
}
