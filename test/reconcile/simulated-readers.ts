import { channelKinds } from '../../lambdas/channels/channel-settings.ts';
import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import type { Sender, Senders } from '../../lambdas/notify/deliver.ts';
import { createNotifier } from '../../lambdas/notify/notifier.ts';
import type { Clock } from '../../lambdas/run/clock.ts';
import { silentLog } from '../../lambdas/run/log.ts';
import { memoryItems } from '../../lambdas/store/items.ts';
import { timeWords } from '../../lambdas/words/value-words.ts';
import { planOf, subscriptionOf } from '../notify/notify-harness.ts';
import type { PanelsSeen } from './panels-seen.ts';
import { knownAt, type Sentence, sentencesOf } from './sentences.ts';
import type { Sweeper } from './sweep-harness.ts';

/** People who get messages about a simulated catalogue, by the notifier that is deployed. */
interface SimulatedReaders {
  /** Takes in what was published, and sends what is due. */
  run(): Promise<void>;
  /** Sentences that were neither true when they were sent nor of the last state that could be known. */
  readonly untrue: string[];
  /** Sentences that were held against the catalogue. */
  readonly counts: { sentences: number; late: number };
}

interface Reading {
  readonly sweeper: Pick<Sweeper, 'accepted' | 'kept'>;
  readonly clock: Clock;
  readonly random: () => number;
  /** The panels as they are. */
  readonly truth: () => PanelsSeen;
  /** The panels as events, in their order, make them. */
  readonly known: (events: readonly PanelEvent[]) => readonly PanelsSeen[];
}

/** What was so, or was known, at one moment. */
interface Moment {
  readonly at: number;
  readonly seen: readonly PanelsSeen[];
}

const MINUTE = 60_000;

export function createSimulatedReaders({ sweeper, clock, random, truth, known }: Reading): SimulatedReaders {
  const untrue: string[] = [];
  const counts = { sentences: 0, late: 0 };
  const moments: Moment[] = [];
  const taken: PanelEvent[] = [];
  const times = timeWords('UTC');
  let next = 0;

  const isTrue = (
    sentence: Sentence,
    { from, to }: { readonly from: number; readonly to: number },
  ): boolean => {
    const begin = Math.max(
      0,
      moments.findLastIndex(({ at }) => at <= from),
    );
    // Rows of that time that were published later are in it.
    const asOf = (moment: number): readonly PanelsSeen[] => {
      const last = new Date(moment).toISOString();
      return known(taken.filter(({ time = '' }) => time <= last));
    };
    const seen = [
      ...asOf(from),
      ...asOf(to),
      ...moments.slice(begin).flatMap((each) => (each.at <= to ? each.seen : [])),
    ];
    const ids = seen.flatMap((one) => one.idOf(sentence.panel) ?? []);
    return ids.some((id) => seen.some((one) => one.holds(id, sentence)));
  };
  const sender: Sender = {
    pauseMs: 0,
    async send({ subscription, notice, at }) {
      if (random() < 0.3) throw new Error('the channel does not answer');
      const now = clock.now();
      const begun = Date.parse(at);
      const line = knownAt(notice);
      if (now - begun > MINUTE) {
        counts.late += 1;
        if (line === null) untrue.push(`${subscription}: does not say that it is of ${at}`);
      }
      const footer = notice.footer.find((each) => each.startsWith('Period: '));
      // A digest is of its period, whose end it names.
      const until = footer && subscription.endsWith('digest') ? digestEnd(begun) : begun;
      if (line !== null && !line.includes(times.moment(new Date(until).toISOString())))
        untrue.push(`${subscription}: ${line}, but it is of ${new Date(until).toISOString()}`);
      const sentences = sentencesOf(notice);
      const span = { from: until, to: line === null ? now : begun };
      for (const sentence of sentences) {
        counts.sentences += 1;
        if (!isTrue(sentence, span))
          untrue.push(
            `${subscription} at ${new Date(now).toISOString()}: ${sentence.panel}: ${sentence.words}`,
          );
      }
      const removed = new Set(sentences.filter(({ says }) => says === 'removed').map(({ entity }) => entity));
      for (const { says, entity, words } of sentences)
        if (says === 'green' && removed.has(entity))
          untrue.push(`${subscription}: green and removed: ${words}`);
      return 'HTTP 200';
    },
  };
  const at = { zone: 'UTC' };
  const notifier = createNotifier({
    plan: {
      ...planOf(
        subscriptionOf({ name: 'all', filter: {}, when: { kind: 'at-once', settleMinutes: 1 }, ...at }),
        subscriptionOf({ name: 'greens', when: { kind: 'at-once', settleMinutes: 20 }, ...at }),
        subscriptionOf({ name: 'digest', filter: {}, when: daily, ...at }),
        subscriptionOf({ name: 'green-digest', when: daily, ...at }),
      ),
      operations: { zone: 'UTC', channels: [] },
    },
    store: memoryItems(() => clock.now()),
    senders: Object.fromEntries(channelKinds.map((kind) => [kind, sender])) as Senders,
    history: sweeper.kept,
    clock,
    log: silentLog,
    runId: 'run',
    keepDeadLetter: async () => {},
  });
  return {
    untrue,
    counts,
    async run() {
      for (; next < sweeper.accepted.length; next += 1) {
        const event = JSON.parse(sweeper.accepted[next]?.body ?? '') as PanelEvent;
        // Who reads them drops repeats.
        if (!taken.some(({ id }) => id === event.id)) taken.push(event);
        await notifier.receive(event);
      }
      moments.push({ at: clock.now(), seen: [truth(), ...known(taken)] });
      await notifier.run();
    },
  };
}

const HOUR = 14;
const daily = { kind: 'digest', every: 'daily', hour: HOUR, ifNothing: false } as const;

/** The last time before a moment at which a digest was due. */
function digestEnd(at: number): number {
  const due = new Date(at);
  due.setUTCHours(HOUR, 0, 0, 0);
  return due.getTime() <= at ? due.getTime() : due.getTime() - 86_400_000;
}
