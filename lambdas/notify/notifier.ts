import * as z from 'zod';
import { channelId, settingsOf } from '../channels/channel-settings.ts';
import { eventSchema, kindOf, type PanelEvent } from '../events/schemas.ts';
import type { Log } from '../run/log.ts';
import type { ItemStore } from '../store/items.ts';
import { type AlarmChange, readAlarm } from '../words/notice-of-alarm.ts';
import { beginDeliveries, lastDue } from './begin-deliveries.ts';
import { interestsOf } from './changes-since.ts';
import {
  createDeliver,
  createRestoration,
  type DeliverOptions,
  type DeliveryOutcome,
  letterSchema,
} from './deliver.ts';
import { type Delivery, stateOf } from './delivery.ts';
import { createKeptMessages } from './kept-messages.ts';
import { operationsOf, type Recipient, recipientsOf } from './outbox.ts';
import type { NotifyPlan } from './subscription.ts';

interface NotifierOptions extends Omit<ServeOptions, 'restoredAt'> {
  readonly store: ItemStore;
  /** Names the table that the store is in: another name shows that it was restored. Absent on one machine. */
  readonly place?: string;
}

/** Turns events into messages and brings them to their channels. */
export type Notifier = ReturnType<typeof createNotifier>;

/** The notifier of one plan. What is still to be sent is in the store, so that any run may go on with it. */
export function createNotifier(options: NotifierOptions) {
  const { plan, store, clock, log } = options;
  const now = (): number => clock.now();
  const place = { store, now, log };
  const subscribers = plan.subscriptions.map((subscription) => recipientsOf(subscription, place));
  const interests = interestsOf(plan.subscriptions, options.names);
  const operators = recipientsOf(operationsOf(plan), place);
  const recipients = [...subscribers.flat(), ...operators];
  const restoration = createRestoration(store, { place: options.place ?? null, now });
  const serve = createServing(recipients, { ...options, restoredAt: restoration.at });
  const kept = createKeptMessages(recipients, place);

  return {
    /** What is kept and not sent, for a person who decides. */
    kept,
    /**
     * Takes an event in for every subscription that wants it; a repeat changes nothing.
     * @param isAsked whether the subscription of a name is asked; all are where absent
     */
    async receive(event: PanelEvent, isAsked: (subscription: string) => boolean = () => true): Promise<void> {
      await kept.note();
      for (const [index, interest] of (await interests(event)).entries()) {
        for (const { outbox, subscription } of subscribers[index] ?? []) {
          if (!isAsked(subscription.name)) continue;
          if (interest === 'wanted') await outbox.add(event, now());
          if (interest === 'kept') await outbox.keepRating(event);
        }
      }
    },
    /** Takes in a change of an alarm of the notifier. An end gives a message only where its beginning gave one. */
    async receiveAlarm(alarm: AlarmChange): Promise<void> {
      await kept.note();
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
    /** Begins all deliveries that were set aside anew; returns their number. */
    async retryAll(): Promise<number> {
      let begun = 0;
      for (const { outbox } of recipients) {
        for (const delivery of await outbox.deliveries()) {
          if (delivery.aside !== 'rests') continue;
          await outbox.retry(delivery, 'again');
          begun += 1;
        }
      }
      return begun;
    },
    backlog: kept.backlog,
    oldestUnsentSeconds: kept.oldestUnsentSeconds,
    /** Events that are part of no message yet: the most of any channel. */
    async waiting(): Promise<number> {
      const counts = recipients.map(async ({ outbox }) => (await outbox.waiting()).length);
      return Math.max(0, ...(await Promise.all(counts)));
    },
    /** Sends all that is due. Channels are served side by side; one that takes too long rests for the run. */
    async run(given?: RunOptions): Promise<RunReport> {
      await restoration.notePlace();
      await kept.report();
      return serve(given);
    },
  };
}

/** A batch of SQS messages, as Lambda gets it. */
export interface Batch {
  readonly Records: readonly { readonly messageId: string; readonly body: string }[];
}

/** The messages that stay in the queue. */
export type BatchResult = Awaited<ReturnType<typeof takeBatch>>;

const envelopeSchema = z.lazy(() =>
  z.looseObject({
    specversion: z.literal('1.0'),
    id: z.string(),
    type: z.string().refine((type) => kindOf(type) !== undefined),
    data: z.looseObject({}),
  }),
);

interface TakeOptions {
  readonly notifier: Notifier;
  readonly plan: NotifyPlan;
  readonly log: Log;
}

/** Takes in the messages one by one. One that fails stays in the queue; the others are not delivered again. */
export async function takeBatch({ Records }: Batch, { notifier, plan, log }: TakeOptions) {
  const failures: { itemIdentifier: string }[] = [];
  for (const { messageId, body } of Records) {
    try {
      await take(body, { notifier, plan, log });
    } catch (error) {
      log.error('A message of the queue could not be taken in; it stays there', { messageId, error });
      failures.push({ itemIdentifier: messageId });
    }
  }
  return { batchItemFailures: failures };
}

class UnknownMessageError extends Error {
  override readonly name = 'UnknownMessageError';
  readonly code = 'MESSAGE_UNKNOWN';
}

/** The event, checked whole: one that its message could not be made of would hold up the others of its panel. */
function wholeEvent(value: z.infer<typeof envelopeSchema>): PanelEvent {
  const kind = kindOf(value.type);
  const { error } = kind === undefined ? {} : eventSchema(kind).safeParse(value);
  if (!error) return value as object as PanelEvent;
  const [issue] = error.issues;
  throw new UnknownMessageError(
    `Taking in the event ${value.id.slice(0, 100)} of the type ${value.type}: ${issue?.path.join('.') || 'it'} does not match its schema (${issue?.message.slice(0, 200) ?? ''}). Look at it in the queue of unsent messages; no other event waits for it.`,
  );
}

async function take(body: string, { notifier, plan, log }: TakeOptions): Promise<void> {
  const message: unknown = JSON.parse(body);
  const envelope = envelopeSchema.safeParse(message);
  if (envelope.success) return notifier.receive(wholeEvent(envelope.data));
  const letter = letterSchema.safeParse(message);
  if (letter.success) {
    const { deadLetter } = letter.data;
    if (!(await notifier.kept.send(deadLetter.delivery))) {
      log.warn(
        'A dead letter names a message that is not kept here: it was sent or dropped, or its subscription is no longer in the settings. "messages list" shows what is kept',
        deadLetter,
      );
    }
    return;
  }
  const alarm = readAlarm(message, plan);
  if (alarm) return notifier.receiveAlarm(alarm);
  if (typeof message === 'object' && message !== null && 'AlarmName' in message) return;
  throw new UnknownMessageError(
    'Taking in a message of the queue: it is neither an event, an alarm nor a letter that was set aside. Look at it in the queue of unsent messages.',
  );
}

interface ServeOptions extends DeliverOptions {
  /** Names this run, so that only one sends at a time. */
  readonly runId: string;
}

interface RunReport {
  readonly sent: number;
  readonly failed: number;
  readonly setAside: number;
  /** Messages that were tried and are not sent: those that fail, and those that are set aside. */
  readonly unsent: number;
  /** Ids of events that gave nothing to send, because their rating changed back. */
  readonly changedBack: readonly string[];
}

interface RunOptions {
  /** No attempt begins that could go on after it; milliseconds since the epoch. */
  readonly deadline?: number;
  /** Ends the run at once. What is under way is tried again by the next run. */
  readonly signal?: AbortSignal;
}

/** How long a run without a deadline may keep others from sending to a recipient, in milliseconds. */
const LEASE = 3 * 60_000;
/** A run with a deadline is over by then; its lease lasts a little longer, in milliseconds. */
const LEASE_MARGIN = 5_000;
/** The time that is kept for one attempt before the deadline, in milliseconds. */
const ATTEMPT = 25_000;

/**
 * Makes the function that sends all that is due in a run; it keeps the pace of each channel from run to run. Recipients of
 * different receivers are served side by side. It throws the first error of a channel, once the others have their messages.
 */
function createServing(
  recipients: readonly Recipient[],
  options: ServeOptions,
): (run?: RunOptions) => Promise<RunReport> {
  const deliver = createDeliver(options);
  const groups = [...Map.groupBy(recipients, receiverOf).values()];
  return async ({ deadline = Number.POSITIVE_INFINITY, signal = new AbortController().signal } = {}) => {
    const counts: Counts = { outcomes: [], changedBack: [], unsent: 0, errors: [] };
    const serving = { options, deliver, counts, deadline, signal };
    await Promise.all(groups.map((group) => serve(group, serving)));
    const { outcomes, changedBack, unsent, errors } = counts;
    if (errors.length > 0) throw errors[0];
    const number = (of: DeliveryOutcome): number => outcomes.filter((outcome) => outcome === of).length;
    return {
      ...{ sent: number('sent'), failed: number('failed'), setAside: number('set-aside') },
      ...{ changedBack, unsent },
    };
  };
}

interface Counts {
  /** Of each attempt. */
  readonly outcomes: DeliveryOutcome[];
  readonly changedBack: string[];
  /** Messages that were tried and are not sent. */
  unsent: number;
  readonly errors: unknown[];
}

interface Serving extends Required<RunOptions> {
  readonly options: ServeOptions;
  readonly deliver: ReturnType<typeof createDeliver>;
  readonly counts: Counts;
}

/** Recipients of one receiver are served one after the other: they share its pace, and its failures. */
const receiverOf = ({ channel }: Recipient): string =>
  settingsOf(channel.kind).needs.relay ? 'relay' : channelId(channel);

/** Serves one recipient after the other, until an attempt times out. */
async function serve(group: readonly Recipient[], serving: Serving): Promise<void> {
  let rests = false;
  for (const recipient of group) {
    if (serving.signal.aborted) return;
    try {
      rests = (await serveOne(recipient, serving, rests)) || rests;
    } catch (error) {
      // The other channels still get their messages.
      serving.options.log.error('The messages of a channel could not be handled', {
        subscription: recipient.subscription.name,
        channel: recipient.channel.kind,
        error,
      });
      serving.counts.errors.push(error);
    }
  }
}

/** Returns whether the receiver took too long, and rests; `rests`: it took too long in this run already. */
async function serveOne(recipient: Recipient, serving: Serving, rests: boolean): Promise<boolean> {
  const { outbox } = recipient;
  const { options, deliver, counts, deadline, signal } = serving;
  const { clock, runId } = options;
  const now = (): number => clock.now();
  // It is seen without a lease: a run that finds nothing writes nothing.
  const open = await outbox.deliveries();
  if (!open.some(({ notBefore }) => notBefore <= now()) && !(await hasChanges(recipient, now()))) {
    counts.unsent += open.filter(isUnsent).length;
    return false;
  }
  const until = Number.isFinite(deadline) ? deadline + LEASE_MARGIN : now() + LEASE;
  if (!(await outbox.lease(runId, until))) return false;
  let timedOut = rests;
  let works = false;
  try {
    // Completes what an earlier run began: its events wait for no other message.
    const begun = await outbox.deliveries();
    await beginDeliveries(recipient, { clock, statesOf: options.statesOf });
    // One of those that are set aside is tried, at long intervals.
    const probed = begun.find(({ aside, notBefore }) => aside === 'rests' && notBefore <= now());
    if (probed) await outbox.retry(probed, 'probed');
    for (const delivery of await outbox.deliveries()) {
      const isTime = delivery.notBefore <= now() && now() + ATTEMPT <= deadline;
      if (delivery.aside === 'rests' || !isTime || timedOut || signal.aborted) continue;
      const { outcome, timedOut: late, changedBack } = await deliver(recipient, delivery, signal);
      counts.outcomes.push(outcome);
      counts.changedBack.push(...changedBack);
      timedOut ||= late;
      works ||= outcome === 'sent';
    }
    const left = await outbox.deliveries();
    counts.unsent += left.filter(isUnsent).length;
    // A channel that works again gets what was set aside at the next run.
    if (works) for (const each of left) if (each.aside === 'rests') await outbox.retry(each, 'probed');
  } finally {
    await outbox.release(runId);
  }
  return timedOut;
}

const isUnsent = (delivery: Delivery): boolean => stateOf(delivery) !== 'waiting';

async function hasChanges(
  { subscription: { when, zone }, outbox }: Recipient,
  now: number,
): Promise<boolean> {
  if ((await outbox.waiting()).length > 0) return true;
  if (when.kind !== 'digest') return false;
  const last = await outbox.lastDigest();
  return last === null || last < lastDue(when, zone, now);
}
