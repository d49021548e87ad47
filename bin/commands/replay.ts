import type { SNSClient } from '@aws-sdk/client-sns';
import { ratingSchema } from '../../lambdas/events/changes.ts';
import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import { type Topic, topics } from '../../lambdas/events/topics.ts';
import { factsOf } from '../../lambdas/filters/event-facts.ts';
import type { Filter } from '../../lambdas/filters/filter.ts';
import { attributesOf } from '../../lambdas/publishing/attributes.ts';
import type { Message, Rejection } from '../../lambdas/publishing/message.ts';
import type { Publisher } from '../../lambdas/publishing/publisher.ts';
import { answerLimits } from '../../lambdas/questions/answer-limits.ts';
import { dayOf, formatInstant, instantOf, parseInstant } from '../../lambdas/run/instant.ts';
import type { Log } from '../../lambdas/run/log.ts';
import { printable } from '../../lambdas/run/printable.ts';
import type { HistoryQuery } from '../../lambdas/store/history/history.ts';
import { nothingFoundWords, unreadSentences } from '../../lambdas/store/history/read-part.ts';
import { counted } from '../../lambdas/words/counted.ts';
import { awsProblem, type Io, UsageError } from '../command.ts';
import { declareCommand, flag, needed, type OptionValues } from '../declare-command.ts';
import {
  filterOptions,
  historyOptions,
  limitedExitUsage,
  openHistory,
  readCatalogueName,
  readFilter,
  readPeriod,
} from '../history-options.ts';
import { eventOutput, openOutput, outputOptions } from '../output.ts';
import { isTarget, ReplayError, readTarget, type Target } from '../replay/target.ts';
import { createProgress, logLines } from '../terminal.ts';

const options = {
  ...historyOptions,
  since: needed(historyOptions.since),
  'dry-run': flag('count the events, and publish none'),
  ...outputOptions,
  ...filterOptions,
};

async function run(values: OptionValues<typeof options>, io: Io): Promise<number> {
  const { target, ratings } = readTo(values.to);
  if (target && (values.format !== undefined || values.output !== undefined)) {
    throw new UsageError('--format and --output do not go with --to TARGET, which prints nothing');
  }
  const query = {
    ...readCatalogueName(values),
    ...readPeriod(values, io),
    filter: await readFilter({ ...values, to: ratings }, io),
    order: 'oldest' as const,
  };
  const place = await openHistory(values, io);
  const asked = { place, query, target, since: values.since };
  try {
    if (values['dry-run']) return await countEvents(asked, io);
    if (!target) {
      const output = eventOutput(values.format ?? 'ndjson', openOutput(values.output, io), io);
      const code = await replay(asked, io, async (page) => {
        await output.write(page);
        return [];
      });
      output.close();
      return code;
    }
    const { topicArns } = place;
    const opened = await openTarget(target, { clock: io.clock, log: logLines(io), topicArns });
    try {
      return await replay(asked, io, (page) => opened.publisher.publish(page.map(messageOf)));
    } finally {
      opened.close();
    }
  } finally {
    place.close();
  }
}

interface Asked {
  readonly place: Awaited<ReturnType<typeof openHistory>>;
  readonly query: HistoryQuery & { readonly filter: Filter };
  readonly target: ReturnType<typeof readTo>['target'];
  readonly since: string | undefined;
}

async function countEvents({ place, query, target }: Asked, io: Io): Promise<number> {
  const found = await count(place, query);
  const goal = target ? `sent to ${target.given}` : 'published';
  if (found > 0) io.stderr.write(`Dry run: ${counted(found, 'event')} would be ${goal}\n`);
  return (await sayLimits({ place, query, found }, io)) ? 0 : 3;
}

async function replay({ place, query, target, since }: Asked, io: Io, publish: PublishPage): Promise<number> {
  const progress = createProgress(io, 'events');
  const total = place.isLocal && target ? await count(place, query) : null;
  const { sent, refused, stopped } = await replayEvents({
    records: place.history.findRecords(query),
    since,
    publish,
    // On a terminal that shows the events, they are the progress.
    onSent: (soFar) => {
      if (target || !io.stdout.isTTY) progress.show(soFar, total);
    },
    signal: io.signal,
    hasTarget: target !== undefined,
  }).finally(() => progress.end());
  if (stopped !== null) {
    io.stderr.write(`stopped: ${stopped}\n`);
    return 130;
  }
  if (sent > 0 && target)
    io.stderr.write(`${counted(sent - refused.length, 'event')} sent to ${target.given}\n`);
  const isAnswer = await sayLimits({ place, query, found: sent }, io);
  for (const { message, code, reason } of refused) {
    io.stderr.write(`${printable(`refused for its content: event ${message.id}: ${code} ${reason}`)}\n`);
  }
  if (refused.length > 0) return 1;
  return isAnswer ? 0 : 3;
}

async function count({ history }: Asked['place'], query: HistoryQuery): Promise<number> {
  let events = 0;
  // What is published again is what was published, also where it was corrected since.
  for await (const _event of history.findWithoutRows({ ...query, withCorrected: true })) events++;
  return events;
}

/** Says which names do not exist and what was not read. Returns whether the events are an answer all the same. */
async function sayLimits(
  { place, query, found }: Pick<Asked, 'place' | 'query'> & { readonly found: number },
  io: Io,
): Promise<boolean> {
  const limits = await answerLimits(place, { ...query, found, now: instantOf(io.clock.now()) });
  const { names, read, isAnswer } = limits;
  const nothing = [nothingFoundWords('No event was found', read, isAnswer), ...unreadSentences(read, dayOf)];
  for (const sentence of found > 0 ? names : [...names, ...nothing])
    io.stderr.write(`${printable(sentence)}\n`);
  return isAnswer;
}

function readTo(values: readonly string[] = []) {
  const known: readonly string[] = [...ratingSchema.options, 'unknown'];
  const [given, other] = values.filter(isTarget);
  if (other !== undefined)
    throw new UsageError(`--to names two targets, ${given} and ${other}; give one of them`);
  const rest = values.filter((value) => !isTarget(value));
  const wrong = rest.flatMap((value) => value.split(',')).find((value) => !known.includes(value.trim()));
  if (wrong !== undefined) {
    throw new UsageError(
      `--to ${JSON.stringify(wrong)}: expected a rating (${known.join(', ')}), or a target: an ARN, the address of a queue, or queue:NAME, topic:NAME or function:NAME`,
    );
  }
  const ratings = rest.length > 0 ? rest : undefined;
  return { target: given === undefined ? undefined : readTarget('--to', given), ratings };
}

/** An event of the history as it was published: the body as it is, with the attributes that filters see. */
function messageOf({ event, body }: Replayed): Message {
  const { topic } = factsOf(event);
  return { id: event.id, topic, body, attributes: attributesOf(event) };
}

export const command = declareCommand({
  name: 'replay',
  synopsis: ['--since TIME [--to TARGET] [options]'],
  about: [
    'Publishes events of the history again, oldest first, with the same ids and bodies. It prints them, or sends them to one queue, function or topic. A consumer that remembers ids skips events that it has handled. A replay changes no state. It repeats messages to people only if it sends to a topic: everything that subscribes to that topic gets the events.',
    'With --to TARGET it sends to an SQS queue, a Lambda function or a standard SNS topic: an ARN, the address of a queue, or queue:NAME, function:NAME or topic:NAME; that needs AWS credentials in the environment. A queue gets what raw delivery gives. A function is invoked asynchronously with what SNS passes to it. All events go there; --topic limits them to one topic. --to RATING is a filter. Without a target, the format is ndjson.',
  ],
  options,
  exitCodes: `0 done (also when nothing was found), 1 failed or events were refused (the message says what to repeat), 2 wrong arguments, ${limitedExitUsage}, 130 stopped by Ctrl-C`,
  examples: [
    '$0 replay --since 2026-11-01 --until 2026-11-03 > events.ndjson',
    '$0 replay --stage production --since 2d --topic classifications --to queue:my-queue',
    '$0 replay --stage production --since 2d --to green --to function:re-analyse',
  ],
  run,
});

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
async function openTarget(target: Target, context: TargetContext): Promise<OpenTarget> {
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
    import('../replay/queue-publisher.ts'),
  ]);
  const sqs = new SQSClient(regionOf(target));
  const queueUrl = await findQueue(sqs, target);
  return {
    publisher: createQueuePublisher({ sqs, queueUrl, given: target.given, clock }),
    close: () => sqs.destroy(),
  };
};

const openTopic: Opener = async (target, { clock, log }) => {
  const [{ createPublisher }, { createSnsClient }] = await Promise.all([
    import('../../lambdas/publishing/publisher.ts'),
    import('../../lambdas/publishing/sns-client.ts'),
  ]);
  const sns = createSnsClient(regionOf(target));
  const arn = await findTopic(sns, target);
  const topicArns = Object.fromEntries(topics.map((topic) => [topic, arn])) as Record<Topic, string>;
  return { publisher: createPublisher({ sns, topicArns, clock, log }), close: () => sns.destroy() };
};

/**
 * The ARN of a topic. Where only its name is known, the topics of the account are listed.
 * @throws {ReplayError} when the account has no such topic in the region
 */
async function findTopic(sns: SNSClient, { given, name, account }: Target): Promise<string> {
  if (account !== undefined) return given;
  const { paginateListTopics } = await import('@aws-sdk/client-sns');
  for await (const { Topics = [] } of paginateListTopics({ client: sns }, {})) {
    const found = Topics.find(({ TopicArn }) => TopicArn?.endsWith(`:${name}`));
    if (found?.TopicArn) return found.TopicArn;
  }
  throw new ReplayError(
    `Opening ${given}: this account has no topic "${name}" in ${await sns.config.region()}. Nothing was sent. Give its ARN, or set AWS_REGION.`,
  );
}

const openFunction: Opener = async (target, { clock, topicArns = {} }) => {
  const [{ LambdaClient }, { createFunctionPublisher }] = await Promise.all([
    import('@aws-sdk/client-lambda'),
    import('../replay/function-publisher.ts'),
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

const PAGE = 100;

interface Replayed {
  readonly event: PanelEvent;
  readonly body: string;
}

/** Publishes a page of events; returns those that were refused for their content. */
type PublishPage = (page: readonly Replayed[]) => Promise<readonly Rejection[]>;

interface ReplayOptions {
  readonly records: AsyncIterable<{ readonly body: string }>;
  /** Where the replay begins, as it was given. */
  readonly since: string | undefined;
  readonly publish: PublishPage;
  readonly onSent: (sent: number) => void;
  readonly signal: AbortSignal;
  /** Whether a failure is one of the target: its message then says how to go on. */
  readonly hasTarget: boolean;
}

/**
 * Publishes events of the history again, page by page, until the end or a signal.
 * @throws {ReplayError} when the target fails; how to go on is in its message
 */
async function replayEvents(options: ReplayOptions) {
  const { records, publish, onSent, signal, hasTarget } = options;
  const refused: Rejection[] = [];
  let sent = 0;
  let goOn = options.since;
  let page: Replayed[] = [];
  const send = async (): Promise<void> => {
    refused.push(...(await publish(page)));
    sent += page.length;
    const last = page.findLast(({ event }) => parseInstant(event.time) !== null);
    if (last) goOn = formatInstant(parseInstant(last.event.time) ?? 0n);
    page = [];
    onSent(sent);
  };
  const rest = (): string =>
    `${counted(sent, 'event')} published; to continue, run the same command with --since ${goOn}; it repeats the events of that instant`;
  try {
    for await (const { body } of records) {
      page.push({ body, event: JSON.parse(body) as PanelEvent });
      if (page.length < PAGE) continue;
      await send();
      if (signal.aborted) return { sent, refused, stopped: rest() };
    }
    if (page.length > 0) await send();
  } catch (cause) {
    if (!(cause instanceof Error) || !hasTarget) throw cause;
    throw new ReplayError(`${cause.message} ${rest()}.`, { cause });
  }
  // `stopped`: how to go on, where a signal stopped it before the end.
  return { sent, refused, stopped: null };
}
