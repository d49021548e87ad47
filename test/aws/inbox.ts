import { SubscribeCommand } from '@aws-sdk/client-sns';
import {
  CreateQueueCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SetQueueAttributesCommand,
} from '@aws-sdk/client-sqs';
import * as z from 'zod';
import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import type { Clients } from './clients.ts';

/** One message as a subscriber's queue gets it. */
export interface Received {
  readonly event: PanelEvent;
  readonly attributes: Readonly<Record<string, string>>;
}

/** A subscriber's queue. */
export interface Inbox {
  readonly arn: string;
  /** Takes out all that has arrived, in the order in which it is given. */
  empty(): Promise<readonly Received[]>;
}

/** Subscribes a new queue to a topic, with raw delivery and, where given, a filter policy. */
export async function subscribeInbox(
  { sns, sqs }: Clients,
  {
    name,
    topicArn,
    filter,
  }: { name: string; topicArn: string; filter?: Readonly<Record<string, readonly unknown[]>> },
): Promise<Inbox> {
  const { QueueUrl = '' } = await sqs.send(new CreateQueueCommand({ QueueName: name }));
  const { Attributes = {} } = await sqs.send(
    new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['QueueArn'] }),
  );
  const arn = Attributes.QueueArn ?? '';
  const allow = {
    Effect: 'Allow',
    Principal: { Service: 'sns.amazonaws.com' },
    Action: 'sqs:SendMessage',
    Resource: arn,
  };
  const Policy = JSON.stringify({
    Version: '2012-10-17',
    Statement: [{ ...allow, Condition: { ArnEquals: { 'aws:SourceArn': topicArn } } }],
  });
  await sqs.send(new SetQueueAttributesCommand({ QueueUrl, Attributes: { Policy } }));
  await sns.send(
    new SubscribeCommand({
      TopicArn: topicArn,
      Protocol: 'sqs',
      Endpoint: arn,
      Attributes: { RawMessageDelivery: 'true', ...(filter ? { FilterPolicy: JSON.stringify(filter) } : {}) },
    }),
  );
  return {
    arn,
    empty: async () =>
      (await takeAll({ sqs }, QueueUrl)).map(({ body, attributes }) => ({
        event: JSON.parse(body),
        attributes,
      })),
  };
}

/** What a reader of e-mail gets from a topic. */
interface Notification {
  /** Empty where the message has none. */
  readonly subject: string;
  readonly message: string;
}

/** Subscribes a new queue to a topic and returns what takes out all that has arrived, with the subjects. */
export async function subscribeReader(
  { sns, sqs }: Clients,
  { name, topicArn: TopicArn }: { readonly name: string; readonly topicArn: string },
): Promise<() => Promise<readonly Notification[]>> {
  const { QueueUrl = '' } = await sqs.send(new CreateQueueCommand({ QueueName: name }));
  const { Attributes: { QueueArn: Endpoint } = {} } = await sqs.send(
    new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['QueueArn'] }),
  );
  await sns.send(new SubscribeCommand({ TopicArn, Protocol: 'sqs', Endpoint }));
  return async () =>
    (await takeAll({ sqs }, QueueUrl)).map(({ body }) => {
      const { Subject = '', Message } = notificationSchema.parse(JSON.parse(body));
      return { subject: Subject, message: Message };
    });
}

const notificationSchema = z.object({ Subject: z.string().optional(), Message: z.string() });

interface Taken {
  readonly body: string;
  readonly attributes: Readonly<Record<string, string>>;
}

async function takeAll({ sqs }: Pick<Clients, 'sqs'>, QueueUrl: string): Promise<readonly Taken[]> {
  const taken: Taken[] = [];
  for (;;) {
    const { Messages = [] } = await sqs.send(
      new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, MessageAttributeNames: ['All'] }),
    );
    if (Messages.length === 0) return taken;
    for (const { Body = '', MessageAttributes = {}, ReceiptHandle } of Messages) {
      const attributes = Object.entries(MessageAttributes).map(([key, { StringValue = '' }]) => [
        key,
        StringValue,
      ]);
      taken.push({ body: Body, attributes: Object.fromEntries(attributes) });
      await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
    }
  }
}
