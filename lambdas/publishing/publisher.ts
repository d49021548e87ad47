import type { SNSClient } from '@aws-sdk/client-sns';
import type { Clock } from '../clock/clock.ts';
import { type Topic, topics } from '../events/topics.ts';
import type { Log } from '../log/log.ts';
import { batchesOf } from './batches.ts';
import type { Message, Rejection } from './message.ts';
import { PublishError } from './publish-error.ts';
import { createTopicSender } from './topic-sender.ts';

export interface Publisher {
  /**
   * Sends each message to its topic, those of one topic in the order given, and resolves once every message is
   * accepted, or rejected as one that SNS will never take. Topics do not wait for each other: where one stops,
   * the others are still sent to before the `PublishError` is thrown. All may then be published again: the same
   * messages carry the same ids and bodies.
   */
  publish(messages: readonly Message[]): Promise<readonly Rejection[]>;
}

export interface PublisherOptions {
  /** A client that tries each call once, as `createSnsClient` makes it. */
  readonly sns: SNSClient;
  readonly topicArns: Readonly<Record<Topic, string>>;
  readonly clock: Clock;
  readonly log: Log;
  /** When publishing must have ended, in milliseconds since the epoch; without limit where absent. */
  readonly deadline?: number;
}

export function createPublisher(options: PublisherOptions): Publisher {
  const { sns, topicArns, clock, log, deadline = Number.POSITIVE_INFINITY } = options;
  const regions = new Map(topics.map((topic) => [topic, regionOf(topic, topicArns[topic])]));

  const publishTo = async (topic: Topic, messages: readonly Message[]): Promise<readonly Rejection[]> => {
    const region = await sns.config.region();
    // SNS would refuse each message for the ARN, as it refuses a bad message.
    if (region !== regions.get(topic)) {
      throw new PublishError('topic-missing', topic, `it is not in the client's region, ${region}`);
    }
    const topicArn = topicArns[topic];
    const send = createTopicSender({ sns, topic, topicArn, clock, log, deadline });
    const rejections: Rejection[] = [];
    for (const batch of batchesOf(messages)) rejections.push(...(await send(batch)));
    return rejections;
  };

  return {
    publish: async (messages) => {
      const families = [...Map.groupBy(messages, ({ topic }) => topic)];
      const results = await Promise.allSettled(families.map(([topic, own]) => publishTo(topic, own)));
      const errors = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
      for (const error of errors.slice(1)) log.error('publishing to a further topic stopped', { error });
      if (errors.length > 0) throw errors[0];
      return results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
    },
  };
}

function regionOf(topic: Topic, arn: string): string {
  const region = /^arn:[\w-]+:sns:([\w-]+):\d{12}:[\w-]{1,256}$/.exec(arn)?.[1];
  if (region !== undefined) return region;
  throw new PublishError('topic-missing', topic, `'${arn}' is not the ARN of a standard SNS topic`);
}
