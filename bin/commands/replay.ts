import { formatInstant, parseInstant } from '../../lambdas/clock/instant.ts';
import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import { attributesOf } from '../../lambdas/publishing/attributes.ts';
import type { Message } from '../../lambdas/publishing/message.ts';
import { factsOf } from '../../lambdas/subscriptions/event-facts.ts';
import { readArguments, required } from '../arguments.ts';
import { type Command, type Io, UsageError } from '../command.ts';
import { counted } from '../counted.ts';
import { filterOptions, filterUsage, readFilter } from '../filter-options.ts';
import {
  historyOptions,
  historyUsage,
  openHistory,
  periodUsage,
  readCatalogueName,
  readPeriod,
} from '../history-options.ts';
import { logLines } from '../log-lines.ts';
import { eventOutput, openOutput, outputOptions, outputUsage, readFormat } from '../output.ts';
import { createProgress } from '../progress.ts';
import { openTarget } from '../replay/open-target.ts';
import { ReplayError } from '../replay/replay-error.ts';
import { readTarget } from '../replay/target.ts';

const usage = `
gene-panel-notifier replay --since TIME [options]

Publishes events of the history again, oldest first, with the same ids and bodies: to standard output, or to a topic or
queue. Consumers recognise by the id what they have handled before. A replay changes no state and repeats no mail of
subscriptions, except through the topic that it sends to: everything that subscribes to that topic gets the events.

Options:
${historyUsage}
${periodUsage}
  --to-arn ARN         send to this SNS topic or SQS queue, with the AWS credentials of the environment
                       (sns:Publish, or sqs:GetQueueUrl and sqs:SendMessage, and the use of its key);
                       all events go there: --topic limits them to one family
  --dry-run            say how many events there are, and publish none

${outputUsage}
  (default: ndjson; not with --to-arn)

${filterUsage}

To invoke a Lambda function, name a queue or topic that it reads.

Exit codes: 0 done (also when nothing was found), 1 failed, or events were refused: what to repeat is said,
2 called wrongly, 130 stopped by Ctrl-C.

Examples:
  gene-panel-notifier replay --since 2026-11-01 --until 2026-11-03 > events.ndjson
  gene-panel-notifier replay --table History --since 2d --topic classifications \\
    --to-arn arn:aws:sqs:eu-west-2:123456789012:my-queue
`;

/** Events that are published together. */
const PAGE = 100;

/** Publishes a page of events; gives how many of them were refused for their content. */
type PublishPage = (page: readonly Replayed[]) => Promise<number>;

interface Replayed {
  readonly event: PanelEvent;
  readonly body: string;
}

async function run(args: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = readArguments(args, {
    ...historyOptions,
    ...outputOptions,
    ...filterOptions,
    'to-arn': { type: 'string' },
    'dry-run': { type: 'boolean', default: false },
  });
  if (positionals.length > 0) {
    throw new UsageError(`saw ${JSON.stringify(positionals[0])}; wanted options only`);
  }
  required('--since TIME', values.since);
  const target = values['to-arn'] === undefined ? undefined : readTarget('--to-arn', values['to-arn']);
  if (target && (values.format !== undefined || values.output !== undefined)) {
    throw new UsageError('--format and --output do not go with --to-arn, which prints nothing');
  }
  const format = readFormat(values.format, 'ndjson');
  const query = {
    ...readCatalogueName(values),
    ...readPeriod(values, io),
    filter: await readFilter(values, io),
    order: 'oldest' as const,
  };
  const { history, close } = await openHistory(values, io);
  try {
    if (values['dry-run']) {
      let count = 0;
      for await (const _event of history.findWithoutRows(query)) count++;
      io.stderr.write(`${counted(count, 'event')} would be published; nothing was\n`);
      return 0;
    }
    if (!target) {
      const output = eventOutput(format, openOutput(values.output, io), io);
      const code = await replay(async (page) => {
        await output.write(page);
        return 0;
      });
      output.close();
      return code;
    }
    const opened = await openTarget(target, io, logLines(io));
    try {
      return await replay(async (page) => (await opened.publisher.publish(page.map(messageOf))).length);
    } finally {
      opened.close();
    }
  } finally {
    close();
  }

  async function replay(publish: PublishPage): Promise<number> {
    const progress = createProgress(io, 'events');
    let [sent, refused] = [0, 0];
    let goOn = values.since;
    let page: Replayed[] = [];
    const send = async (): Promise<void> => {
      const last = page.findLast(({ event }) => parseInstant(event.time) !== null);
      refused += await publish(page);
      sent += page.length;
      if (last) goOn = formatInstant(parseInstant(last.event.time) ?? 0n);
      page = [];
      progress.show(sent, null);
    };
    const rest = (): string =>
      `${counted(sent, 'event')} published; the same command with --since ${goOn} goes on, and repeats those of that instant`;
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
    if (target) io.stderr.write(`${counted(sent - refused, 'event')} sent to ${target.arn}\n`);
    else if (sent === 0) io.stderr.write('No event found.\n');
    if (refused === 0) return 0;
    io.stderr.write(`${counted(refused, 'event')} refused for its content\n`);
    return 1;
  }
}

/** An event of the history as it was published: the body as it is, with the attributes that filters see. */
function messageOf({ event, body }: Replayed): Message {
  const { topic } = factsOf(event);
  return { id: event.id, topic, body, attributes: attributesOf(event) };
}

export const command: Command = { name: 'replay', usage, run };
