import { answerLimits, unreadLimits } from '../../lambdas/questions/answer-limits.ts';
import { exitCodeOf, utcTimes } from '../../lambdas/questions/question.ts';
import { instantOf } from '../../lambdas/run/instant.ts';
import { printable } from '../../lambdas/run/printable.ts';
import { counted } from '../../lambdas/words/counted.ts';
import { readWholeNumber } from '../arguments.ts';
import type { Io } from '../command.ts';
import { declareWithOperands, flag, type OptionValues, text } from '../declare-command.ts';
import { filterOptions, readFilter } from '../filter-options.ts';
import { historyOptions, openHistory, readCatalogueName, readPeriod } from '../history-options.ts';
import { limitedExitUsage, limitSentences } from '../limit-sentences.ts';
import { eventOutput, openOutput, outputOptions, type PrintedEvent, readFormat } from '../output.ts';
import { createProgress } from '../progress.ts';

const options = {
  ...historyOptions,
  limit: text('N', 'the most events to print (default: 50 as a table, all otherwise)'),
  'oldest-first': flag('print the oldest event first'),
  ...outputOptions,
  ...filterOptions,
};

/** Events that are printed together. */
const PAGE = 200;
const TABLE_LIMIT = 50;

async function run(
  values: OptionValues<typeof options>,
  positionals: readonly string[],
  io: Io,
): Promise<number> {
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
    return exitCodeOf([...limits.limits, ...unreadLimits(limits.read, utcTimes)]);
  } finally {
    close();
  }
}

export const command = declareWithOperands({
  name: 'history',
  synopsis: ['[options] [word…]'],
  about: [
    'Prints published events, newest first. It searches the words in summaries, names, curators and the rows of the log; all words must occur.',
  ],
  options,
  exitCodes: `0 done (also when nothing was found), 1 failed, 2 wrong arguments, ${limitedExitUsage}, 4 done, and a part of the period was not read`,
  examples: [
    '$0 history --since 90d --to green --panel-type gms-signed-off',
    '$0 history --gene BRCA1 --format csv --output brca1.csv',
    '$0 history mitochondrial --actor "Jo Example"',
  ],
  run,
});
