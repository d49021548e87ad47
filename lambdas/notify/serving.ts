import { channelId, settingsOf } from '../channels/channel-settings.ts';
import { beginDeliveries, lastDue } from './begin-deliveries.ts';
import { createDeliver, type DeliverOptions } from './deliver.ts';
import { type Delivery, stateOf } from './delivery.ts';
import type { Recipient } from './recipients.ts';

/** What serving uses of the notifier. */
export interface ServeOptions extends DeliverOptions {
  /** Names this run, so that only one sends at a time. */
  readonly runId: string;
}

/** What a run did. */
export interface RunReport {
  readonly sent: number;
  readonly failed: number;
  readonly setAside: number;
  /** Messages that were tried and are not sent: those that fail, and those that are set aside. */
  readonly unsent: number;
  /** Ids of events that gave nothing to send, because their rating changed back. */
  readonly changedBack: readonly string[];
}

/** How long a run may last. */
export interface RunOptions {
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
export function createServing(
  recipients: readonly Recipient[],
  options: ServeOptions,
): (run?: RunOptions) => Promise<RunReport> {
  const deliver = createDeliver(options);
  const groups = [...Map.groupBy(recipients, receiverOf).values()];
  return async ({ deadline = Number.POSITIVE_INFINITY, signal = new AbortController().signal } = {}) => {
    const counts: Counts = {
      ...{ sent: 0, failed: 0, 'set-aside': 0, nothing: 0, stopped: 0 },
      ...{ changedBack: [], unsent: 0, errors: [] },
    };
    const serving = { options, deliver, counts, deadline, signal };
    await Promise.all(groups.map((group) => serve(group, serving)));
    const { sent, failed, changedBack, unsent, errors } = counts;
    if (errors.length > 0) throw errors[0];
    return { sent, failed, setAside: counts['set-aside'], changedBack, unsent };
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
      counts[outcome] += 1;
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

/** Whether it was tried and is not sent. */
const isUnsent = (delivery: Delivery): boolean => stateOf(delivery) !== 'waiting';

/** Whether a run has something to begin. */
async function hasChanges(
  { subscription: { when, zone }, outbox }: Recipient,
  now: number,
): Promise<boolean> {
  if ((await outbox.waiting()).length > 0) return true;
  if (when.kind !== 'digest') return false;
  const last = await outbox.lastDigest();
  return last === null || last < lastDue(when, zone, now);
}
