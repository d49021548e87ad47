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
import { counted, printable } from '../../lambdas/run/text.ts';
import { type Io, UsageError } from '../command.ts';
import { declareWithOperands, flag, needed, type Run, text } from '../declare-command.ts';
import { readTarget, replayError } from '../replay-target.ts';
import { findStage } from '../stage.ts';

const queues = {
  'missed-runs': 'runs that the scheduler could not start',
  'failed-runs': 'runs that failed twice',
  undelivered: 'messages that a subscription could not deliver',
  unsent: 'messages to people that could not be sent for a day',
} as const;
type QueueName = keyof typeof queues;

const SHOWN = 200;

const options = {
  stage: needed(text('NAME', 'the stage of the settings, such as production')),
  config: text('FILE', 'the settings file (default: notifier.config.ts)'),
  redeliver: flag(
    "send each message, as it is, to the queue of --to, and remove it here. AWS's own command for that (start-message-move-task) refuses queues that serve SNS",
  ),
  to: text(
    'QUEUE',
    "the queue that gets them: its ARN or address, or queue:NAME. For unsent, the stage's own queue of notify where absent",
  ),
  empty: flag('remove all messages for good; needs --yes'),
  yes: flag('remove them'),
};

const run: Run<typeof options> = async (values, operands, io) => {
  const name = readQueue(operands);
  const { redeliver, empty, yes, to } = values;
  if ((redeliver || empty) && name === undefined)
    throw new UsageError(`name one queue: ${Object.keys(queues).join(', ')}`);
  if (redeliver && empty) throw new UsageError('--redeliver and --empty exclude each other');
  if (to !== undefined && !redeliver) throw new UsageError('--to goes with --redeliver only');
  if (yes && !empty) throw new UsageError('--yes goes with --empty only');
  const { stack, region } = await findStage(values, io);
  const { SQSClient } = await import('@aws-sdk/client-sqs');
  const sqs = new SQSClient({ region });
  try {
    const open = async (queue: QueueName): Promise<DeadLetterQueue> =>
      openDeadLetters(sqs, await queueUrlOf(sqs, `${stack}-${queue}`));
    if (name === undefined) {
      for (const [each, holds] of Object.entries(queues) as [QueueName, string][]) {
        const depth = await (await open(each)).depth();
        io.stdout.write(`${each.padEnd(12)} ${String(depth).padStart(6)}  ${holds}\n`);
      }
      return 0;
    }
    const queue = await open(name);
    if (empty) return await removeAll(queue, { name, yes }, io);
    if (redeliver) {
      const url = await queueUrlOf(sqs, targetOf(name, stack, to));
      return await sendAll(queue, url, io);
    }
    return await showLetters(queue, name, io);
  } catch (cause) {
    if (cause instanceof UsageError) throw cause;
    throw replayError(`Reading the queues of "${stack}" in ${region}`, cause);
  } finally {
    sqs.destroy();
  }
};

function readQueue([name, other]: readonly string[]): QueueName | undefined {
  if (name === undefined) return undefined;
  if (!Object.hasOwn(queues, name) || other !== undefined) {
    const seen = JSON.stringify(other ?? name);
    throw new UsageError(`saw ${seen}; expected one of ${Object.keys(queues).join(', ')}`);
  }
  return name as QueueName;
}

function targetOf(name: QueueName, stack: string, to: string | undefined): string {
  if (to === undefined) {
    if (name === 'unsent') return `${stack}-notify`;
    throw new UsageError(`--redeliver needs --to QUEUE for ${name}`);
  }
  const target = readTarget('--to', to);
  if (target.kind === 'queue') return target.name;
  throw new UsageError(
    `--to ${JSON.stringify(to)}: expected a queue; "replay --to" sends events of the history to a function or topic`,
  );
}

async function showLetters(queue: DeadLetterQueue, name: QueueName, io: Io): Promise<number> {
  const depth = await queue.depth();
  const shown: { release(): Promise<void> }[] = [];
  try {
    for await (const letter of queue.letters()) {
      const { id, body } = letter;
      shown.push(letter);
      io.stdout.write(`${printable(`${id}  ${body.slice(0, SHOWN)}${body.length > SHOWN ? '…' : ''}`)}\n`);
      if (io.signal.aborted) return 130;
    }
  } finally {
    // Who looks wants to redeliver next: that must find them.
    for (const letter of shown) await letter.release();
  }
  const hidden = depth - shown.length;
  io.stderr.write(`${counted(shown.length, 'message')} in ${name}${hiddenWords(hidden)}\n`);
  return hidden > 0 ? 1 : 0;
}

/** An empty answer does not show that a queue is empty: who received a message hides it from others. */
const hiddenWords = (hidden: number): string =>
  hidden > 0
    ? `. ${hidden} more ${hidden === 1 ? 'is' : 'are'} hidden: somebody received them. Try again in five minutes.`
    : '';

async function sendAll(queue: DeadLetterQueue, url: string, io: Io): Promise<number> {
  const depth = await queue.depth();
  let sent = 0;
  try {
    for await (const letter of queue.letters()) {
      await letter.sendTo(url);
      await letter.remove();
      sent++;
      if (io.signal.aborted) return 130;
    }
  } finally {
    const hidden = hiddenWords(depth - sent);
    io.stderr.write(`${counted(sent, 'message')} sent to ${url}, and removed here${hidden}\n`);
  }
  return depth > sent ? 1 : 0;
}

async function removeAll(
  queue: DeadLetterQueue,
  { name, yes }: { readonly name: QueueName; readonly yes: boolean },
  io: Io,
): Promise<number> {
  const depth = await queue.depth();
  if (!yes) {
    io.stderr.write(
      `${counted(depth, 'message')} of ${name} would be removed for good. Nothing was removed. Add --yes.\n`,
    );
    return 2;
  }
  await queue.empty();
  io.stderr.write(`${name} is being emptied: ${counted(depth, 'message')}. SQS takes up to a minute\n`);
  return 0;
}

export const command = declareWithOperands({
  name: 'messages queues',
  synopsis: ['--stage NAME [QUEUE] [options]'],
  about: [
    `Shows the queues of dead letters of a deployed stage, or the messages of one of them: ${Object.keys(queues).join(', ')}. It sends messages to another queue again, or removes them. Needs AWS credentials in the environment.`,
  ],
  options,
  notes: [
    'A message that could not be sent is in the queue again five minutes later. A redelivered event may arrive a second time; consumers recognise it by its id.',
  ],
  exitCodes:
    '0 done, 1 failed, or messages are hidden because somebody received them, 2 wrong arguments, or --empty without --yes (nothing was removed)',
  examples: [
    '$0 messages queues --stage production',
    '$0 messages queues --stage production undelivered',
    '$0 messages queues --stage production undelivered --redeliver --to queue:our-pipeline',
    '$0 messages queues --stage production missed-runs --empty --yes',
  ],
  run,
});

type DeadLetterQueue = ReturnType<typeof openDeadLetters>;

/** Seconds for which a message is hidden once it was received: longer than a person needs to redeliver it. */
const HIDDEN_SECONDS = 300;
/** SQS asks only some of its servers, so an empty answer alone does not show that a queue is empty. */
const EMPTY_ANSWERS = 3;

/** The address of a queue. The request for it also shows that the queue exists. */
async function queueUrlOf(sqs: SQSClient, name: string): Promise<string> {
  return (await sqs.send(new GetQueueUrlCommand({ QueueName: name }))).QueueUrl ?? '';
}

function openDeadLetters(sqs: SQSClient, QueueUrl: string) {
  const letterOf = ({ MessageId = '', Body = '', MessageAttributes, ReceiptHandle }: Message) => ({
    id: MessageId,
    body: Body,
    /** Sends the same body and attributes to another queue. */
    sendTo: async (queueUrl: string) => {
      const copy = { QueueUrl: queueUrl, MessageBody: Body, ...(MessageAttributes && { MessageAttributes }) };
      await sqs.send(new SendMessageCommand(copy));
    },
    remove: async () => {
      await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
    },
    /** Shows it to others again at once. */
    release: async () => {
      await sqs.send(new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout: 0 }));
    },
  });
  return {
    /** About how many messages it holds, hidden ones included; SQS counts no better. */
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
    /**
     * Its messages, each once. Each is hidden from others for some minutes, and is in the queue again after that unless it
     * is removed, or sooner where it is released.
     */
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
    /** Removes all messages for good. */
    async empty() {
      await sqs.send(new PurgeQueueCommand({ QueueUrl }));
    },
  };
}
