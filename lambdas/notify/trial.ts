import type { Clock } from '../clock/clock.ts';
import type { PanelEvent } from '../events/schemas.ts';
import { cleanLine } from '../messages/clean-text.ts';
import { noticeOfTrial } from '../messages/notice-of-trial.ts';
import { reasonOf } from '../messages/reason.ts';
import { timeWords } from '../messages/time-words.ts';
import type { Senders } from './sender.ts';
import { type Channel, channelId, type NotifyPlan, OPERATIONS } from './subscription.ts';

/** What became of a trial message. */
export interface Trial {
  readonly subscription: string;
  /** As `slack:lab-slack`. */
  readonly channel: string;
  readonly sent: boolean;
  /** Why it failed and what to do; or what still has to happen before people see it; else empty. */
  readonly text: string;
}

interface TrialOptions {
  readonly plan: NotifyPlan;
  readonly senders: Senders;
  readonly clock: Pick<Clock, 'now'>;
  /** Makes the ids of messages. */
  readonly newId: () => string;
}

/** The type of the CloudEvent that a program's webhook gets; no event of a panel has it. */
const TRIAL_TYPE = 'gene-panel-notifier.trial.v1';

/** Sends a marked message to each channel of each subscription, and of operations. It never fails as a whole. */
export async function sendTrials({ plan, senders, clock, newId }: TrialOptions): Promise<readonly Trial[]> {
  const { subscriptions, operations } = plan;
  const audiences = [...subscriptions, { name: OPERATIONS, ...operations, filter: null }];
  const trials: Trial[] = [];
  for (const { name, zone, channels, filter } of audiences) {
    for (const channel of channels) {
      const about = { subscription: name, channel: channelId(channel) };
      try {
        const sender = senders[channel.kind];
        if (!sender) throw new Error(`Messages to ${channel.kind} cannot be sent from here.`);
        const at = new Date(clock.now()).toISOString();
        const id = newId();
        const reason = filter && reasonOf(name, filter, channel.privacy);
        const notice = noticeOfTrial(name, { times: timeWords(zone), now: at, reason });
        await sender.send({ id, subscription: name, notice, event: trialEvent(id, name, at), at }, channel);
        trials.push({ ...about, sent: true, text: hints[channel.kind] ?? '' });
      } catch (error) {
        const text = cleanLine(error instanceof Error ? error.message : String(error), 600);
        trials.push({ ...about, sent: false, text });
      }
    }
  }
  return trials;
}

const hints: Readonly<Partial<Record<Channel['kind'], string>>> = {
  email:
    'SNS took it. It arrives once the address has confirmed the mail "AWS Notification - Subscription Confirmation".',
  'amazon-q': 'SNS took it. It appears once a chat channel listens to the topic.',
};

/** Signed and sent like any event; a program knows it by its type. */
function trialEvent(id: string, subscription: string, time: string): PanelEvent {
  const event: object = {
    specversion: '1.0',
    id,
    source: 'urn:gene-panel-notifier',
    type: TRIAL_TYPE,
    time,
    datacontenttype: 'application/json',
    data: { summary: `Trial message for ${subscription}: no gene changed.` },
  };
  return event as PanelEvent;
}
