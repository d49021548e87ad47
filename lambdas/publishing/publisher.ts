import type { SNSClient } from '@aws-sdk/client-sns';
import { type Topic, topics } from '../events/topics.ts';
import type { Clock } from '../run/clock.ts';
import type { Log } from '../run/log.ts';
import { batchesOf } from './batches.ts';
import { PublishError } from './faults.ts';
import type { Message, Rejection } from './message.ts';
import { createTopicSender } from './topic-sender.ts';

/** Publishes messages on the topics of one deployment. */
export interface Publisher {
  /**
   * Sends each message to its topic, those of one topic in the order given. Returns the messages that SNS refuses
   * for their content, once it accepted all others. Topics do not wait for each other: the messages of the
   * others are sent before the error is thrown. All may then be published again, with the same ids and bodies.
   * @throws {PublishError} when a topic does not accept its messages.
   */
  publish(messages: readonly Message[]): Promise<readonly Rejection[]>;
}

export interface PublisherOptions {
  /** From `createSnsClient`: it sends each call once, and the publisher repeats calls itself. */
  readonly sns: SNSClient;
  readonly topicArns: Readonly<Record<Topic, string>>;
  readonly clock: Clock;
  readonly log: Log;
  /** When publishing must end, in milliseconds since the epoch; no limit where absent. */
  readonly deadline?: number;
}

/**
 * A publisher that calls SNS.
 * @throws {PublishError} when an ARN is not that of a standard topic.
 */
export function createPublisher(options: PublisherOptions): Publisher {
  const { sns, topicArns, clock, log, deadline = Number.POSITIVE_INFINITY } = options;
  const regions = new Map(topics.map((topic) => [topic, regionOf(topic, topicArns[topic])]));

  const publishTo = async (topic: Topic, messages: readonly Message[]): Promise<readonly Rejection[]> => {
    const region = await sns.config.region();
    // SNS would refuse every message because of the ARN, with the code of a bad message.
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
      for (const error of errors.slice(1))
        log.error('Publishing to another topic stopped as well', { error });
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
