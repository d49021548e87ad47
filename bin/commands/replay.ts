import { ratingSchema } from '../../lambdas/events/changes.ts';
import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import { type Filter, factsOf } from '../../lambdas/filters/filter.ts';
import { attributesOf, type Message, type Rejection } from '../../lambdas/publishing/message.ts';
import { answerLimits } from '../../lambdas/questions/answer-limits.ts';
import { dayOf, formatInstant, instantOf, parseInstant } from '../../lambdas/run/instant.ts';
import { counted, printable } from '../../lambdas/run/text.ts';
import type { HistoryQuery } from '../../lambdas/store/history/history.ts';
import { nothingFoundWords, unreadSentences } from '../../lambdas/store/history/read-part.ts';
import { type Io, UsageError } from '../command.ts';
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
import { isTarget, openTarget, ReplayError, readTarget } from '../replay-target.ts';
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
  const place = await openHistory(values, io, { isOfEvents: true });
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
      return await replay(asked, io, (page) => opened.publish(page.map(messageOf)));
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
  const { signal, stderr } = io;
  const refused: Rejection[] = [];
  let sent = 0;
  let goOn = since;
  let page: Replayed[] = [];
  const send = async (): Promise<void> => {
    refused.push(...(await publish(page)));
    sent += page.length;
    const last = page.findLast(({ event }) => parseInstant(event.time) !== null);
    if (last) goOn = formatInstant(parseInstant(last.event.time) ?? 0n);
    page = [];
    // On a terminal that shows the events, they are the progress.
    if (target || !io.stdout.isTTY) progress.show(sent, total);
  };
  const rest = (): string =>
    `${counted(sent, 'event')} published; to continue, run the same command with --since ${goOn}; it repeats the events of that instant`;
  let isStopped = false;
  try {
    for await (const { body } of place.history.findRecords(query)) {
      page.push({ body, event: JSON.parse(body) as PanelEvent });
      if (page.length < PAGE) continue;
      await send();
      isStopped = signal.aborted;
      if (isStopped) break;
    }
    if (page.length > 0) await send();
  } catch (cause) {
    // A failure of the target says how to go on.
    if (!(cause instanceof Error) || !target) throw cause;
    throw new ReplayError(`${cause.message} ${rest()}.`, { cause });
  } finally {
    progress.end();
  }
  if (isStopped) {
    stderr.write(`stopped: ${rest()}\n`);
    return 130;
  }
  if (sent > 0 && target)
    stderr.write(`${counted(sent - refused.length, 'event')} sent to ${target.given}\n`);
  const isAnswer = await sayLimits({ place, query, found: sent }, io);
  for (const { message, code, reason } of refused) {
    stderr.write(`${printable(`refused for its content: event ${message.id}: ${code} ${reason}`)}\n`);
  }
  if (refused.length > 0) return 1;
  return isAnswer ? 0 : 3;
}

const PAGE = 100;

interface Replayed {
  readonly event: PanelEvent;
  readonly body: string;
}

/** Publishes a page of events; returns those that were refused for their content. */
type PublishPage = (page: readonly Replayed[]) => Promise<readonly Rejection[]>;

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
