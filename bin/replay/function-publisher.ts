import { InvokeCommand, type LambdaClient } from '@aws-sdk/client-lambda';
import type { Topic } from '../../lambdas/events/topics.ts';
import type { Message, Rejection } from '../../lambdas/publishing/message.ts';
import type { Publisher } from '../../lambdas/publishing/publisher.ts';
import type { Clock } from '../../lambdas/run/clock.ts';
import { inGroups } from '../../lambdas/run/in-groups.ts';
import { awsProblem } from '../command.ts';
import type { Target } from './target.ts';
import { ReplayError } from './target.ts';

export interface FunctionPublisherOptions {
  /** The SDK repeats a call by itself when Lambda is busy. */
  readonly lambda: LambdaClient;
  readonly target: Target;
  readonly topicArns: Readonly<Partial<Record<Topic, string>>>;
  readonly clock: Pick<Clock, 'now'>;
}

const PARALLEL = 10;

/** The errors of Lambda about an event that it can never accept. */
const UNACCEPTABLE =
  /^(RequestTooLargeException|InvalidRequestContentException|UnsupportedMediaTypeException)$/;

/**
 * Invokes a function once for each event, asynchronously, with what SNS passes to a function that subscribes to the
 * event's topic. Lambda then runs the function, and repeats a run that fails, as it does after SNS.
 * @throws {ReplayError} when Lambda does not accept the invocations
 */
export function createFunctionPublisher(options: FunctionPublisherOptions): Publisher {
  const { lambda, target } = options;
  const invoke = async (message: Message): Promise<Rejection | null> => {
    try {
      await lambda.send(
        new InvokeCommand({
          FunctionName: target.account === undefined ? target.name : target.given,
          InvocationType: 'Event',
          Payload: JSON.stringify({ Records: [recordOf(message, options)] }),
        }),
      );
      return null;
    } catch (cause) {
      const { name, message: reason } = cause as Error;
      if (UNACCEPTABLE.test(name)) return { message, code: name, reason };
      const { seen, remedy } = awsProblem(cause);
      throw new ReplayError(`Invoking ${target.given}: ${seen}. ${remedy}`, { cause });
    }
  };
  return {
    async publish(messages) {
      const rejections = await inGroups(PARALLEL, messages, invoke);
      return rejections.filter((rejection) => rejection !== null);
    },
  };
}

/** The record of SNS. Its message id is made of the event's, so that it is the same for each replay. */
function recordOf(
  { id, topic, body, attributes }: Message,
  { target, topicArns, clock }: Pick<FunctionPublisherOptions, 'target' | 'topicArns' | 'clock'>,
) {
  const { region = 'us-east-1', account = '000000000000' } = target;
  const TopicArn = topicArns[topic] ?? `arn:aws:sns:${region}:${account}:replay-${topic}`;
  return {
    EventSource: 'aws:sns',
    EventVersion: '1.0',
    EventSubscriptionArn: `${TopicArn}:00000000-0000-0000-0000-000000000000`,
    Sns: {
      Type: 'Notification',
      MessageId: id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
      TopicArn,
      Subject: null,
      Message: body,
      Timestamp: new Date(clock.now()).toISOString(),
      SignatureVersion: '1',
      Signature: 'REPLAYED',
      SigningCertUrl: '',
      UnsubscribeUrl: '',
      MessageAttributes: Object.fromEntries(
        Object.entries(attributes).map(([name, { type, value }]) => [name, { Type: type, Value: value }]),
      ),
    },
  };
}
