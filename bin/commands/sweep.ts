import { defaultSameChangePercent, defaultShrunkenPercent } from '../../lambdas/functions/sweep/settings.ts';
import { accessUsage } from '../access.ts';
import { readNumber, readOptions } from '../arguments.ts';
import type { Command, Io } from '../command.ts';
import { filterOptions, filterUsage, readFilter } from '../filter-options.ts';
import { createPrintPublisher } from '../local/print-publisher.ts';
import { openCatalogue, runOnce } from '../local/run-once.ts';
import { eventOutput, openOutput, outputOptions, outputUsage, readFormat } from '../output.ts';
import { catalogueOptions, catalogueUsage } from '../poll-options.ts';
import { summaryOfSweep } from '../sweep-summary.ts';

const usage = `
gene-panel-notifier sweep --catalogue URL [options]

Reads the lists of panels and regions once, compares them with those that the last sweep stored, and prints the changes
that have no row in the activity log (docs/sweep.md). Where something differs, it reads the log first, as poll does, and
prints those events too; before the first poll of a catalogue it prints nothing. The first sweep only stores the lists.
sweep, poll and watch share one state; watch sweeps by itself, and sends the messages of what sweep publishes at its next start.

Options:
  --catalogue URL      the catalogue, with or without /api/v1/
${catalogueUsage}
  --shrunken-listing PERCENT
                       publish nothing where more of the panels or regions than this are missing
                       (default: ${defaultShrunkenPercent})
  --same-change PERCENT
                       wait where more of the panels than this have the same kind of change, until a sweep an hour later
                       sees the same (default: ${defaultSameChangePercent})
  --accept             accept what the lists show, that of signed-off versions too: nothing waits, and panels with other ids
                       are stored without events

${outputUsage}

${filterUsage}
  A filter limits what is printed; the history keeps every event.

${accessUsage}

Exit codes: 0 done (also when nothing changed), 1 failed or the lists were not trusted (nothing is lost: sweep again),
2 wrong arguments, 130 stopped by Ctrl-C or a signal (nothing is lost).

Example:
  gene-panel-notifier sweep --catalogue https://panelapp-aus.org --format table
`;

async function run(args: readonly string[], io: Io): Promise<number> {
  const values = readOptions(args, {
    ...catalogueOptions,
    'shrunken-listing': { type: 'string', default: String(defaultShrunkenPercent) },
    'same-change': { type: 'string', default: String(defaultSameChangePercent) },
    accept: { type: 'boolean', default: false },
    ...outputOptions,
    ...filterOptions,
  });
  const shrunkenPercent = readNumber('--shrunken-listing', values['shrunken-listing'], { min: 0, max: 100 });
  const sameChangePercent = readNumber('--same-change', values['same-change'], { min: 0, max: 100 });
  const catalogue = openCatalogue(values, io);
  const filter = await readFilter(values, io);
  const output = eventOutput(readFormat(values.format, 'ndjson'), openOutput(values.output, io), io);
  const publisher = createPrintPublisher(output, filter);
  return runOnce(catalogue, { shrunkenPercent, sameChangePercent, publisher, output }, async (notifier) => {
    publisher.follow(notifier.file);
    const report = await notifier.sweep(values.accept);
    await publisher.printMissed();
    io.stderr.write(`${summaryOfSweep(report, notifier.requests)}\n`);
    return report.refusal !== null ? 1 : 0;
  });
}

export const command: Command = { name: 'sweep', usage, run };
