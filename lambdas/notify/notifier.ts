import { channelId, settingsOf } from '../channels/channel-settings.ts';
import type { PanelEvent } from '../events/schemas.ts';
import type { AlarmChange } from '../messages/alarm.ts';
import type { NameBook } from '../names/names.ts';
import { type Backlog, backlogOf } from './backlog.ts';
import { beginDeliveries } from './begin-deliveries.ts';
import type { DeadLetter } from './dead-letter.ts';
import { createDeliver, type DeliverOptions } from './deliver.ts';
import { dueWork } from './due-work.ts';
import { createKeptMessages, type KeptMessages } from './kept-messages.ts';
import { oldestUnsentSeconds } from './oldest-unsent.ts';
import type { OutboxStore } from './outbox-store.ts';
import type { Recipient } from './recipient.ts';
import { createRegister, recipientsOf } from './recipients.ts';
import { createRestoration } from './restoration.ts';
import { OPERATIONS } from './subscription.ts';
import { interestsOf } from './wanted-events.ts';

interface NotifierOptions extends Omit<DeliverOptions, 'restoredAt'> {
  readonly store: OutboxStore;
  /** Names the table that the store is in: another name shows that it was restored. Absent on one machine. */
  readonly place?: string;
  /** Names this run, so that only one sends at a time. */
  readonly runId: string;
  /** The names that panels and entities have and had; without them a filter compares those that an event has. */
  readonly names?: () => Promise<NameBook>;
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

/** Turns events into messages and brings them to their channels. */
export interface Notifier {
  /** Takes an event in for every subscription that wants it; a repeat changes nothing. */
  receive(event: PanelEvent): Promise<void>;
  /** Takes in a change of an alarm of the notifier. An end gives a message only where its beginning gave one. */
  receiveAlarm(change: AlarmChange): Promise<void>;
  /** Begins a delivery that was set aside anew; false where it is unknown. */
  retry(letter: DeadLetter): Promise<boolean>;
  /** Begins all deliveries that were set aside anew; returns their number. */
  retryAll(): Promise<number>;
  /** What is not sent yet. */
  backlog(): Promise<Backlog>;
  /** How long the oldest message that is due has waited, in seconds; 0 where none is due. */
  oldestUnsentSeconds(): Promise<number>;
  /** Events that are part of no message yet: the most of any channel. */
  waiting(): Promise<number>;
  /** What is kept and not sent, for a person who decides. */
  readonly kept: KeptMessages;
  /** Sends all that is due. Channels are served side by side; one that takes too long rests for the run. */
  run(options?: RunOptions): Promise<RunReport>;
}

/** How long a run without a deadline may keep others from sending to a recipient, in milliseconds. */
const LEASE = 3 * 60_000;
/** A run with a deadline is over by then; its lease lasts a little longer, in milliseconds. */
const LEASE_MARGIN = 5_000;
/** The time that is kept for one attempt before the deadline, in milliseconds. */
const ATTEMPT = 25_000;

/** The notifier of one plan. What is still to be sent is in the store, so that any run may go on with it. */
export function createNotifier(options: NotifierOptions): Notifier {
  const { plan, store, clock, log, runId } = options;
  const now = (): number => clock.now();
  const place = { store, now };
  const subscribers = plan.subscriptions.map((subscription) => recipientsOf(subscription, place));
  const interests = interestsOf(plan.subscriptions, options.names);
  const operators = recipientsOf(
    {
      name: OPERATIONS,
      filter: {},
      zone: plan.operations.zone,
      when: { kind: 'at-once', settleMinutes: 0 },
      channels: plan.operations.channels,
    },
    place,
  );
  const recipients = [...subscribers.flat(), ...operators];
  const register = createRegister(recipients, { store, now, log });
  const restoration = createRestoration(store, { place: options.place ?? null, now });
  const deliver = createDeliver({ ...options, restoredAt: restoration.at });
  const kept = createKeptMessages({ recipients, register, now });

  /** Serves one recipient after the other, until an attempt times out. */
  async function serve(
    group: readonly Recipient[],
    counts: Counts,
    limits: Required<RunOptions>,
  ): Promise<void> {
    let rests = false;
    for (const recipient of group) {
      if (limits.signal.aborted) return;
      try {
        rests = (await serveOne(recipient, { counts, limits, rests })) || rests;
      } catch (error) {
        // The other channels still get their messages.
        log.error('The messages of a channel could not be handled', {
          subscription: recipient.subscription.name,
          channel: recipient.channel.kind,
          error,
        });
        counts.errors.push(error);
      }
    }
  }

  /** Returns whether the receiver took too long, and rests. */
  async function serveOne(recipient: Recipient, { counts, limits, rests }: Serving): Promise<boolean> {
    const { outbox } = recipient;
    const { deadline, signal } = limits;
    const { isDue, unsent } = await dueWork(recipient, clock);
    if (!isDue) {
      counts.unsent += unsent;
      return false;
    }
    const until = Number.isFinite(deadline) ? deadline + LEASE_MARGIN : now() + LEASE;
    if (!(await outbox.lease(runId, until, now()))) return false;
    let timedOut = rests;
    let works = false;
    try {
      // Completes what an earlier run began: its events wait for no other message.
      await outbox.deliveries();
      await beginDeliveries(recipient, { clock, statesOf: options.statesOf });
      await probe(recipient);
      for (const delivery of await outbox.deliveries()) {
        const wasTried = delivery.attempts > 0 || delivery.probing === true;
        const isTime = delivery.notBefore <= now() && now() + ATTEMPT <= deadline;
        if (!isTime || timedOut || signal.aborted) {
          if (wasTried) counts.unsent += 1;
          continue;
        }
        const { outcome, timedOut: late, changedBack } = await deliver(recipient, delivery, signal);
        counts[outcome] += 1;
        counts.changedBack.push(...changedBack);
        timedOut ||= late;
        works ||= outcome === 'sent';
        if (outcome === 'failed') counts.unsent += 1;
      }
      const aside = await outbox.aside();
      // A channel that works again gets what was set aside at the next run.
      if (works) for (const { id } of aside) await outbox.retry(id, { at: now(), probing: true });
      counts.unsent += aside.length;
    } finally {
      await outbox.release(runId);
    }
    return timedOut;
  }

  /** Tries one message of those that are set aside, at long intervals. */
  async function probe({ outbox }: Recipient): Promise<void> {
    const due = (await outbox.aside()).find(({ notBefore }) => notBefore <= now());
    if (due) await outbox.retry(due.id, { at: now(), probing: true });
  }

  return {
    kept,
    async receive(event) {
      await register.note();
      for (const [index, interest] of (await interests(event)).entries()) {
        for (const { outbox } of subscribers[index] ?? []) {
          if (interest === 'wanted') await outbox.add(event, now());
          if (interest === 'kept') await outbox.keepRating(event);
        }
      }
    },
    async receiveAlarm(alarm) {
      await register.note();
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
    retry: ({ deadLetter: { delivery } }) => kept.send(delivery),
    async retryAll() {
      let begun = 0;
      for (const { outbox } of recipients) {
        for (const { id } of await outbox.aside())
          begun += Number(await outbox.retry(id, { at: now(), probing: false }));
      }
      return begun;
    },
    backlog: async () => backlogOf(recipients, await register.orphans()),
    oldestUnsentSeconds: async () => oldestUnsentSeconds(recipients, await register.orphans(), clock),
    async waiting() {
      const counts = recipients.map(async ({ outbox }) => (await outbox.waiting()).length);
      return Math.max(0, ...(await Promise.all(counts)));
    },
    async run({ deadline = Number.POSITIVE_INFINITY, signal = new AbortController().signal } = {}) {
      const counts: Counts = {
        ...{ sent: 0, failed: 0, 'set-aside': 0, nothing: 0, stopped: 0 },
        ...{ changedBack: [], unsent: 0, errors: [] },
      };
      await restoration.notePlace();
      await register.report();
      const groups = Map.groupBy(recipients, receiverOf);
      await Promise.all([...groups.values()].map((group) => serve(group, counts, { deadline, signal })));
      const { sent, failed, changedBack, unsent, errors } = counts;
      if (errors.length > 0) throw errors[0];
      return {
        ...{ sent, failed, setAside: counts['set-aside'], changedBack },
        unsent,
      };
    },
  };
}

interface Counts {
  sent: number;
  failed: number;
  'set-aside': number;
  nothing: number;
  stopped: number;
  readonly changedBack: string[];
  /** Messages that were tried and are not sent. */
  unsent: number;
  readonly errors: unknown[];
}

interface Serving {
  readonly counts: Counts;
  readonly limits: Required<RunOptions>;
  /** The receiver took too long in this run already. */
  readonly rests: boolean;
}

/** Recipients of one receiver are served one after the other: they share its pace, and its failures. */
const receiverOf = ({ channel }: Recipient): string =>
  settingsOf(channel.kind).needs.relay ? 'relay' : channelId(channel);
