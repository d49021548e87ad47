import { type Channel, channelId } from '../channels/channel-settings.ts';
import { channelType } from '../channels/channels.ts';
import type { Clock } from '../clock/clock.ts';
import type { History } from '../history/history.ts';
import { type Condition, ServiceError } from '../http/service-error.ts';
import type { Log } from '../log/log.ts';
import { cleanLine } from '../messages/clean-text.ts';
import { asMadeUp } from '../messages/made-up.ts';
import type { Notice } from '../messages/notice.ts';
import { type ComposedMessage, composeMessage } from './compose-message.ts';
import type { DeadLetter } from './dead-letter.ts';
import type { Delivery } from './delivery.ts';
import type { Recipient } from './recipient.ts';
import type { Senders } from './senders.ts';
import type { NotifyPlan } from './subscription.ts';

/** What deliveries need. */
export interface DeliverOptions {
  readonly plan: NotifyPlan;
  readonly senders: Senders;
  /** What was published, for the rating before and for what happened since; null where none is kept. */
  readonly history: Pick<History, 'find'> | null;
  readonly clock: Clock;
  readonly log: Log;
  /** The events come from a sandbox: each message says that no gene changed. */
  readonly madeUp?: boolean;
  /** Keeps a letter for a person to see. */
  readonly keepDeadLetter: (letter: DeadLetter) => Promise<void>;
}

/** What became of a delivery: `nothing` where its events left nothing to send. */
type DeliveryOutcome = 'sent' | 'failed' | 'set-aside' | 'nothing';

/** A delivery after its attempt. */
interface Delivered {
  readonly outcome: DeliveryOutcome;
  /** Ids of events that gave nothing to send, because their rating changed back. */
  readonly changedBack: readonly string[];
}

/** The longest that one attempt may take, from the first byte to the last, in milliseconds. */
export const DELIVERY_MS = 20_000;

const MINUTE = 60_000;
/** How long a message is tried before it is set aside, in milliseconds. */
const TRIED_FOR = 24 * 60 * MINUTE;
/** The longest time between two attempts, in milliseconds. */
const LONGEST_BACKOFF = 180 * MINUTE;

/** Makes the function that sends deliveries: one attempt a call, with the pause that each receiver needs. */
export function createDeliver(
  options: DeliverOptions,
): (recipient: Recipient, delivery: Delivery) => Promise<Delivered> {
  const { senders, clock, log, keepDeadLetter, madeUp = false } = options;
  /** When each channel got its last message, in milliseconds since the epoch. */
  const lastSent = new Map<string, number>();

  async function deliver(recipient: Recipient, delivery: Delivery): Promise<Delivered> {
    let composed: ComposedMessage | null;
    let changedBack: readonly string[];
    try {
      const { message, changedBack: events } = await composeMessage(recipient, delivery, options);
      composed = message;
      changedBack = events.map(({ id }) => id);
      if (changedBack.length > 0) log.info('Ratings that changed back give no message', { changedBack });
      if (composed) await send(composed, recipient, delivery);
    } catch (error) {
      return { outcome: await keepFailed(recipient, delivery, error), changedBack: [] };
    }
    // The channel did not cause a failure from here on. The delivery stays marked as one that may have arrived.
    await recipient.outbox.finish(delivery);
    if (!composed) return { outcome: 'nothing', changedBack };
    log.info('A message was sent', factsOf(recipient, delivery));
    return { outcome: 'sent', changedBack };
  }

  async function send(
    { notice: composed, event }: ComposedMessage,
    { subscription, channel, outbox, memory }: Recipient,
    delivery: Delivery,
  ): Promise<void> {
    const sender = senders[channel.kind];
    await pause(channel, sender.pauseMs);
    const notice = madeUp ? asMadeUp(composed) : composed;
    const again = delivery.trying && !channelType(channel.kind).dropsRepeats;
    await outbox.update({ ...delivery, trying: true });
    const message = {
      id: delivery.id,
      subscription: subscription.name,
      notice: again ? sentAgain(notice) : notice,
      event,
      at: new Date(delivery.begun).toISOString(),
    };
    await sender.send(message, channel, { memory, signal: AbortSignal.timeout(DELIVERY_MS) });
  }

  /** Keeps a failed delivery for a later attempt, or sets it aside after a day. */
  async function keepFailed(
    recipient: Recipient,
    delivery: Delivery,
    error: unknown,
  ): Promise<'failed' | 'set-aside'> {
    const { subscription, channel, outbox } = recipient;
    const attempts = delivery.attempts + 1;
    const trying = delivery.trying || mayHaveArrived(error);
    log.warn('A message could not be sent', { ...factsOf(recipient, delivery), attempts, error });
    if (clock.now() - delivery.begun >= TRIED_FOR) {
      const reason = cleanLine(error instanceof Error ? error.message : String(error), 1_000);
      await keepDeadLetter({
        deadLetter: {
          delivery: delivery.id,
          subscription: subscription.name,
          channel: channelId(channel),
          reason,
        },
      });
      await outbox.setAside({ ...delivery, attempts, trying });
      return 'set-aside';
    }
    const requested = error instanceof ServiceError ? (error.notBefore ?? 0) : 0;
    const wait = Math.min(LONGEST_BACKOFF, MINUTE * 2 ** (attempts - 1));
    const notBefore = Math.max(requested, Math.min(clock.now() + wait, delivery.begun + TRIED_FOR));
    await outbox.update({ ...delivery, attempts, notBefore, trying });
    return 'failed';
  }

  /** Waits until a receiver may get its next message. */
  async function pause(channel: Channel, pauseMs: number): Promise<void> {
    const receiver = channelId(channel);
    const wait = (lastSent.get(receiver) ?? Number.NEGATIVE_INFINITY) + pauseMs - clock.now();
    if (wait > 0) await clock.sleep(wait);
    lastSent.set(receiver, clock.now());
  }

  return deliver;
}

const factsOf = ({ subscription, channel }: Recipient, { id }: Delivery) => ({
  subscription: subscription.name,
  channel: channel.kind,
  delivery: id,
});

/** Whether the receiver may have taken a message although the attempt failed: no response said that it did not. */
function mayHaveArrived(error: unknown): boolean {
  if (error instanceof ServiceError) return error.status === null && unanswered.has(error.condition);
  const { $metadata } = (error ?? {}) as { readonly $metadata?: { readonly httpStatusCode?: number } };
  return $metadata !== undefined && $metadata.httpStatusCode === undefined;
}

const unanswered: ReadonlySet<Condition> = new Set(['CONNECTION_LOST', 'TIMED_OUT', 'TRUNCATED', 'DEADLINE']);

/** The notice with a line that says that an earlier attempt may have arrived. */
function sentAgain(notice: Notice): Notice {
  return {
    ...notice,
    footer: [
      ...notice.footer,
      'Sent again: an earlier attempt was cut off, so you may have this message already.',
    ],
  };
}
