import { formatInstant, instantOf, parseInstant } from '../../lambdas/clock/instant.ts';
import { ratingSchema } from '../../lambdas/events/changes.ts';
import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import { counted } from '../../lambdas/messages/counted.ts';
import { attributesOf } from '../../lambdas/publishing/attributes.ts';
import type { Message, Rejection } from '../../lambdas/publishing/message.ts';
import { answerLimits } from '../../lambdas/reports/answer-limits.ts';
import { factsOf } from '../../lambdas/subscriptions/event-facts.ts';
import { printable } from '../../lambdas/text/printable.ts';
import { readArguments, required } from '../arguments.ts';
import { type Command, type Io, UsageError } from '../command.ts';
import { filterOptions, filterUsage, readFilter } from '../filter-options.ts';
import {
  historyOptions,
  historyUsage,
  openHistory,
  periodUsage,
  readCatalogueName,
  readPeriod,
} from '../history-options.ts';
import { limitSentences } from '../limit-sentences.ts';
import { limitedExitUsage } from '../limited-exit.ts';
import { logLines } from '../log-lines.ts';
import { eventOutput, openOutput, outputOptions, outputUsage, readFormat } from '../output.ts';
import { createProgress } from '../progress.ts';
import { openTarget } from '../replay/open-target.ts';
import { ReplayError } from '../replay/replay-error.ts';
import { isTarget, readTarget } from '../replay/target.ts';

const usage = `
gene-panel-notifier replay --since TIME [options]

Publishes events of the history again, oldest first, with the same ids and bodies. It prints them, or sends them to one
queue, function or topic. A consumer that remembers ids skips events that it has handled. A replay changes no state. It
repeats messages to people only if it sends to a topic: everything that subscribes to that topic gets the events.

Options:
${historyUsage}
${periodUsage}
  --to TARGET          send to this SQS queue, Lambda function or standard SNS topic: an ARN, the address of a queue, or
                       queue:NAME, function:NAME or topic:NAME; needs AWS credentials in the environment. A queue gets
                       what raw delivery gives. A function is invoked asynchronously with what SNS passes to it. All
                       events go there; --topic limits them to one topic. (--to RATING is the filter below)
  --dry-run            count the events, and publish none

${outputUsage}
  (default: ndjson; not with --to TARGET)

${filterUsage}

Exit codes: 0 done (also when nothing was found), 1 failed or events were refused (the message says what to repeat),
2 wrong arguments, ${limitedExitUsage}, 130 stopped by Ctrl-C.

Examples:
  gene-panel-notifier replay --since 2026-11-01 --until 2026-11-03 > events.ndjson
  gene-panel-notifier replay --stage production --since 2d --topic classifications --to queue:my-queue
  gene-panel-notifier replay --stage production --since 2d --to green --to function:re-analyse
`;

/** Events that are published together. */
const PAGE = 100;

/** Publishes a page of events; gives those that were refused for their content. */
type PublishPage = (page: readonly Replayed[]) => Promise<readonly Rejection[]>;

interface Replayed {
  readonly event: PanelEvent;
  readonly body: string;
}

async function run(args: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = readArguments(args, {
    ...historyOptions,
    ...outputOptions,
    ...filterOptions,
    'dry-run': { type: 'boolean', default: false },
  });
  if (positionals.length > 0) {
    throw new UsageError(`saw ${JSON.stringify(positionals[0])}; expected options only`);
  }
  required('--since TIME', values.since);
  const { target, ratings } = readTo(values.to);
  if (target && (values.format !== undefined || values.output !== undefined)) {
    throw new UsageError('--format and --output do not go with --to TARGET, which prints nothing');
  }
  const format = readFormat(values.format, 'ndjson');
  const query = {
    ...readCatalogueName(values),
    ...readPeriod(values, io),
    filter: await readFilter({ ...values, to: ratings }, io),
    order: 'oldest' as const,
  };
  const place = await openHistory(values, io);
  const { history, isLocal, topicArns, close } = place;
  try {
    if (values['dry-run']) {
      const goal = target ? `sent to ${target.given}` : 'published';
      const found = await count();
      if (found > 0) io.stderr.write(`Dry run: ${counted(found, 'event')} would be ${goal}\n`);
      return (await sayLimits(found)) ? 0 : 3;
    }
    if (!target) {
      const output = eventOutput(format, openOutput(values.output, io), io);
      const code = await replay(async (page) => {
        await output.write(page);
        return [];
      });
      output.close();
      return code;
    }
    const opened = await openTarget(target, { clock: io.clock, log: logLines(io), topicArns });
    try {
      return await replay((page) => opened.publisher.publish(page.map(messageOf)));
    } finally {
      opened.close();
    }
  } finally {
    close();
  }

  /** Says which names do not exist and what was not read. Returns whether the events are an answer all the same. */
  async function sayLimits(found: number): Promise<boolean> {
    const limits = await answerLimits(place, { ...query, found, now: instantOf(io.clock.now()) });
    const sentences = found > 0 ? limits.names : limitSentences(limits, found);
    for (const sentence of sentences) io.stderr.write(`${printable(sentence)}\n`);
    return limits.isAnswer;
  }

  async function count(): Promise<number> {
    let events = 0;
    for await (const _event of history.findWithoutRows(query)) events++;
    return events;
  }

  async function replay(publish: PublishPage): Promise<number> {
    const progress = createProgress(io, 'events');
    const total = isLocal && target ? await count() : null;
    const refused: Rejection[] = [];
    let sent = 0;
    let goOn = values.since;
    let page: Replayed[] = [];
    const send = async (): Promise<void> => {
      refused.push(...(await publish(page)));
      sent += page.length;
      const last = page.findLast(({ event }) => parseInstant(event.time) !== null);
      if (last) goOn = formatInstant(parseInstant(last.event.time) ?? 0n);
      page = [];
      progress.show(sent, total);
    };
    const rest = (): string =>
      `${counted(sent, 'event')} published; to continue, run the same command with --since ${goOn}; it repeats the events of that instant`;
    try {
      for await (const { body } of history.findRecords(query)) {
        page.push({ body, event: JSON.parse(body) as PanelEvent });
        if (page.length < PAGE) continue;
        await send();
        if (!io.signal.aborted) continue;
        io.stderr.write(`stopped: ${rest()}\n`);
        return 130;
      }
      if (page.length > 0) await send();
    } catch (cause) {
      if (!(cause instanceof Error) || !target) throw cause;
      throw new ReplayError(`${cause.message} ${rest()}.`, { cause });
    } finally {
      progress.end();
    }
    if (sent > 0 && target)
      io.stderr.write(`${counted(sent - refused.length, 'event')} sent to ${target.given}\n`);
    const isAnswer = await sayLimits(sent);
    for (const { message, code, reason } of refused) {
      io.stderr.write(`${printable(`refused for its content: event ${message.id}: ${code} ${reason}`)}\n`);
    }
    if (refused.length > 0) return 1;
    return isAnswer ? 0 : 3;
  }
}

/** The target and the ratings among the values of `--to`. */
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

export const command: Command = { name: 'replay', usage, run };
