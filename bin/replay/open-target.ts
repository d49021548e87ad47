import { topics } from '../../lambdas/events/topics.ts';
import type { Log } from '../../lambdas/log/log.ts';
import type { Publisher } from '../../lambdas/publishing/publisher.ts';
import type { Io } from '../command.ts';
import type { Target } from './target.ts';

export interface OpenTarget {
  readonly publisher: Publisher;
  close(): void;
}

/** Opens a topic or queue with the AWS credentials of the environment. Each SDK is loaded only where it is used. */
export async function openTarget(
  target: Target,
  { clock }: Pick<Io, 'clock'>,
  log: Log,
): Promise<OpenTarget> {
  const { arn, region } = target;
  if (target.service === 'sqs') {
    const [{ SQSClient }, { createQueuePublisher }] = await Promise.all([
      import('@aws-sdk/client-sqs'),
      import('./queue-publisher.ts'),
    ]);
    const sqs = new SQSClient({ region });
    return { publisher: createQueuePublisher({ sqs, target, clock }), close: () => sqs.destroy() };
  }
  const [{ createPublisher }, { createSnsClient }] = await Promise.all([
    import('../../lambdas/publishing/publisher.ts'),
    import('../../lambdas/publishing/sns-client.ts'),
  ]);
  const sns = createSnsClient({ region });
  const topicArns = Object.fromEntries(topics.map((topic) => [topic, arn])) as Record<
    (typeof topics)[number],
    string
  >;
  return { publisher: createPublisher({ sns, topicArns, clock, log }), close: () => sns.destroy() };
}
