import type { Clock } from '../clock/clock.ts';
import { instantOf, parseInstant } from '../clock/instant.ts';
import type { PanelEvent } from '../events/schemas.ts';
import type { History } from '../history/history.ts';
import { type Condition, ServiceError } from '../http/service-error.ts';
import type { Log } from '../log/log.ts';
import type { AlarmChange } from '../messages/alarm.ts';
import { cleanLine } from '../messages/clean-text.ts';
import { asMadeUp } from '../messages/made-up.ts';
import type { Notice } from '../messages/notice.ts';
import { noticeOfAlarm } from '../messages/notice-of-alarm.ts';
import { noticeOfDigest } from '../messages/notice-of-digest.ts';
import { noticeOfPanel } from '../messages/notice-of-panel.ts';
import { withPrivacy } from '../messages/privacy.ts';
import { reasonOf } from '../messages/reason.ts';
import { timeWords } from '../messages/time-words.ts';
import { compileFilter } from '../subscriptions/filter.ts';
import { backgroundOf } from './background.ts';
import { lastDue } from './digest-times.ts';
import { createOutbox, type Delivery, type Outbox, type Waiting } from './outbox.ts';
import type { OutboxStore } from './outbox-store.ts';
import { ratingsOutsideFilter } from './ratings-outside-filter.ts';
import { reasonNotToSend } from './reason-not-to-send.ts';
import type { Senders } from './sender.ts';
import { settle } from './settle.ts';
import { type Channel, channelId, type NotifyPlan, OPERATIONS, type Subscription } from './subscription.ts';

/** What was set aside after a day of attempts. Moving it back to the queue sends it again. */
export interface DeadLetter {
  readonly deadLetter: {
    readonly delivery: string;
    readonly subscription: string;
    readonly channel: string;
    /** Why the last attempt failed. */
    readonly reason: string;
  };
}

interface NotifierOptions {
  readonly plan: NotifyPlan;
  readonly store: OutboxStore;
  readonly senders: Senders;
  /** What was published, for the rating before and for what happened since; null where none is kept. */
  readonly history: Pick<History, 'find'> | null;
  readonly clock: Clock;
  readonly log: Log;
  /** Names this run, so that only one sends at a time. */
  readonly runId: string;
  /** The events come from a sandbox: each message says that no gene changed. */
  readonly madeUp?: boolean;
  /** Keeps a letter for a person to see. */
  readonly keepDeadLetter: (letter: DeadLetter) => Promise<void>;
}

interface RunReport {
  readonly sent: number;
  readonly failed: number;
  readonly setAside: number;
}

/** Turns events into messages and brings them to their channels. */
export interface Notifier {
  /** Takes an event in for every subscription that wants it; a repeat changes nothing. */
  receive(event: PanelEvent): Promise<void>;
  /** Takes in a change of an alarm of the notifier. An end gives a message only where its beginning gave one. */
  receiveAlarm(change: AlarmChange): Promise<void>;
  /** Takes up what was set aside; false where it is unknown. */
  retry(letter: DeadLetter): Promise<boolean>;
  /** Takes up all that was set aside, and gives how many messages that is. */
  retryAll(): Promise<number>;
  /** Messages that are set aside, and those whose last attempt failed. */
  backlog(): Promise<{ readonly setAside: number; readonly failing: number }>;
  /** Events that no message has taken up yet: the most of any channel. */
  waiting(): Promise<number>;
  /** Sends all that is due, until the deadline (milliseconds since the epoch). */
  run(options?: { readonly deadline?: number }): Promise<RunReport>;
}

const MINUTE = 60_000;
/** A channel is tried for so long before its message is set aside. */
const TRIED_FOR = 24 * 60 * MINUTE;
const LONGEST_BACKOFF = 180 * MINUTE;
/** Longer than any run. */
const LEASE = 10 * MINUTE;
/** Events in one message. */
const LARGEST_MESSAGE = 1_000;
/** Before the deadline so much time is kept for one attempt. */
const ATTEMPT = 20_000;

interface Line {
  readonly subscription: Subscription;
  readonly channel: Channel;
  readonly outbox: Outbox;
}

/** The notifier of one plan. What is still to be sent is in the store, so that any run may go on with it. */
export function createNotifier(options: NotifierOptions): Notifier {
  const { plan, store, senders, history, clock, log, runId, keepDeadLetter, madeUp = false } = options;
  const now = (): number => clock.now();
  const operations: Subscription = {
    name: OPERATIONS,
    filter: {},
    zone: plan.operations.zone,
    when: { kind: 'at-once', settleMinutes: 0 },
    channels: plan.operations.channels,
  };
  const linesOf = (subscription: Subscription): readonly Line[] =>
    subscription.channels.map((channel) => ({
      subscription,
      channel,
      outbox: createOutbox(store, { subscription: subscription.name, channel: channelId(channel), now }),
    }));
  const subscribers = plan.subscriptions.map((subscription) => ({
    subscription,
    unwanted: reasonNotToSend(subscription.filter),
    follows: followedBy(subscription),
    lines: linesOf(subscription),
  }));
  const operators = linesOf(operations);
  const lines = [...subscribers.flatMap((subscriber) => subscriber.lines), ...operators];
  const lastSent = new Map<string, number>();

  async function beginDue({ subscription, channel, outbox }: Line): Promise<void> {
    const waiting = await outbox.waiting();
    if (subscription.when.kind === 'digest') return beginDigest(subscription, outbox, waiting);
    const { settleMinutes } = subscription.when;
    // A webhook feeds a program, which wants every event as it comes.
    if (channel.kind === 'webhook') {
      for (const { event } of waiting) await outbox.begin({ kind: 'events', events: [event.id] }, now());
      return;
    }
    for (const group of Map.groupBy(waiting, ({ event }) => panelKey(event)).values()) {
      const oldest = Math.min(...group.map(({ at }) => at));
      if (now() < oldest + settleMinutes * MINUTE) continue;
      for (let start = 0; start < group.length; start += LARGEST_MESSAGE) {
        const ids = sorted(group.slice(start, start + LARGEST_MESSAGE)).map(({ id }) => id);
        await outbox.begin({ kind: 'events', events: ids }, now());
      }
    }
  }

  async function beginDigest(
    { when, zone }: Subscription,
    outbox: Outbox,
    waiting: readonly Waiting[],
  ): Promise<void> {
    if (when.kind !== 'digest') return;
    const due = lastDue(when, zone, now());
    const last = await outbox.lastDigest();
    // The first period begins where the subscription does.
    const since = last ?? Math.min(due, ...waiting.map(({ at }) => at));
    if (last === null) await outbox.noteDigest(since);
    if (since >= due) return;
    if (when.ifNothing || waiting.some(({ at }) => at < due)) {
      const period = { since: new Date(since).toISOString(), until: new Date(due).toISOString() };
      await outbox.begin({ kind: 'digest', period }, now());
    }
    await outbox.noteDigest(due);
  }

  /** The message of a delivery; null where nothing remained to be sent. */
  async function compose(
    { subscription, channel, outbox }: Line,
    delivery: Delivery,
  ): Promise<Composed | null> {
    const { content } = delivery;
    const context = {
      times: timeWords(subscription.zone),
      now: new Date(now()).toISOString(),
      reason: reasonOf(subscription.name, subscription.filter, channel.privacy),
      namesCatalogue: plan.catalogues.length > 1 && subscription.filter.catalogues?.length !== 1,
    };
    if (content.kind === 'alarm') return { notice: noticeOfAlarm(content.alarm, context), event: null };
    const all = [...(await outbox.events(delivery))].sort(byTime);
    const shown = (event: PanelEvent): PanelEvent => withPrivacy(event, channel.privacy);
    if (content.kind === 'digest') {
      const others = await ratingsOutsideFilter(all, {
        filter: subscription.filter,
        until: content.period.until,
        history,
      });
      const events = [...all, ...others].sort(byTime).map(shown);
      const notice = noticeOfDigest(events, content.period, {
        ...context,
        subscription: subscription.name,
      });
      return { notice, event: null };
    }
    const [only] = all;
    if (channel.kind === 'webhook') {
      return only ? { notice: noticeOfPanel([shown(only)], context), event: shown(only) } : null;
    }
    const unwanted = reasonNotToSend(subscription.filter);
    // The same at every attempt, however late.
    const later = await ratingsSince(all, delivery.begun, outbox);
    const { events, changedBack } = settle(all, { later, wanted: (event) => unwanted(event) === null });
    if (changedBack.length > 0)
      log.info('Ratings that changed back give no message', { changedBack: changedBack.map(({ id }) => id) });
    const [first, ...others] = events;
    if (!first) return null;
    const background = others.length === 0 ? await backgroundOf(first, history, channel.privacy) : undefined;
    const notice = noticeOfPanel([shown(first), ...others.map(shown)], {
      ...context,
      ...(background && { background: () => background }),
    });
    return { notice, event: others.length === 0 ? shown(first) : null };
  }

  /** Changes of rating from the first of some events to when their delivery was begun. */
  async function ratingsSince(
    events: readonly PanelEvent[],
    begun: number,
    outbox: Outbox,
  ): Promise<readonly PanelEvent[]> {
    const first = events.find(({ type }) => type === 'gene-panel.entity.classified.v1');
    const since = parseInstant(first?.time);
    const id = first?.data.panel?.id ?? null;
    if (!first || since === null || id === null) return [];
    const last = new Date(begun).toISOString();
    const found = (await outbox.followed()).filter(({ time = '' }) => time <= last);
    if (!history) return found.sort(byTime);
    const filter = { panels: [id], types: ['entity.classified' as const] };
    const until = instantOf(begun) + 1n;
    const { catalogue } = first.data;
    for await (const event of history.find({
      catalogue,
      since,
      until,
      filter,
      order: 'oldest',
      limit: 5_000,
    })) {
      found.push(event);
    }
    return found.sort(byTime);
  }

  async function attempt(
    line: Line,
    delivery: Delivery,
  ): Promise<'sent' | 'failed' | 'set-aside' | 'nothing'> {
    const { subscription, channel, outbox } = line;
    const facts = { subscription: subscription.name, channel: channel.kind, delivery: delivery.id };
    let composed: Composed | null;
    try {
      composed = await compose(line, delivery);
      if (composed) await hand(composed, line, delivery);
    } catch (error) {
      return noteFailure(line, delivery, error);
    }
    // A failure from here on is none of the channel: the attempt stays noted as one that may have arrived.
    await outbox.finish(delivery);
    if (!composed) return 'nothing';
    log.info('A message was sent', facts);
    return 'sent';
  }

  async function hand(
    { notice: composed, event }: Composed,
    { subscription, channel, outbox }: Line,
    delivery: Delivery,
  ): Promise<void> {
    const sender = senders[channel.kind];
    if (!sender)
      throw new Error(
        `Messages to ${channel.kind} cannot be sent from here. Leave this channel out, or deploy the notifier.`,
      );
    await pace(channel, sender.pauseMs);
    const notice = madeUp ? asMadeUp(composed) : composed;
    const again = delivery.trying && !dropsRepeats.has(channel.kind);
    await outbox.note({ ...delivery, trying: true });
    const at = new Date(delivery.begun).toISOString();
    await sender.send(
      {
        id: delivery.id,
        subscription: subscription.name,
        notice: again ? sentAgain(notice) : notice,
        event,
        at,
      },
      channel,
    );
  }

  async function noteFailure(
    { subscription, channel, outbox }: Line,
    delivery: Delivery,
    error: unknown,
  ): Promise<'failed' | 'set-aside'> {
    const facts = { subscription: subscription.name, channel: channel.kind, delivery: delivery.id };
    const attempts = delivery.attempts + 1;
    log.warn('A message could not be sent', { ...facts, attempts, error });
    if (now() - delivery.begun >= TRIED_FOR) {
      const reason = cleanLine(error instanceof Error ? error.message : String(error), 1_000);
      await keepDeadLetter({
        deadLetter: {
          delivery: delivery.id,
          subscription: subscription.name,
          channel: channelId(channel),
          reason,
        },
      });
      await outbox.setAside({ ...delivery, attempts, trying: delivery.trying || mayHaveArrived(error) });
      return 'set-aside';
    }
    const asked = error instanceof ServiceError ? (error.notBefore ?? 0) : 0;
    const wait = Math.min(LONGEST_BACKOFF, MINUTE * 2 ** (attempts - 1));
    const notBefore = Math.max(asked, Math.min(now() + wait, delivery.begun + TRIED_FOR));
    const trying = delivery.trying || mayHaveArrived(error);
    await outbox.note({ ...delivery, attempts, notBefore, trying });
    return 'failed';
  }

  async function pace(channel: Channel, pauseMs: number): Promise<void> {
    const receiver = channelId(channel);
    const wait = (lastSent.get(receiver) ?? Number.NEGATIVE_INFINITY) + pauseMs - now();
    if (wait > 0) await clock.sleep(wait);
    lastSent.set(receiver, now());
  }

  return {
    async receive(event) {
      for (const { unwanted, follows, lines: own } of subscribers) {
        const wanted = unwanted(event) === null;
        if (!wanted && !follows(event)) continue;
        for (const { outbox } of own) await (wanted ? outbox.add(event, now()) : outbox.follow(event));
      }
    },
    async receiveAlarm(alarm) {
      for (const { outbox } of operators) {
        const last = await outbox.lastAlarm(alarm);
        // A queue may deliver what is over already.
        if (last && alarm.at < last.at) continue;
        // CloudWatch reports every new alarm as OK first, when nothing was wrong before.
        if (alarm.state === 'alarm' || last?.state === 'alarm')
          await outbox.begin({ kind: 'alarm', alarm }, now());
        await outbox.noteAlarm(alarm);
      }
    },
    async retry({ deadLetter: { delivery, subscription, channel } }) {
      const line = lines.find(
        (each) => each.subscription.name === subscription && channelId(each.channel) === channel,
      );
      return (await line?.outbox.takeUp(delivery, now())) ?? false;
    },
    async retryAll() {
      let taken = 0;
      for (const { outbox } of lines)
        for (const id of await outbox.setAsides()) taken += Number(await outbox.takeUp(id, now()));
      return taken;
    },
    async backlog() {
      let [setAside, failing] = [0, 0];
      for (const { outbox } of lines) {
        setAside += (await outbox.setAsides()).length;
        failing += (await outbox.deliveries()).filter(({ attempts }) => attempts > 0).length;
      }
      return { setAside, failing };
    },
    async waiting() {
      const counts = lines.map(async ({ outbox }) => (await outbox.waiting()).length);
      return Math.max(0, ...(await Promise.all(counts)));
    },
    async run({ deadline = Number.POSITIVE_INFINITY } = {}) {
      const counts = { sent: 0, failed: 0, 'set-aside': 0, nothing: 0 };
      const errors: unknown[] = [];
      for (const line of lines) {
        const { outbox } = line;
        try {
          if (!(await outbox.lease(runId, now() + LEASE, now()))) continue;
          try {
            // First what an earlier run began: its events are no longer free.
            await outbox.deliveries();
            await beginDue(line);
            for (const delivery of await outbox.deliveries()) {
              if (delivery.notBefore > now()) continue;
              if (now() + ATTEMPT > deadline) break;
              counts[await attempt(line, delivery)] += 1;
            }
          } finally {
            await outbox.release(runId);
          }
        } catch (error) {
          // One channel does not keep the others from theirs.
          log.error('The messages of a channel could not be handled', {
            subscription: line.subscription.name,
            channel: line.channel.kind,
            error,
          });
          errors.push(error);
        }
      }
      if (errors.length > 0) throw errors[0];
      return { sent: counts.sent, failed: counts.failed, setAside: counts['set-aside'] };
    },
  };
}

/**
 * Whether a change of rating that a subscription does not ask for may take back one that it does: to amber, where it
 * asks for green.
 */
function followedBy({ filter, when }: Subscription): (event: PanelEvent) => boolean {
  if (when.kind === 'digest' || when.settleMinutes === 0) return () => false;
  const { to: _to, from: _from, direction: _direction, ...others } = filter;
  const matches = compileFilter(others);
  return (event) =>
    event.type === 'gene-panel.entity.classified.v1' &&
    event.data.change.direction !== 'unchanged' &&
    matches(event);
}

interface Composed {
  readonly notice: Notice;
  readonly event: PanelEvent | null;
}

/** Their receivers drop a message that comes twice: by its id, or by the mail's Message-ID. */
const dropsRepeats: ReadonlySet<Channel['kind']> = new Set(['webhook', 'atom', 'smtp']);

/** Whether the receiver may have taken a message although the attempt failed: no response said that it did not. */
function mayHaveArrived(error: unknown): boolean {
  if (error instanceof ServiceError) return error.status === null && unanswered.has(error.condition);
  const { $metadata } = (error ?? {}) as { readonly $metadata?: { readonly httpStatusCode?: number } };
  return $metadata !== undefined && $metadata.httpStatusCode === undefined;
}

const unanswered: ReadonlySet<Condition> = new Set(['CONNECTION_LOST', 'TIMED_OUT', 'TRUNCATED', 'DEADLINE']);

/** An attempt that was cut off may have arrived. */
function sentAgain(notice: Notice): Notice {
  return {
    ...notice,
    footer: [
      ...notice.footer,
      'Sent again: an earlier attempt was cut off, so you may have this message already.',
    ],
  };
}

const panelKey = ({ source, data: { panel } }: PanelEvent): string => `${source} ${panel?.id ?? ''}`;
const byTime = (one: PanelEvent, other: PanelEvent): number =>
  (one.time ?? '').localeCompare(other.time ?? '');
const sorted = (waiting: readonly Waiting[]): readonly PanelEvent[] =>
  waiting.map(({ event }) => event).sort(byTime);
