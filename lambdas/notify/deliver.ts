import * as z from 'zod';
import { type Condition, ServiceError } from '../catalogue/http/service-error.ts';
import type { ChannelContext, ChannelMemory, Outgoing } from '../channels/channel.ts';
import {
  type Channel,
  type ChannelKind,
  type ChannelOf,
  channelId,
  channelKinds,
  settingsOf,
} from '../channels/channel-settings.ts';
import { channelType } from '../channels/channels.ts';
import { type Clock, MINUTE_MS } from '../run/clock.ts';
import type { Log } from '../run/log.ts';
import type { ItemStore } from '../store/items.ts';
import { cleanLine } from '../words/clean-text.ts';
import { asMadeUp, sentAgain } from '../words/notice.ts';
import { phraseText } from '../words/phrase.ts';
import { type ComposedMessage, type ComposeOptions, composeMessage } from './compose-message.ts';
import { type Delivery, type DeliveryContent, itemValue } from './delivery.ts';
import type { Recipient } from './outbox.ts';
import type { NotifyPlan } from './subscription.ts';

/** What sending one message may use. */
export interface SendOptions {
  readonly memory: ChannelMemory;
  /** Aborted when the delivery has no time left, or the process stops. */
  readonly signal: AbortSignal;
}

/** Sends to one kind of channel. */
export interface Sender {
  /** The least time between two messages to one receiver, in milliseconds. */
  readonly pauseMs: number;
  /**
   * Returns what the receiver answered, once it has the message.
   *
   * @throws {Error} when it did not take it; the error shows no address that is a secret
   */
  send(message: Outgoing, channel: Channel, options: SendOptions): Promise<string>;
}

/** The sender of each kind of channel. */
export type Senders = Readonly<Record<ChannelKind, Sender>>;

/** Senders for every kind of channel, with what this place provides to them. */
export const openSenders = (context: ChannelContext): Senders =>
  Object.fromEntries(channelKinds.map((kind) => [kind, senderOf(kind, context)])) as Senders;

function senderOf<Kind extends ChannelKind>(kind: Kind, context: ChannelContext): Sender {
  const { pauseMs, send } = channelType(kind);
  return {
    pauseMs,
    send: (message, channel, options) =>
      send(message, { channel: channel as ChannelOf<Kind>, context, ...options }),
  };
}

/** A message that failed for a day. Moving it back to the queue sends it again. */
export const letterSchema = z.lazy(() =>
  z.object({
    deadLetter: z.object({
      delivery: z.string(),
      subscription: z.string(),
      channel: z.string(),
      /** Why the last attempt failed. */
      reason: z.string(),
    }),
  }),
);
export type DeadLetter = z.output<typeof letterSchema>;

class DeliveryTimeoutError extends Error {
  override readonly name = 'DeliveryTimeoutError';
  readonly code = 'DELIVERY_TIMED_OUT';

  constructor(milliseconds: number, options: ErrorOptions) {
    super(
      `Sending the message: the receiver had not taken it after ${milliseconds / 1000} seconds. The message is tried again later; where this lasts, look at the receiver's own status.`,
      options,
    );
  }
}

/**
 * What the work gives, or the signal's reason as soon as the signal is aborted, also where the work does not end then.
 * @throws the reason of the signal
 */
function untilAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const end = (): void => reject(signal.reason);
    if (signal.aborted) end();
    signal.addEventListener('abort', end, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', end));
  });
}

/** What deliveries need. */
export interface DeliverOptions extends ComposeOptions {
  readonly plan: NotifyPlan;
  readonly senders: Senders;
  readonly clock: Clock;
  readonly log: Log;
  /** The events come from a sandbox: each message says that no gene changed. */
  readonly madeUp?: boolean;
  /** When the outbox was restored from a backup, in milliseconds since the epoch; null where it was not. */
  readonly restoredAt: () => Promise<number | null>;
  /** Keeps a letter for a person to see. */
  readonly keepDeadLetter: (letter: DeadLetter) => Promise<void>;
  /** Aborted after this many milliseconds; real time by default, because sockets take real time. */
  readonly timeLimit?: (milliseconds: number) => AbortSignal;
}

/** What became of a delivery: `nothing` where its events left nothing to send. */
export type DeliveryOutcome = 'sent' | 'failed' | 'set-aside' | 'nothing' | 'stopped';

interface Delivered {
  readonly outcome: DeliveryOutcome;
  /** Whether the attempt used up its time: the channel rests for the rest of the run. */
  readonly timedOut: boolean;
  /** Ids of events that gave nothing to send, because their rating changed back. */
  readonly changedBack: readonly string[];
}

/** The longest that one attempt may take, from the first byte to the last, in milliseconds. */
export const DELIVERY_MS = 20_000;

/** How long a message is tried before it is set aside, in milliseconds. */
const TRIED_FOR = 24 * 60 * MINUTE_MS;
/** How long a message that is set aside rests before it is tried once more, in milliseconds. */
const PROBED_EVERY = 12 * 60 * MINUTE_MS;
/** The longest time between two attempts, in milliseconds. */
const LONGEST_BACKOFF = 180 * MINUTE_MS;

/** Makes the function that sends deliveries: one attempt a call, with the pause that each receiver needs. */
export function createDeliver(
  options: DeliverOptions,
): (recipient: Recipient, delivery: Delivery, stop: AbortSignal) => Promise<Delivered> {
  const { senders, clock, log, restoredAt, madeUp = false, timeLimit = AbortSignal.timeout } = options;
  /** When each channel got its last message, in milliseconds since the epoch. */
  const lastSent = new Map<string, number>();

  async function deliver(recipient: Recipient, delivery: Delivery, stop: AbortSignal): Promise<Delivered> {
    let composed: ComposedMessage | null;
    let answer = '';
    let changedBack: readonly string[];
    try {
      const { message, changedBack: events } = await composeMessage(recipient, delivery, options);
      composed = message;
      changedBack = events.map(({ id }) => id);
      if (changedBack.length > 0) log.info('Ratings that changed back give no message', { changedBack });
      if (composed) answer = await send(composed, recipient, { delivery, stop });
    } catch (error) {
      // The delivery stays as one that may have arrived; the next start tries it again.
      if (stop.aborted) return { outcome: 'stopped', timedOut: false, changedBack: [] };
      const outcome = await keepFailed(recipient, delivery, { ...options, error });
      return { outcome, timedOut: isTimeout(error), changedBack: [] };
    }
    // The channel did not cause a failure from here on. The delivery stays marked as one that may have arrived.
    const headline = composed && cleanLine(phraseText(composed.notice.headline));
    await recipient.outbox.finish(delivery, headline === null ? undefined : { headline, answer });
    if (!composed) return { outcome: 'nothing', timedOut: false, changedBack };
    log.info('A message was sent', factsOf(recipient, delivery));
    return { outcome: 'sent', timedOut: false, changedBack };
  }

  async function send(
    { notice: composed, event }: ComposedMessage,
    { subscription, channel, outbox, memory }: Recipient,
    { delivery, stop }: { readonly delivery: Delivery; readonly stop: AbortSignal },
  ): Promise<string> {
    const sender = senders[channel.kind];
    await pause(channel, sender.pauseMs, stop);
    const again = delivery.trying && !channelType(channel.kind).dropsRepeats;
    const { repeated } = delivery;
    await outbox.update({ ...delivery, trying: true });
    const restored = again ? null : await restoredAt();
    const mayRepeat =
      restored !== null &&
      mayHaveBeenSent(
        delivery.content,
        (await outbox.events(delivery)).map(({ time }) => time),
        restored,
      );
    const why = repeated !== undefined ? 'asked for' : again ? 'cut off' : mayRepeat ? 'restored' : null;
    const notice = why === null ? composed : sentAgain(composed, why);
    const message = {
      // A program knows by the id what it has; a mail program would hide what was asked for.
      id:
        repeated === undefined || settingsOf(channel.kind).takes === 'events'
          ? delivery.id
          : `${delivery.id}-${repeated}`,
      subscription: subscription.name,
      notice: madeUp ? asMadeUp(notice) : notice,
      event,
      at: new Date(delivery.begun).toISOString(),
    };
    const limit = timeLimit(DELIVERY_MS);
    const signal = AbortSignal.any([limit, stop]);
    try {
      return await untilAborted(sender.send(message, channel, { memory, signal }), signal);
    } catch (error) {
      stop.throwIfAborted();
      throw limit.aborted ? new DeliveryTimeoutError(DELIVERY_MS, { cause: error }) : error;
    }
  }

  /** Waits until a receiver may get its next message. */
  async function pause(channel: Channel, pauseMs: number, stop: AbortSignal): Promise<void> {
    const receiver = channelId(channel);
    const wait = (lastSent.get(receiver) ?? Number.NEGATIVE_INFINITY) + pauseMs - clock.now();
    if (wait > 0) await clock.sleep(wait, stop);
    lastSent.set(receiver, clock.now());
  }

  return deliver;
}

/** Keeps a failed delivery for a later attempt, or sets it aside after a day. */
async function keepFailed(
  recipient: Recipient,
  delivery: Delivery,
  { clock, log, keepDeadLetter, error }: DeliverOptions & { readonly error: unknown },
): Promise<'failed' | 'set-aside'> {
  const { place, outbox } = recipient;
  const attempts = delivery.attempts + 1;
  const trying = delivery.trying || mayHaveArrived(error);
  const reason = cleanLine(error instanceof Error ? error.message : String(error), 1_000);
  const failed = { at: clock.now(), reason };
  log.warn('A message could not be sent', { ...factsOf(recipient, delivery), attempts, error });
  const probed = delivery.aside === 'probed';
  const since = delivery.repeated ?? delivery.begun;
  if (probed || clock.now() - since >= TRIED_FOR) {
    // A letter for each message, not for each time that it is set aside again.
    if (!probed) await keepDeadLetter({ deadLetter: { delivery: delivery.id, ...place, reason } });
    const notBefore = clock.now() + PROBED_EVERY;
    await outbox.setAside({ ...delivery, attempts, trying, failed, notBefore });
    return 'set-aside';
  }
  const requested = error instanceof ServiceError ? (error.notBefore ?? 0) : 0;
  const wait = Math.min(LONGEST_BACKOFF, MINUTE_MS * 2 ** (attempts - 1));
  const notBefore = Math.max(requested, Math.min(clock.now() + wait, since + TRIED_FOR));
  await outbox.update({ ...delivery, attempts, notBefore, trying, failed });
  return 'failed';
}

/** Names the events of a message, so that a person who looks for one finds it in the log. */
const factsOf = ({ subscription, channel }: Recipient, { id, content }: Delivery) => ({
  subscription: subscription.name,
  channel: channel.kind,
  delivery: id,
  ...(content.kind === 'events' && { events: content.events.slice(0, 20) }),
  ...(content.kind === 'digest' && { period: content.period }),
  ...(content.kind === 'alarm' && { alarm: content.alarm.alarm }),
});

/** Whether the receiver may have taken a message although the attempt failed: no response said that it did not. */
function mayHaveArrived(error: unknown): boolean {
  if (error instanceof DeliveryTimeoutError) return true;
  if (error instanceof ServiceError) return error.status === null && unanswered.has(error.condition);
  const { $metadata } = (error ?? {}) as { readonly $metadata?: { readonly httpStatusCode?: number } };
  return $metadata !== undefined && $metadata.httpStatusCode === undefined;
}

const unanswered: ReadonlySet<Condition> = new Set(['CONNECTION_LOST', 'TIMED_OUT', 'TRUNCATED', 'DEADLINE']);

const isTimeout = (error: unknown): boolean =>
  error instanceof DeliveryTimeoutError || (error instanceof ServiceError && error.condition === 'TIMED_OUT');

const PLACE = { partition: 'notify#place', id: 'place' } as const;
const RESTORED = { partition: 'notify#place', id: 'restored' } as const;

/** Days after a restore for which messages about what is older say that they may come again. */
const SAID_DAYS = 30;

/**
 * What is known of restores in a store.
 * @param place names the table; null where the state of the file knows of a restore itself
 */
export function createRestoration(
  store: ItemStore,
  { place, now }: { readonly place: string | null; readonly now: () => number },
) {
  let noted = false;

  async function note(): Promise<void> {
    const expires = Math.floor(now() / 1000) + SAID_DAYS * 86_400;
    const item = { ...RESTORED, expires, value: { at: now() } };
    const before = await store.get(RESTORED.partition, RESTORED.id);
    if (before) await store.replace({ ...before, ...item });
    else await store.create(item);
  }

  return {
    /** Notes a restore that was found elsewhere: in the state of the same file. */
    note,
    /** Notes the place, once a process; where another one is noted already, the outbox was restored or copied. */
    async notePlace() {
      if (noted || place === null) return;
      const before = await store.get(PLACE.partition, PLACE.id);
      if (!before) await store.create({ ...PLACE, value: { place } });
      else if (itemValue(before, 'place').place !== place) {
        // Noted first: a run that dies between notes it again.
        await note();
        await store.replace({ ...before, value: { place } });
      }
      noted = true;
    },
    /** When the last restore was noticed, in milliseconds since the epoch; null where none was, or long ago. */
    async at() {
      const item = await store.get(RESTORED.partition, RESTORED.id);
      return item ? itemValue(item, 'digest').at : null;
    },
  };
}

/**
 * Whether a message may have been sent before what the outbox keeps was restored.
 * @param times when the events of the message came about, as ISO 8601
 * @param restoredAt milliseconds since the epoch
 */
function mayHaveBeenSent(
  content: DeliveryContent,
  times: readonly (string | undefined)[],
  restoredAt: number,
): boolean {
  const isBefore = (time: string | undefined): boolean => time !== undefined && Date.parse(time) < restoredAt;
  switch (content.kind) {
    case 'events':
      return times.some(isBefore);
    case 'digest':
      return isBefore(content.period.until);
    case 'alarm':
      return isBefore(content.alarm.at);
    default:
      return content satisfies never;
  }
}
