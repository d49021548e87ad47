import type { Outgoing } from '../../lambdas/channels/channel.ts';
import type { Channel, ChannelKind, ChannelOf } from '../../lambdas/channels/channel-settings.ts';
import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import { compileFilter } from '../../lambdas/filters/filter.ts';
import type { DeadLetter, Sender, Senders } from '../../lambdas/notify/deliver.ts';
import { createNotifier, type Notifier } from '../../lambdas/notify/notifier.ts';
import type { NotifyPlan, Subscription } from '../../lambdas/notify/subscription.ts';
import { jsonLog } from '../../lambdas/run/log.ts';
import type { History } from '../../lambdas/store/history/history.ts';
import { type ItemStore, memoryItems } from '../../lambdas/store/items.ts';
import { phraseText } from '../../lambdas/words/phrase.ts';
import { everythingKept } from '../../lambdas/words/privacy.ts';
import { createTestClock, type TestClock } from '../run/test-clock.ts';

const privacy = everythingKept;

/** One channel of each kind. */
const examples: { readonly [Kind in ChannelKind]: ChannelOf<Kind> } = {
  slack: { kind: 'slack', webhook: 'lab', privacy },
  'slack-bot': { kind: 'slack-bot', bot: 'lab-bot', channel: 'C0123456789', privacy },
  webhook: { kind: 'webhook', webhook: 'pipeline', privacy },
  email: { kind: 'email', to: 'lab@example.org', privacy },
  smtp: { kind: 'smtp', to: ['lab@example.org'], privacy },
  teams: { kind: 'teams', webhook: 'lab', privacy },
  mattermost: { kind: 'mattermost', webhook: 'lab', privacy },
  'google-chat': { kind: 'google-chat', webhook: 'lab', privacy },
  webex: { kind: 'webex', bot: 'lab-webex', room: 'Y2lzY29zcGFyazovL3VzL1JPT00v', privacy },
  'amazon-q': { kind: 'amazon-q', privacy },
  atom: { kind: 'atom', privacy },
};

const { slack } = examples;
export const { smtp, webhook } = examples;
export const everyChannel: readonly Channel[] = Object.values(examples);

/** A subscription to genes that turn green, over Slack and at once, unless it says otherwise. */
export const subscriptionOf = (parts: Partial<Subscription> = {}): Subscription => ({
  name: 'green-genes',
  filter: { to: ['green'] },
  zone: 'Europe/London',
  when: { kind: 'at-once', settleMinutes: 60 },
  channels: [slack],
  ...parts,
});

export const planOf = (...subscriptions: readonly Subscription[]): NotifyPlan => ({
  prefix: 'panels-test',
  catalogues: ['uk'],
  subscriptions,
  operations: { zone: 'UTC', channels: [slack] },
});

export interface NotifyHarness {
  readonly clock: TestClock;
  readonly store: ItemStore;
  /** What reached a receiver. */
  readonly sent: Outgoing[];
  readonly headlines: () => readonly string[];
  readonly letters: DeadLetter[];
  /** What was written to the log, line by line. */
  readonly logged: readonly string[];
  readonly published: PanelEvent[];
  /** Another run of the function, with the same store. */
  readonly notifier: (runId?: string, more?: Partial<Parameters<typeof createNotifier>[0]>) => Notifier;
  /** Lets milliseconds pass, then runs. */
  readonly runAfter: (milliseconds: number) => ReturnType<Notifier['run']>;
  /** What happens when a message is handed to its channel. */
  onSend: (message: Outgoing) => void;
}

export function createNotifyHarness(
  plan: NotifyPlan,
  {
    store,
    withHistory = true,
    madeUp = false,
  }: { readonly store?: ItemStore; readonly withHistory?: boolean; readonly madeUp?: boolean } = {},
): NotifyHarness {
  const clock = createTestClock();
  const kept = store ?? memoryItems(() => clock.now());
  const sent: Outgoing[] = [];
  const letters: DeadLetter[] = [];
  const published: PanelEvent[] = [];
  const logged: string[] = [];
  const log = jsonLog((line) => void logged.push(line), clock.now);
  const sender: Sender = {
    pauseMs: 1_000,
    send: async (message) => {
      harness.onSend(message);
      sent.push(message);
      return 'HTTP 200';
    },
  };
  const senders = Object.fromEntries(everyChannel.map(({ kind }) => [kind, sender])) as Senders;
  const harness: NotifyHarness = {
    clock,
    store: kept,
    sent,
    headlines: () => sent.map(({ notice }) => phraseText(notice.headline)),
    letters,
    logged,
    published,
    onSend: () => {},
    runAfter: (milliseconds) => {
      clock.pass(milliseconds);
      return harness.notifier().run();
    },
    notifier: (runId = 'run', more = {}) =>
      createNotifier({
        plan,
        store: kept,
        senders,
        history: withHistory ? historyOf(published) : null,
        clock,
        log,
        runId,
        madeUp,
        keepDeadLetter: async (letter) => {
          letters.push(letter);
        },
        ...more,
      }),
  };
  return harness;
}

/** A history that holds events. */
export function historyOf(events: readonly PanelEvent[]): Pick<History, 'find' | 'coverage'> {
  return {
    coverage: async () => [{ catalogue: 'uk', since: 0n, until: 1n << 60n }],
    async *find({ filter = {}, since, until, order = 'newest', limit = Number.POSITIVE_INFINITY }) {
      const matches = compileFilter(filter);
      const at = ({ time = '' }: PanelEvent): bigint => BigInt(Date.parse(time)) * 1000n;
      const found = events
        .filter((event) => matches(event))
        .filter(
          (event) =>
            (since === undefined || at(event) >= since) && (until === undefined || at(event) < until),
        )
        .sort((one, other) => (one.time ?? '').localeCompare(other.time ?? ''));
      if (order === 'newest') found.reverse();
      yield* found.slice(0, limit);
    },
  };
}

/** Publishes events and hands each to the notifier. */
export async function take(harness: NotifyHarness, ...events: readonly PanelEvent[]): Promise<void> {
  for (const event of events) {
    harness.published.push(event);
    await harness.notifier().receive(event);
  }
}

/** A store whose process is killed before one of its calls. */
export function crashingAt(store: ItemStore, dies: () => boolean): ItemStore {
  const guarded =
    <Given extends readonly unknown[], Result>(call: (...given: Given) => Promise<Result>) =>
    async (...given: Given): Promise<Result> => {
      if (dies()) throw new Error('killed');
      return call(...given);
    };
  return {
    ...store,
    get: guarded(store.get),
    list: guarded(store.list),
    create: guarded(store.create),
    replace: guarded(store.replace),
    put: guarded(store.put),
    remove: guarded(store.remove),
  };
}
