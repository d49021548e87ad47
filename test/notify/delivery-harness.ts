import type { Outgoing } from '../../lambdas/channels/channel.ts';
import { type Channel, channelId, channelKinds } from '../../lambdas/channels/channel-settings.ts';
import type { DeadLetter, Senders, SendOptions } from '../../lambdas/notify/deliver.ts';
import { createNotifier, type Notifier } from '../../lambdas/notify/notifier.ts';
import type { Subscription } from '../../lambdas/notify/subscription.ts';
import { jsonLog } from '../../lambdas/run/log.ts';
import { type ItemStore, memoryItems } from '../../lambdas/store/items.ts';
import { everythingKept as privacy } from '../../lambdas/words/privacy.ts';
import { createVirtualClock, type VirtualClock } from '../run/virtual-clock.ts';
import { planOf, subscriptionOf } from './notify-harness.ts';

/** What a receiver does with a message: it takes it where this resolves. */
type Receiver = (message: Outgoing, options: SendOptions & { readonly clock: VirtualClock }) => Promise<void>;

/** A message that a receiver took. */
interface Arrival {
  readonly channel: string;
  readonly message: Outgoing;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export interface DeliveryHarness {
  readonly clock: VirtualClock;
  readonly store: ItemStore;
  readonly arrived: Arrival[];
  readonly attempts: Map<string, number>;
  readonly letters: DeadLetter[];
  readonly logged: readonly string[];
  /** By `channelId`; a channel without one takes everything. */
  readonly receivers: Map<string, Receiver>;
  notifier(options?: {
    readonly runId?: string;
    readonly subscriptions?: readonly Subscription[];
    /** Names the table that the store is in. */
    readonly place?: string;
  }): Notifier;
}

const slackTo = (webhook: string): Channel => ({ kind: 'slack', webhook, privacy });

/** A subscription over one channel for each webhook, at once and without a time to settle. */
export const over = (...webhooks: readonly string[]): Subscription =>
  subscriptionOf({ channels: webhooks.map(slackTo), when: { kind: 'at-once', settleMinutes: 0 } });

/** A notifier in simulated time, whose receivers a test makes bad. */
export function createDeliveryHarness(...own: readonly Subscription[]): DeliveryHarness {
  const clock = createVirtualClock();
  const items = memoryItems(() => clock.now());
  const store: ItemStore = {
    ...items,
    // The role of the function that sends messages has no right to write in batches.
    put: async (...all) => {
      if (all.length > 1) throw new Error('several items were put at once');
      return items.put(...all);
    },
  };
  const arrived: Arrival[] = [];
  const attempts = new Map<string, number>();
  const letters: DeadLetter[] = [];
  const logged: string[] = [];
  const receivers = new Map<string, Receiver>();
  const log = jsonLog((line) => void logged.push(line), clock.now);
  const sender = {
    pauseMs: 100,
    async send(message: Outgoing, channel: Channel, options: SendOptions) {
      const id = channelId(channel);
      attempts.set(id, (attempts.get(id) ?? 0) + 1);
      await receivers.get(id)?.(message, { ...options, clock });
      arrived.push({ channel: id, message, at: clock.now() });
      return 'HTTP 200';
    },
  };
  return {
    ...{ clock, store, arrived, attempts, letters, logged, receivers },
    notifier: ({ runId = 'run', subscriptions = own, ...place } = {}) =>
      createNotifier({
        plan: { ...planOf(...subscriptions), operations: { zone: 'UTC', channels: [] } },
        store,
        ...place,
        senders: Object.fromEntries(channelKinds.map((kind) => [kind, sender])) as Senders,
        history: null,
        clock,
        log,
        runId,
        timeLimit: clock.limit,
        keepDeadLetter: async (letter) => void letters.push(letter),
      }),
  };
}

/** Takes the connection and never answers, not even when it is closed. */
export const hangs: Receiver = () => new Promise(() => {});
/** Refuses every message at once. */
export const refuses: Receiver = async () => {
  throw new Error('The webhook answered 410');
};
