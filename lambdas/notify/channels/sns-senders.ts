import { PublishCommand, type SNSClient } from '@aws-sdk/client-sns';
import { amazonQMessage } from '../../messages/amazon-q.ts';
import { mailSubject, mailText } from '../../messages/mail-text.ts';
import type { Sender } from '../sender.ts';
import { ADDRESS, addressKey } from '../settings.ts';

interface SnsSenderOptions {
  readonly sns: Pick<SNSClient, 'send'>;
  /** The ARN of the topic of a subscription. */
  readonly topicOf: (subscription: string) => string;
}

/** SNS takes 256 KiB; a mail of that size is unreadable. */
const LONGEST_MAIL = 60_000;

/**
 * E-mail by SNS, which switches an address off that gets more than ten messages a second. All addresses of a
 * subscription are subscribed to one topic. The filter policy of each lets through what is sent to it, because two
 * addresses may differ in what they may show of people.
 */
export function emailSender({ sns, topicOf }: SnsSenderOptions): Sender {
  return {
    pauseMs: 500,
    async send({ subscription, notice }, channel) {
      if (channel.kind !== 'email')
        throw new TypeError(`A channel of the kind ${channel.kind} has no mail address of SNS`);
      await sns.send(
        new PublishCommand({
          TopicArn: topicOf(subscription),
          Subject: mailSubject(notice),
          Message: mailText(notice).slice(0, LONGEST_MAIL),
          MessageAttributes: { [ADDRESS]: { DataType: 'String', StringValue: addressKey(channel.to) } },
        }),
      );
    },
  };
}

/** Amazon Q Developer in chat applications, which listens to a topic of its own. */
export function amazonQSender({ sns, topicOf }: SnsSenderOptions): Sender {
  return {
    pauseMs: 1_000,
    async send({ id, subscription, notice }) {
      const Message = JSON.stringify(amazonQMessage(notice, { id }));
      await sns.send(new PublishCommand({ TopicArn: topicOf(subscription), Message }));
    },
  };
}
