import { type Topic, topics } from '../../lambdas/events/topics.ts';
import type { Publisher } from '../../lambdas/publishing/publisher.ts';
import type { Log } from '../../lambdas/run/log.ts';
import type { Io } from '../command.ts';
import { awsProblem } from '../deployed/aws-problem.ts';
import { ReplayError } from './replay-error.ts';
import type { Target } from './target.ts';

interface OpenTarget {
  readonly publisher: Publisher;
  close(): void;
}

interface TargetContext {
  readonly clock: Io['clock'];
  readonly log: Log;
  /** The topics of the deployed stage, where one is known. */
  readonly topicArns?: Readonly<Partial<Record<Topic, string>>> | undefined;
}

/**
 * Opens a target with the AWS credentials of the environment. Each SDK is loaded only where it is used.
 * @throws {ReplayError} when the target cannot be found
 */
export async function openTarget(target: Target, context: TargetContext): Promise<OpenTarget> {
  try {
    return await openers[target.kind](target, context);
  } catch (cause) {
    if (cause instanceof ReplayError) throw cause;
    const { seen, remedy } = awsProblem(cause);
    throw new ReplayError(`Opening ${target.given}: ${seen}. Nothing was sent. ${remedy}`, { cause });
  }
}

type Opener = (target: Target, context: TargetContext) => Promise<OpenTarget>;

const openQueue: Opener = async (target, { clock }) => {
  const [{ SQSClient }, { createQueuePublisher, findQueue }] = await Promise.all([
    import('@aws-sdk/client-sqs'),
    import('./queue-publisher.ts'),
  ]);
  const sqs = new SQSClient(regionOf(target));
  const queueUrl = await findQueue(sqs, target);
  return {
    publisher: createQueuePublisher({ sqs, queueUrl, given: target.given, clock }),
    close: () => sqs.destroy(),
  };
};

const openTopic: Opener = async (target, { clock, log }) => {
  const [{ createPublisher }, { createSnsClient }, { findTopic }] = await Promise.all([
    import('../../lambdas/publishing/publisher.ts'),
    import('../../lambdas/publishing/sns-client.ts'),
    import('./find-topic.ts'),
  ]);
  const sns = createSnsClient(regionOf(target));
  const arn = await findTopic(sns, target);
  const topicArns = Object.fromEntries(topics.map((topic) => [topic, arn])) as Record<Topic, string>;
  return { publisher: createPublisher({ sns, topicArns, clock, log }), close: () => sns.destroy() };
};

const openFunction: Opener = async (target, { clock, topicArns = {} }) => {
  const [{ LambdaClient }, { createFunctionPublisher }] = await Promise.all([
    import('@aws-sdk/client-lambda'),
    import('./function-publisher.ts'),
  ]);
  const lambda = new LambdaClient({ ...regionOf(target), maxAttempts: 8 });
  return {
    publisher: createFunctionPublisher({ lambda, target, topicArns, clock }),
    close: () => lambda.destroy(),
  };
};

const openers: Readonly<Record<Target['kind'], Opener>> = {
  queue: openQueue,
  topic: openTopic,
  function: openFunction,
};

const regionOf = ({ region }: Target) => ({ ...(region !== undefined && { region }) });
