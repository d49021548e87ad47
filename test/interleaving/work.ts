import { setImmediate as turn } from 'node:timers/promises';
import type { Notifier } from '../../lambdas/notify/notifier.ts';
import { createArchive } from '../../lambdas/panels/archive.ts';
import { createRatingsBefore } from '../../lambdas/panels/ratings-before.ts';
import { ownArchivePace } from '../../lambdas/panels/settings.ts';
import { poll } from '../../lambdas/poll/poll.ts';
import { aloneWith, pollAlone } from '../../lambdas/poll/poll-alone.ts';
import type { PollOptions } from '../../lambdas/poll/poll-options.ts';
import type { Publisher } from '../../lambdas/publishing/message.ts';
import { provePanels } from '../../lambdas/reconcile/prove-panels.ts';
import { sweep } from '../../lambdas/reconcile/sweep.ts';
import { createReadLog, searchPagesOfSweep } from '../../lambdas/reconcile/sweep-report.ts';
import type { Clock } from '../../lambdas/run/clock.ts';
import { type Instant, minutes } from '../../lambdas/run/instant.ts';
import type { Log } from '../../lambdas/run/log.ts';
import type { ChangingCatalogue } from './changing-catalogue.ts';
import { CATALOGUE, type OpenStores } from './kept-stores.ts';
import type { Life } from './processes.ts';

/** What one process works with. */
export interface Process extends OpenStores {
  readonly life: Life;
  readonly publisher: Publisher;
  readonly notifier: Notifier;
}

interface Workplace {
  readonly changing: ChangingCatalogue;
  readonly clock: Clock;
  readonly log: Log;
  readonly random: () => number;
  /** Where the first poll begins. */
  readonly from: Instant;
  /** Whether nothing goes wrong any more, and nothing changes. */
  readonly isCalm: () => boolean;
  /** Whether a process takes its events in itself, before it publishes them: there is no queue on one machine. */
  readonly takesInFirst: boolean;
  /** `subscription id` of events that a person dropped. */
  readonly dropped: Set<string>;
  readonly counts: { moves: number; replays: number };
}

type Work = (process: Process) => Promise<unknown>;

/** What runs of the notifier do, and what a person does with its commands. */
export function createWork(
  place: Workplace,
): Readonly<Record<'poll' | 'sweep' | 'prove' | 'send' | 'moveMark' | 'replay' | 'decide', Work>> {
  const { changing, clock, log, random, from, isCalm, takesInFirst, dropped, counts } = place;
  const { catalogue } = changing;
  const overlap = minutes(15);

  /** The catalogue as a process sees it: each request is a step. */
  const served = ({ life }: Process) => {
    const stepped =
      <Given extends readonly unknown[], Value>(ask: (...given: Given) => Promise<Value>) =>
      async (...given: Given): Promise<Value> => {
        await life.step();
        if (!isCalm() && random() < 0.15) changing.change();
        return ask(...given);
      };
    const { client } = catalogue;
    return {
      ...client,
      activities: stepped(client.activities),
      listPanels: stepped(client.listPanels),
      listRegions: stepped(client.listRegions),
      panelDetail: stepped(client.panelDetail),
      panelRows: stepped(client.panelRows),
      panels: stepped(client.panels),
      regions: stepped(client.regions),
    };
  };
  /** On one machine, a process takes its events in before it publishes them. */
  const before = ({ publisher, notifier }: Process): Publisher =>
    !takesInFirst
      ? publisher
      : {
          async publish(messages) {
            for (const { body } of messages) await notifier.receive(JSON.parse(body));
            return publisher.publish(messages);
          },
        };
  /** What polls, sweeps and proofs share. */
  const partsOf = (process: Process) => {
    const { documents, history, states, state } = process;
    const parts = {
      name: CATALOGUE,
      catalogue: served(process),
      documents,
      history,
      states,
      state,
      clock,
      log,
    };
    const archive = createArchive({ ...parts, pace: ownArchivePace });
    const ratingsBefore = createRatingsBefore({ states, archive, log, nextRunGoesOn: true });
    const alone = process.lease && { alone: aloneWith(process.lease, { clock: slow, log }) };
    return { ...parts, ...alone, archive, ratingsBefore, publisher: before(process), overlap };
  };
  /** A second is time enough for another process to take some steps. */
  const slow: Clock = {
    ...clock,
    async sleep(ms, signal) {
      for (let turns = 0; turns < 50; turns += 1) await turn();
      await clock.sleep(ms, signal);
    },
  };
  const read = (process: Process, options: Partial<PollOptions>) => {
    const whole = { ...partsOf(process), store: process.state, ...options };
    return process.lease ? pollAlone({ ...whole, clock: slow }, process.lease) : poll(whole);
  };
  const pollLog = (process: Process) => read(process, { from });
  const sweepListings = (process: Process) =>
    sweep({
      ...partsOf(process),
      shrunkenPercent: 50,
      sameChangePercent: 60,
      readLog: createReadLog({
        store: process.state,
        log,
        poll: (searchRequest) =>
          read(process, searchRequest ? { searchRequest, searchPages: searchPagesOfSweep } : {}),
      }),
    });

  const prove = (process: Process) => {
    const { url } = catalogue.client;
    const readLog = createReadLog({ store: process.state, log, poll: () => read(process, {}) });
    return provePanels({ ...partsOf(process), url, readLog: () => readLog(null) });
  };

  const send = ({ notifier }: Process) => notifier.run({ deadline: clock.now() + 60_000 });

  const moveMark = async ({ state }: Process): Promise<void> => {
    const stored = await state.load(0n);
    if (!stored || stored.pending) return;
    const { mark } = stored.position;
    const to = from + BigInt(Math.floor(random() * Number(mark - from)));
    if (to >= mark) return;
    await state.moveMark(stored.position, to);
    counts.moves += 1;
  };
  const replay = async ({ history, publisher }: Process): Promise<void> => {
    for await (const record of history.findRecords({ catalogue: CATALOGUE, order: 'oldest' })) {
      if (random() < 0.5) await publisher.publish([{ ...record, attributes: {} }]);
    }
    counts.replays += 1;
  };
  const decide = async ({ notifier: { kept } }: Process): Promise<void> => {
    for (const { id, subscription, channel, content, orphaned } of await kept.list()) {
      if (orphaned) {
        await kept.move({ subscription, channel }, { subscription: 'readers', channel });
        continue;
      }
      const chance = random();
      if (chance < 0.2) await kept.send(id);
      if (isCalm() || chance < 0.9 || content.kind !== 'events') continue;
      for (const event of content.events) dropped.add(`${subscription} ${event}`);
      await kept.drop(id);
    }
  };

  return { poll: pollLog, sweep: sweepListings, prove, send, moveMark, replay, decide };
}
