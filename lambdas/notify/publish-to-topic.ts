import { PublishCommand, type SNSClient } from '@aws-sdk/client-sns';
import type { PublishToTopic } from '../channels/channel.ts';
import { ADDRESS, addressKey, chatTopic, mailTopic } from './settings.ts';

interface TopicOptions {
  readonly sns: Pick<SNSClient, 'send'>;
  /** Of the ARNs of all topics. */
  readonly prefix: string;
}

/** Publishes to the topics of subscriptions in SNS. */
export function publishToTopics({ sns, prefix }: TopicOptions): PublishToTopic {
  return async ({ topic, subscription, text, subject, address }, { signal }) => {
    const name = topic === 'mail' ? mailTopic(subscription) : chatTopic(subscription);
    const command = new PublishCommand({
      TopicArn: `${prefix}${name}`,
      Message: text,
      ...(subject !== undefined && { Subject: subject }),
      ...(address !== undefined && {
        MessageAttributes: { [ADDRESS]: { DataType: 'String', StringValue: addressKey(address) } },
      }),
    });
    await sns.send(command, { abortSignal: signal });
  };
}
