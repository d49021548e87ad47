import type { Outgoing } from '../channels/channel.ts';
import { type Channel, channelKinds } from '../channels/channel-settings.ts';
import type { PanelEvent } from '../events/schemas.ts';
import { compileFilter, type Filter } from '../filters/filter.ts';
import { createNameBook, type Names } from '../filters/names.ts';
import { type Clock, HOUR_MS, MINUTE_MS } from '../run/clock.ts';
import { silentLog } from '../run/log.ts';
import { enumerate } from '../run/text.ts';
import { memoryItems } from '../store/items.ts';
import { BUNDLE_MINUTES } from './begin-deliveries.ts';
import { type ReasonNotToSend, reasonNotToTake } from './changes-since.ts';
import type { ComposeOptions } from './compose-message.ts';
import type { Sender, Senders } from './deliver.ts';
import { createNotifier } from './notifier.ts';
import type { ReaderHelp, Subscription } from './subscription.ts';

/** A message that would have been sent. */
export interface DryRunMessage extends Outgoing {
  readonly channel: Channel;
  /** When it would have been sent, in milliseconds since the epoch. */
  readonly sentAt: number;
}

const CHANGED_BACK =
  'a rating that changed back or went on to one outside the filter, or an entity that was removed';
/**
 * What a subscription would have sent of past events (oldest first). It runs the code that sends, with a clock that goes
 * through the period, and with channels that only keep their messages.
 *
 * @param until the end of the period, in milliseconds since the epoch
 */
export async function dryRun(
  subscription: Subscription,
  events: readonly PanelEvent[],
  {
    since,
    until,
    history,
    names = async () => createNameBook(),
    help = {},
    statesOf = () => null,
  }: Pick<ComposeOptions, 'history' | 'names'> & {
    readonly since: number;
    readonly until: number;
    readonly statesOf?: ComposeOptions['statesOf'] | undefined;
    /** What the settings say at the end of each message. */
    readonly help?: ReaderHelp;
  },
) {
  const messages: DryRunMessage[] = [];
  let now = since;
  const clock: Clock = {
    now: () => now,
    random: () => 0.5,
    sleep: async () => {},
  };
  const sender: Sender = {
    pauseMs: 0,
    send: async (message, channel) => String(messages.push({ ...message, channel, sentAt: now })),
  };
  const senders = Object.fromEntries(channelKinds.map((kind) => [kind, sender])) as Senders;
  const unsent = new Map<string, number>();
  const count = (reason: string, times = 1): void => {
    if (times > 0) unsent.set(reason, (unsent.get(reason) ?? 0) + times);
  };
  const changedBack = new Set<string>();
  const sendDue = async (): Promise<void> => {
    for (const id of (await notifier.run()).changedBack) changedBack.add(id);
  };
  const plan = {
    prefix: 'dry-run',
    catalogues: [...new Set(events.map(({ data }) => data.catalogue))],
    subscriptions: [subscription],
    operations: { zone: 'UTC', channels: [] },
    help,
  };
  const notifier = createNotifier({
    plan,
    store: memoryItems(clock.now),
    senders,
    history,
    clock,
    log: silentLog,
    runId: 'dry-run',
    names,
    statesOf,
    keepDeadLetter: async () => {},
  });

  const known = await names();
  const unwanted = reasonNotToTake(subscription, known);
  const wanted = events.filter((event) => {
    const reason = unwanted(event);
    if (reason !== null) count(reasonWords(reason, event, { filter: subscription.filter, names: known }));
    return reason === null;
  });
  // The first run notes where the first digest begins.
  await sendDue();
  for (const { at, event } of timeline(subscription, wanted, { since, until })) {
    now = Math.max(now, at);
    if (event) await notifier.receive(event);
    else await sendDue();
  }
  count(CHANGED_BACK, changedBack.size);
  count(
    subscription.when.kind === 'digest'
      ? 'in the next digest'
      : `too new: changes of the panel are still being collected (settleMinutes: ${subscription.when.settleMinutes})`,
    await notifier.waiting(),
  );
  return {
    messages,
    /** How many events gave no message, by reason. */
    unsent,
    events: events.length,
  };
}

interface Moment {
  readonly at: number;
  /** Absent where what is due is sent. */
  readonly event?: PanelEvent;
}

function timeline(
  { when }: Subscription,
  events: readonly PanelEvent[],
  { since, until }: { readonly since: number; readonly until: number },
): readonly Moment[] {
  const arrivals = events.map((event): Moment & { event: PanelEvent } => ({
    at: Math.max(since, Date.parse(event.time ?? '') || since),
    event,
  }));
  const runs: Moment[] =
    when.kind === 'digest'
      ? Array.from({ length: Math.ceil((until - since) / HOUR_MS) }, (_, hour) => ({
          at: Math.ceil(since / HOUR_MS) * HOUR_MS + hour * HOUR_MS,
        }))
      : arrivals.flatMap(({ at }) =>
          [0, when.settleMinutes, BUNDLE_MINUTES].map((minutes) => ({ at: at + minutes * MINUTE_MS + 1 })),
        );
  return [...arrivals, ...runs].filter(({ at }) => at <= until).sort((one, other) => one.at - other.at);
}

function reasonWords(
  reason: NonNullable<ReasonNotToSend>,
  event: PanelEvent,
  { filter, names }: { readonly filter: Filter; readonly names: Names },
): string {
  if (reason === 'unchanged') return 'a rating that was only confirmed';
  if (reason === 'review') return 'reviews and comments';
  if (reason === 'disagreement') return 'disagreements of catalogues';
  const failing = Object.entries(filter).filter(
    ([key, value]) => !compileFilter({ [key]: value } as Filter, names)(event),
  );
  return `the filter: ${enumerate(failing.map(([key]) => key))}`;
}
