import { type Channel, channelId } from '../channels/channel-settings.ts';
import { channelType } from '../channels/channels.ts';
import type { PanelEvent } from '../events/schemas.ts';
import type { Clock } from '../run/clock.ts';
import type { ItemStore } from '../store/items.ts';
import { cleanLine } from '../words/clean-text.ts';
import { type MessageContext, subscriptionLines } from '../words/message-context.ts';
import type { Block, Notice } from '../words/notice.ts';
import { namePiece, type Phrase, phrase } from '../words/phrase.ts';
import { reasonOf } from '../words/reason.ts';
import { timeWords } from '../words/value-words.ts';
import { helpLines } from './compose-message.ts';
import { DELIVERY_MS, type Senders } from './deliver.ts';
import { channelMemory } from './outbox.ts';
import { type NotifyPlan, OPERATIONS, type Subscription } from './subscription.ts';

/** What became of a trial message. */
export interface Trial {
  readonly subscription: string;
  /** As `slack:lab-slack`. */
  readonly channel: string;
  readonly sent: boolean;
  /** Why it failed and what to do; or what still has to happen before people see it; else empty. */
  readonly text: string;
}

/** Where and how messages are sent that are about no event. */
export interface TrialOptions {
  readonly plan: NotifyPlan;
  readonly senders: Senders;
  readonly clock: Pick<Clock, 'now'>;
  /** What channels remember: a feed has the trial among its entries. */
  readonly store: ItemStore;
  /** Makes the ids of messages. */
  readonly newId: () => string;
}

/** The type of the CloudEvent that a program's webhook gets; no event of a panel has it. */
const TRIAL_TYPE = 'gene-panel-notifier.trial.v1';

/** Sends a marked message to each channel of each subscription, and of operations. It never fails as a whole. */
export async function sendTrials(options: TrialOptions): Promise<readonly Trial[]> {
  const { subscriptions, operations } = options.plan;
  const trials: Trial[] = [];
  for (const audience of [...subscriptions, { name: OPERATIONS, ...operations, filter: null }]) {
    for (const channel of audience.channels) {
      const about = { subscription: audience.name, channel: channelId(channel) };
      try {
        await sendPlain(trialMessage(audience.name), { ...audience, channel }, options);
        trials.push({ ...about, sent: true, text: channelType(channel.kind).afterTrial });
      } catch (error) {
        const text = cleanLine(error instanceof Error ? error.message : String(error), 600);
        trials.push({ ...about, sent: false, text });
      }
    }
  }
  return trials;
}

interface PlainMessage {
  readonly headline: Phrase;
  readonly sentences: readonly string[];
  /** Before the time: `Sent on`. */
  readonly byline: string;
  readonly thread: Notice['thread'];
  /** For a program, in one sentence. */
  readonly summary: string;
}

/** Shows that a channel works. `name`: the subscription. */
export const trialMessage = (name: string): PlainMessage => ({
  headline: phrase`Trial message for ${namePiece(name)}: no gene changed`,
  sentences: [
    'This is a trial: it shows that messages arrive here. No gene and no panel changed, and you need not do anything.',
  ],
  byline: 'Sent on',
  thread: { id: 'notifier.trial', title: 'Trial messages' },
  summary: `Trial message for ${name}: no gene changed.`,
});

/** Says that names of a subscription's filter were not found, or no longer exist. `name`: the subscription. */
export const namesMessage = (name: string, sentences: readonly string[]): PlainMessage => ({
  headline: phrase`${namePiece(name)} asks for names that were not found`,
  sentences: [
    ...sentences,
    'Nothing arrives here about a name that does not exist. If one is misspelt or out of date, have it corrected in the settings of the subscription.',
  ],
  byline: 'Checked on',
  thread: { id: 'notifier.names', title: 'Names that were not found' },
  summary: `The filter of ${name} has names that were not found: ${sentences.join(' ')}`,
});

/** The notice of a message about no event. */
export const noticeOfPlain = (
  { headline, sentences, byline, thread }: PlainMessage,
  context: Pick<MessageContext, 'times' | 'now' | 'reason' | 'help'>,
): Notice => ({
  headline,
  tone: 'plain',
  blocks: [
    ...sentences.map((sentence): Block => ({ kind: 'text', text: phrase`${sentence}` })),
    { kind: 'byline', text: phrase`${byline} ${context.times.moment(context.now)}` },
  ],
  links: [],
  thread,
  footer: subscriptionLines(context),
});

interface Audience extends Pick<Subscription, 'name' | 'zone'> {
  /** Null where the message gives no reason. */
  readonly filter: Subscription['filter'] | null;
  readonly channel: Channel;
}

/**
 * Sends a message about no event to one channel.
 * @throws {Error} when the receiver did not take it
 */
export async function sendPlain(
  message: PlainMessage,
  { name, zone, filter, channel }: Audience,
  { plan, senders, clock, store, newId }: TrialOptions,
): Promise<void> {
  const at = new Date(clock.now()).toISOString();
  const id = newId();
  const notice = noticeOfPlain(message, {
    times: timeWords(zone),
    now: at,
    reason: filter && reasonOf(name, filter, channel.privacy),
    help: helpLines(plan.help ?? {}, channel.kind),
  });
  const place = { subscription: name, channel: channelId(channel) };
  await senders[channel.kind].send(
    { id, subscription: name, notice, event: plainEvent(id, message.summary, at), at },
    channel,
    {
      memory: channelMemory({ store, now: clock.now }, place),
      signal: AbortSignal.timeout(DELIVERY_MS),
    },
  );
}

/** An event for a message that is about none: signed and sent like any event; a program knows it by its type. */
function plainEvent(id: string, summary: string, time: string): PanelEvent {
  const event: object = {
    specversion: '1.0',
    id,
    source: 'urn:gene-panel-notifier',
    type: TRIAL_TYPE,
    time,
    datacontenttype: 'application/json',
    data: { summary },
  };
  return event as PanelEvent;
}
