import type { ChannelMemory } from '../channels/channel.ts';
import { type Channel, channelId } from '../channels/channel-settings.ts';
import { channelType } from '../channels/channels.ts';
import type { PanelEvent } from '../events/schemas.ts';
import type { Clock } from '../run/clock.ts';
import type { ItemStore } from '../store/items.ts';
import { cleanLine } from '../words/clean-text.ts';
import { type MessageContext, subscriptionLines } from '../words/message-context.ts';
import type { Notice } from '../words/notice.ts';
import { namePiece, phrase } from '../words/phrase.ts';
import { reasonOf } from '../words/reason.ts';
import { timeWords } from '../words/time-words.ts';
import { helpLines } from './compose-message.ts';
import { DELIVERY_MS, type Senders } from './deliver.ts';
import { channelMemory } from './recipients.ts';
import { type NotifyPlan, OPERATIONS } from './subscription.ts';

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
export async function sendTrials({
  plan,
  senders,
  clock,
  store,
  newId,
}: TrialOptions): Promise<readonly Trial[]> {
  const memoryOf = (subscription: string, channel: Channel): ChannelMemory =>
    channelMemory(store, { subscription, channel: channelId(channel), now: clock.now });
  const { subscriptions, operations } = plan;
  const audiences = [...subscriptions, { name: OPERATIONS, ...operations, filter: null }];
  const trials: Trial[] = [];
  for (const { name, zone, channels, filter } of audiences) {
    for (const channel of channels) {
      const about = { subscription: name, channel: channelId(channel) };
      try {
        const at = new Date(clock.now()).toISOString();
        const id = newId();
        const reason = filter && reasonOf(name, filter, channel.privacy);
        const notice = noticeOfTrial(name, {
          times: timeWords(zone),
          now: at,
          reason,
          help: helpLines(plan.help ?? {}, channel.kind),
        });
        await senders[channel.kind].send(
          {
            id,
            subscription: name,
            notice,
            event: trialEvent(id, `Trial message for ${name}: no gene changed.`, at),
            at,
          },
          channel,
          { memory: memoryOf(name, channel), signal: AbortSignal.timeout(DELIVERY_MS) },
        );
        trials.push({ ...about, sent: true, text: channelType(channel.kind).afterTrial });
      } catch (error) {
        const text = cleanLine(error instanceof Error ? error.message : String(error), 600);
        trials.push({ ...about, sent: false, text });
      }
    }
  }
  return trials;
}

/** An event for a message that is about none: signed and sent like any event; a program knows it by its type. */
export function trialEvent(id: string, summary: string, time: string): PanelEvent {
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

/** The notice of a trial message, which shows that a channel works. `name`: the subscription. */
export function noticeOfTrial(
  name: string,
  { times, now, reason, help }: Pick<MessageContext, 'times' | 'now' | 'reason' | 'help'>,
): Notice {
  return {
    headline: phrase`Trial message for ${namePiece(name)}: no gene changed`,
    tone: 'plain',
    blocks: [
      {
        kind: 'text',
        text: phrase`This is a trial: it shows that messages arrive here. No gene and no panel changed, and you need not do anything.`,
      },
      { kind: 'byline', text: phrase`Sent on ${times.moment(now)}` },
    ],
    links: [],
    thread: { id: 'notifier.trial', title: 'Trial messages' },
    footer: subscriptionLines({ reason, ...(help && { help }) }),
  };
}

/** The notice that names of a subscription's filter were not found, or no longer exist. `name`: the subscription. */
export function noticeOfNames(
  name: string,
  sentences: readonly string[],
  { times, now, reason, help }: Pick<MessageContext, 'times' | 'now' | 'reason' | 'help'>,
): Notice {
  return {
    headline: phrase`${namePiece(name)} asks for names that were not found`,
    tone: 'plain',
    blocks: [
      ...sentences.map((sentence) => ({ kind: 'text' as const, text: phrase`${sentence}` })),
      {
        kind: 'text',
        text: phrase`Nothing arrives here about a name that does not exist. If one is misspelt or out of date, have it corrected in the settings of the subscription.`,
      },
      { kind: 'byline', text: phrase`Checked on ${times.moment(now)}` },
    ],
    links: [],
    thread: { id: 'notifier.names', title: 'Names that were not found' },
    footer: subscriptionLines({ reason, ...(help && { help }) }),
  };
}
