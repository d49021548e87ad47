import { answerLimits } from '../../lambdas/questions/answer-limits.ts';
import { instantOf } from '../../lambdas/run/instant.ts';
import { printable } from '../../lambdas/run/printable.ts';
import { counted } from '../../lambdas/words/counted.ts';
import { readArguments, readWholeNumber } from '../arguments.ts';
import { type Command, type Io, UsageError } from '../command.ts';
import { optionLines } from '../declare-command.ts';
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
import { defaultState, openForReading } from '../local/open-state.ts';
import {
  eventOutput,
  openOutput,
  outputOptions,
  outputUsage,
  type PrintedEvent,
  readFormat,
} from '../output.ts';
import { openPage, portOption, readPort } from '../page-options.ts';
import { createProgress } from '../progress.ts';
import { untilAborted } from '../until-aborted.ts';

const usage = `
gene-panel-notifier history [options] [word…]

Prints published events, newest first. It searches the words in summaries, names, curators and the rows of the log; all
words must occur.

Options:
${historyUsage}
${periodUsage}
  --limit N            the most events to print (default: 50 as a table, all otherwise)
  --oldest-first       print the oldest event first
  --page               instead of printing, serve the page with the history of --state until Ctrl-C; set filters there
${optionLines({ port: portOption })}

${outputUsage}
  (default: table)

${filterUsage}

Exit codes: 0 done (also when nothing was found), 1 failed, 2 wrong arguments,
${limitedExitUsage}.

Examples:
  gene-panel-notifier history --since 90d --to green --panel-type gms-signed-off
  gene-panel-notifier history --gene BRCA1 --format csv --output brca1.csv
  gene-panel-notifier history mitochondrial --actor "Jo Example"
`;

/** Events that are printed together. */
const PAGE = 200;
const TABLE_LIMIT = 50;

async function run(args: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = readArguments(args, {
    ...historyOptions,
    ...outputOptions,
    ...filterOptions,
    limit: { type: 'string' },
    'oldest-first': { type: 'boolean', default: false },
    page: { type: 'boolean', default: false },
    port: { type: 'string' },
  });
  if (values.page) return servePageOf(values, positionals, io);
  if (values.port !== undefined) throw new UsageError('--port goes with --page only');
  const format = readFormat(values.format, 'table');
  const usual = format === 'table' ? TABLE_LIMIT : undefined;
  const limit =
    values.limit === undefined ? usual : readWholeNumber('--limit', values.limit, { min: 1, max: 1e9 });
  const filter = await readFilter(values, io);
  const scope = readCatalogueName(values);
  const query = {
    ...scope,
    ...readPeriod(values, io),
    filter,
    ...(positionals.length > 0 && { text: positionals.join(' ') }),
    order: values['oldest-first'] ? ('oldest' as const) : ('newest' as const),
    ...(limit !== undefined && { limit: limit + 1 }),
  };
  const opened = await openHistory(values, io);
  const { history, close } = opened;
  try {
    const output = eventOutput(format, openOutput(values.output, io), io);
    let [count, more] = [0, false];
    let page: PrintedEvent[] = [];
    const progress = createProgress(io, 'events');
    for await (const { body } of history.findRecords(query)) {
      more = count === limit;
      if (more) break;
      count++;
      page.push({ body, event: JSON.parse(body) });
      if (page.length === PAGE) {
        await output.write(page);
        page = [];
        // On a terminal that shows the events, they are the progress.
        if (values.output !== undefined || !io.stdout.isTTY) progress.show(count, null);
      }
    }
    progress.end();
    await output.write(page);
    const limits = await answerLimits(opened, {
      ...query,
      found: count,
      now: instantOf(io.clock.now()),
    });
    for (const sentence of limitSentences(limits, count)) {
      io.stderr.write(`${printable(sentence)}\n`);
      await output.note('note', sentence);
    }
    output.close();
    if (more)
      io.stderr.write(
        `These are the ${values['oldest-first'] ? 'oldest' : 'newest'} ${counted(count, 'event')}; --limit shows more.\n`,
      );
    return limits.isAnswer ? 0 : 3;
  } finally {
    close();
  }
}

type Values = Readonly<Record<string, unknown>> & { readonly state?: string; readonly port?: string };

/** Serves the page, without polling, until the person stops it. */
async function servePageOf(values: Values, words: readonly string[], io: Io): Promise<number> {
  const isSet = (name: string): boolean => values[name] !== undefined && values[name] !== false;
  const other = Object.keys(values).find((name) => isSet(name) && !['page', 'port', 'state'].includes(name));
  if (other !== undefined || words.length > 0) {
    const seen = other === undefined ? JSON.stringify(words[0]) : `--${other}`;
    throw new UsageError(`--page goes with --state and --port only; saw ${seen}. Set filters on the page.`);
  }
  const port = readPort(values.port);
  const file = openForReading(values.state ?? defaultState);
  try {
    const page = await openPage({ file }, port, io);
    io.stderr.write('Serving the history of earlier polls (Ctrl-C stops)\n');
    await untilAborted(io.signal);
    await page.close();
    return 0;
  } finally {
    file.close();
  }
}

export const command: Command = { name: 'history', usage, run };
