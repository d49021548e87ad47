import { channelId } from '../channels/channel-settings.ts';
import type { PanelEvent } from '../events/schemas.ts';
import type { AlarmChange } from '../messages/alarm.ts';
import { compileFilter } from '../subscriptions/filter.ts';
import { beginDeliveries } from './begin-deliveries.ts';
import { channelMemory } from './channel-memory.ts';
import type { DeadLetter } from './dead-letter.ts';
import { createDeliver, type DeliverOptions } from './deliver.ts';
import { oldestUnsentSeconds } from './oldest-unsent.ts';
import { createOutbox } from './outbox.ts';
import type { OutboxStore } from './outbox-store.ts';
import { isPresence, isRated } from './rating-events.ts';
import { reasonNotToSend } from './reason-not-to-send.ts';
import type { Recipient } from './recipient.ts';
import { OPERATIONS, type Subscription } from './subscription.ts';

interface NotifierOptions extends DeliverOptions {
  readonly store: OutboxStore;
  /** Names this run, so that only one sends at a time. */
  readonly runId: string;
}

interface RunReport {
  readonly sent: number;
  readonly failed: number;
  readonly setAside: number;
  /** Ids of events that gave nothing to send, because their rating changed back. */
  readonly changedBack: readonly string[];
}

/** Turns events into messages and brings them to their channels. */
export interface Notifier {
  /** Takes an event in for every subscription that wants it; a repeat changes nothing. */
  receive(event: PanelEvent): Promise<void>;
  /** Takes in a change of an alarm of the notifier. An end gives a message only where its beginning gave one. */
  receiveAlarm(change: AlarmChange): Promise<void>;
  /** Begins a delivery that was set aside anew; false where it is unknown. */
  retry(letter: DeadLetter): Promise<boolean>;
  /** Begins all deliveries that were set aside anew; gives their number. */
  retryAll(): Promise<number>;
  /** Messages that are set aside, and those whose last attempt failed. */
  backlog(): Promise<{ readonly setAside: number; readonly failing: number }>;
  /** How long the oldest message that is due has waited, in seconds; 0 where none is due. */
  oldestUnsentSeconds(): Promise<number>;
  /** Events that are part of no message yet: the most of any channel. */
  waiting(): Promise<number>;
  /** Sends all that is due, until the deadline (milliseconds since the epoch). */
  run(options?: { readonly deadline?: number }): Promise<RunReport>;
}

/** How long a run may keep others from sending to a recipient, in milliseconds: longer than any run. */
const LEASE = 10 * 60_000;
/** The time that is kept for one attempt before the deadline, in milliseconds. */
const ATTEMPT = 20_000;

/** The notifier of one plan. What is still to be sent is in the store, so that any run may go on with it. */
export function createNotifier(options: NotifierOptions): Notifier {
  const { plan, store, clock, log, runId } = options;
  const now = (): number => clock.now();
  const recipientsOf = (subscription: Subscription): readonly Recipient[] =>
    subscription.channels.map((channel) => {
      const place = { subscription: subscription.name, channel: channelId(channel), now };
      return {
        subscription,
        channel,
        outbox: createOutbox(store, place),
        memory: channelMemory(store, place),
      };
    });
  const subscribers = plan.subscriptions.map((subscription) => ({
    unwanted: reasonNotToSend(subscription.filter),
    mayRevert: mayRevert(subscription),
    recipients: recipientsOf(subscription),
  }));
  const operators = recipientsOf({
    name: OPERATIONS,
    filter: {},
    zone: plan.operations.zone,
    when: { kind: 'at-once', settleMinutes: 0 },
    channels: plan.operations.channels,
  });
  const recipients = [...subscribers.flatMap((subscriber) => subscriber.recipients), ...operators];
  const deliver = createDeliver(options);

  return {
    async receive(event) {
      for (const { unwanted, mayRevert: reverts, recipients: own } of subscribers) {
        const wanted = unwanted(event) === null;
        if (!wanted && !reverts(event)) continue;
        for (const { outbox } of own) await (wanted ? outbox.add(event, now()) : outbox.keepRating(event));
      }
    },
    async receiveAlarm(alarm) {
      for (const { outbox } of operators) {
        const last = await outbox.lastAlarm(alarm);
        // A queue may deliver what is over already.
        if (last && alarm.at < last.at) continue;
        // CloudWatch reports every new alarm as OK first, when nothing was wrong before.
        if (alarm.state === 'alarm' || last?.state === 'alarm') {
          await outbox.begin({ kind: 'alarm', alarm }, now());
        }
        await outbox.saveAlarm(alarm);
      }
    },
    async retry({ deadLetter: { delivery, subscription, channel } }) {
      const recipient = recipients.find(
        (each) => each.subscription.name === subscription && channelId(each.channel) === channel,
      );
      return (await recipient?.outbox.retry(delivery, now())) ?? false;
    },
    async retryAll() {
      let begun = 0;
      for (const { outbox } of recipients) {
        for (const id of await outbox.setAsideIds()) begun += Number(await outbox.retry(id, now()));
      }
      return begun;
    },
    async backlog() {
      let [setAside, failing] = [0, 0];
      for (const { outbox } of recipients) {
        setAside += (await outbox.setAsideIds()).length;
        failing += (await outbox.deliveries()).filter(({ attempts }) => attempts > 0).length;
      }
      return { setAside, failing };
    },
    oldestUnsentSeconds: () => oldestUnsentSeconds(recipients, clock),
    async waiting() {
      const counts = recipients.map(async ({ outbox }) => (await outbox.waiting()).length);
      return Math.max(0, ...(await Promise.all(counts)));
    },
    async run({ deadline = Number.POSITIVE_INFINITY } = {}) {
      const counts = { sent: 0, failed: 0, 'set-aside': 0, nothing: 0 };
      const changedBack: string[] = [];
      const errors: unknown[] = [];
      for (const recipient of recipients) {
        const { subscription, channel, outbox } = recipient;
        try {
          if (!(await outbox.lease(runId, now() + LEASE, now()))) continue;
          try {
            // Completes what an earlier run began: its events wait for no other message.
            await outbox.deliveries();
            await beginDeliveries(recipient, clock);
            for (const delivery of await outbox.deliveries()) {
              if (delivery.notBefore > now()) continue;
              if (now() + ATTEMPT > deadline) break;
              const delivered = await deliver(recipient, delivery);
              counts[delivered.outcome] += 1;
              changedBack.push(...delivered.changedBack);
            }
          } finally {
            await outbox.release(runId);
          }
        } catch (error) {
          // The other channels still get their messages.
          log.error('The messages of a channel could not be handled', {
            subscription: subscription.name,
            channel: channel.kind,
            error,
          });
          errors.push(error);
        }
      }
      if (errors.length > 0) throw errors[0];
      return { sent: counts.sent, failed: counts.failed, setAside: counts['set-aside'], changedBack };
    },
  };
}

/**
 * Whether an event outside the filter of a subscription may revert a change of rating that waits for its message: a
 * change to amber, or a removal, where the filter asks for green. So may an addition after the removal.
 */
function mayRevert({ filter, when }: Subscription): (event: PanelEvent) => boolean {
  if (when.kind === 'digest' || when.settleMinutes === 0) return () => false;
  const { to: _to, from: _from, direction: _direction, topics: _topics, types: _types, ...others } = filter;
  const matches = compileFilter(others);
  return (event) => (isPresence(event) || isRated(event)) && matches(event);
}
