import { ListSubscriptionsByTopicCommand, PublishCommand, type SNSClient } from '@aws-sdk/client-sns';
import type { PublishToTopic } from '../channels/channel.ts';
import { addressesByTopic } from '../channels/channel-settings.ts';
import type { Log } from '../run/log.ts';
import { ADDRESS, addressKey, chatTopic, mailTopic, type NotifyPlan, OPERATIONS } from './subscription.ts';

interface AddressOptions {
  readonly sns: Pick<SNSClient, 'send'>;
  readonly topicArn: string;
  readonly signal?: AbortSignal;
}

/** Whether an address would get what is published to a topic. SNS accepts messages for topics without subscriptions. */
export async function mailAddressState(
  address: string,
  { sns, topicArn: TopicArn, signal }: AddressOptions,
): Promise<MailAddressState> {
  const isAddress = (endpoint: string | undefined): boolean =>
    endpoint?.toLowerCase() === address.toLowerCase();
  let state: MailAddressState = 'missing';
  for (let NextToken: string | undefined, first = true; first || NextToken !== undefined; first = false) {
    const command = new ListSubscriptionsByTopicCommand({ TopicArn, ...(NextToken && { NextToken }) });
    const page = await sns.send(command, signal && { abortSignal: signal });
    for (const { Protocol, Endpoint, SubscriptionArn = '' } of page.Subscriptions ?? []) {
      if (Protocol !== 'email' || !isAddress(Endpoint)) continue;
      if (SubscriptionArn.startsWith('arn:')) return 'confirmed';
      // As "PendingConfirmation"; one that was ended is listed as "Deleted" for a while.
      if (SubscriptionArn.startsWith('Pending')) state = 'unconfirmed';
    }
    NextToken = page.NextToken;
  }
  return state;
}

interface GoneOptions {
  readonly sns: Pick<SNSClient, 'send'>;
  /** Of the ARNs of all topics. */
  readonly prefix: string;
  /** Who gets the alarms by mail; undefined where the settings name no address. */
  readonly alarmEmail: string | undefined;
  readonly log: Log;
}

/**
 * How many mail addresses of the settings have no confirmed subscription to their topic, and so get nothing. The log names
 * each by its subscription; addresses are not logged.
 */
export async function goneMailAddresses(
  { subscriptions, operations }: Pick<NotifyPlan, 'subscriptions' | 'operations'>,
  { sns, prefix, alarmEmail, log }: GoneOptions,
): Promise<number> {
  const wanted = [
    ...[...subscriptions, { name: OPERATIONS, ...operations }].flatMap(({ name, channels }) =>
      addressesByTopic(channels).map((address) => ({ of: name, address, topic: mailTopic(name) })),
    ),
    ...(alarmEmail === undefined ? [] : [{ of: 'alarms', address: alarmEmail, topic: 'alarms' }]),
  ];
  let gone = 0;
  for (const { of, address, topic } of wanted) {
    const state = await mailAddressState(address, { sns, topicArn: `${prefix}${topic}` });
    if (state === 'confirmed') continue;
    gone += 1;
    log.warn('A mail address gets nothing: it has no confirmed subscription', {
      of,
      addressKey: addressKey(address),
      state,
    });
  }
  return gone;
}

interface TopicOptions {
  readonly sns: Pick<SNSClient, 'send'>;
  /** Of the ARNs of all topics. */
  readonly prefix: string;
}

/**
 * Publishes to the topics of subscriptions in SNS. A mail is published only where its address has a confirmed
 * subscription: SNS accepts others too, and drops them.
 */
export function publishToTopics({ sns, prefix }: TopicOptions): PublishToTopic {
  return async ({ topic, subscription, text, subject, address }, { signal }) => {
    const name = topic === 'mail' ? mailTopic(subscription) : chatTopic(subscription);
    const topicArn = `${prefix}${name}`;
    const problem =
      address === undefined
        ? null
        : mailAddressProblem(await mailAddressState(address, { sns, topicArn, signal }));
    if (problem !== null) throw new Error(`Sending a mail by SNS: ${problem} The message is kept.`);
    const command = new PublishCommand({
      TopicArn: topicArn,
      Message: text,
      ...(subject !== undefined && { Subject: subject }),
      ...(address !== undefined && {
        MessageAttributes: { [ADDRESS]: { DataType: 'String', StringValue: addressKey(address) } },
      }),
    });
    return `SNS message ${(await sns.send(command, { abortSignal: signal })).MessageId ?? 'without an id'}`;
  };
}

/** What SNS knows of a mail address: only a confirmed one gets mails. */
export type MailAddressState = 'confirmed' | 'unconfirmed' | 'missing';

/** What to say and do about an address that gets nothing; null for one that does. */
export function mailAddressProblem(state: MailAddressState): string | null {
  switch (state) {
    case 'confirmed':
      return null;
    case 'unconfirmed':
      return 'The address has not confirmed the mail "AWS Notification - Subscription Confirmation": SNS would drop what is sent to it. Confirm it.';
    case 'missing':
      return 'The address is not subscribed to its topic any more: SNS would drop what is sent to it. Somebody, or a mail scanner, followed the link to unsubscribe, or the address was not confirmed within three days. Subscribe it again: "mail-addresses-gone" in docs/runbook.md.';
    default:
      return state satisfies never;
  }
}
