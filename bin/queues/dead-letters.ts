import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  type Message,
  PurgeQueueCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';

/** A queue of dead letters of a deployed stage. */
export interface DeadLetterQueue {
  /** About how many messages it holds, hidden ones included; SQS counts no better. */
  depth(): Promise<number>;
  /**
   * Its messages, each once. Each is hidden from others for some minutes, and is in the queue again after that unless it
   * is removed, or sooner where it is released.
   */
  letters(): AsyncGenerator<Letter>;
  /** Removes all messages for good. */
  empty(): Promise<void>;
}

/** A message of a queue of dead letters. */
export interface Letter {
  readonly id: string;
  readonly body: string;
  /** Sends the same body and attributes to another queue. */
  sendTo(queueUrl: string): Promise<void>;
  remove(): Promise<void>;
  /** Shows it to others again at once. */
  release(): Promise<void>;
}

/** Seconds for which a message is hidden once it was received: longer than a person needs to redeliver it. */
const HIDDEN_SECONDS = 300;
/** SQS asks only some of its servers, so an empty answer alone does not show that a queue is empty. */
const EMPTY_ANSWERS = 3;

/** The address of a queue. The request for it also shows that the queue exists. */
export async function queueUrlOf(sqs: SQSClient, name: string): Promise<string> {
  return (await sqs.send(new GetQueueUrlCommand({ QueueName: name }))).QueueUrl ?? '';
}

/** Opens a queue of dead letters. */
export function openDeadLetters(sqs: SQSClient, QueueUrl: string): DeadLetterQueue {
  const letterOf = ({ MessageId = '', Body = '', MessageAttributes, ReceiptHandle }: Message): Letter => ({
    id: MessageId,
    body: Body,
    sendTo: async (queueUrl) => {
      const copy = { QueueUrl: queueUrl, MessageBody: Body, ...(MessageAttributes && { MessageAttributes }) };
      await sqs.send(new SendMessageCommand(copy));
    },
    remove: async () => {
      await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
    },
    release: async () => {
      await sqs.send(new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout: 0 }));
    },
  });
  return {
    async depth() {
      const AttributeNames = [
        'ApproximateNumberOfMessages',
        'ApproximateNumberOfMessagesNotVisible',
      ] as const;
      const { Attributes = {} } = await sqs.send(
        new GetQueueAttributesCommand({ QueueUrl, AttributeNames: [...AttributeNames] }),
      );
      return AttributeNames.reduce((sum, name) => sum + Number(Attributes[name] ?? 0), 0);
    },
    async *letters() {
      const seen = new Set<string>();
      for (let empty = 0; empty < EMPTY_ANSWERS; ) {
        const { Messages = [] } = await sqs.send(
          new ReceiveMessageCommand({
            QueueUrl,
            MaxNumberOfMessages: 10,
            MessageAttributeNames: ['All'],
            VisibilityTimeout: HIDDEN_SECONDS,
            WaitTimeSeconds: 1,
          }),
        );
        const fresh = Messages.filter(({ MessageId = '' }) => !seen.has(MessageId));
        empty = fresh.length === 0 ? empty + 1 : 0;
        for (const message of fresh) {
          seen.add(message.MessageId ?? '');
          yield letterOf(message);
        }
      }
    },
    async empty() {
      await sqs.send(new PurgeQueueCommand({ QueueUrl }));
    },
  };
}
