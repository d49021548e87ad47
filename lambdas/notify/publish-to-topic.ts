import { PublishCommand, type SNSClient } from '@aws-sdk/client-sns';
import type { PublishToTopic } from '../channels/channel.ts';
import { mailAddressProblem } from './mail-address-state.ts';
import { mailAddressState } from './mail-addresses.ts';
import { ADDRESS, addressKey, chatTopic, mailTopic } from './topic-names.ts';

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
    await sns.send(command, { abortSignal: signal });
  };
}
