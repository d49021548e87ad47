import type { PollReport } from '../../lambdas/poll/report.ts';
import { counted } from '../../lambdas/words/counted.ts';
import { readOptions } from '../arguments.ts';
import type { Command, Io } from '../command.ts';
import { readFilter } from '../filter-options.ts';
import { createPrintPublisher } from '../local/print-publisher.ts';
import { openCatalogue, runOnce } from '../local/run-once.ts';
import { sayUnknownNames } from '../local/say-unknown-names.ts';
import { eventOutput, openOutput, readFormat } from '../output.ts';
import { pollOptions, pollUsage, readPollOptions } from '../poll-options.ts';

const usage = `
gene-panel-notifier poll --catalogue URL [options]

Reads the catalogue's activity log once, back to where the last poll ended, and prints the events, one JSON object a
line. It keeps its place in the log and the history of events in a folder. The first poll bookmarks the newest row and
prints nothing; use --from to start earlier.

The first Ctrl-C ends the poll after the events that it is printing. A second Ctrl-C ends it at once; the next poll may
then print some events again.

Options:
  --catalogue URL      the catalogue, with or without /api/v1/
${pollUsage}

Exit codes: 0 done (also when there was nothing new), 1 failed (nothing is lost: poll again), 2 wrong arguments,
130 stopped by Ctrl-C or a signal (nothing is lost).

Examples:
  gene-panel-notifier poll --catalogue https://panelapp-aus.org --from 2026-11-01 --output events.ndjson
  gene-panel-notifier poll --catalogue https://panelapp-aus.org --to green --genes-file my-genes.txt --format table
`;

async function run(args: readonly string[], io: Io): Promise<number> {
  const values = readOptions(args, pollOptions);
  const given = readPollOptions(values, io);
  const catalogue = openCatalogue(values, io);
  const filter = await readFilter(values, io);
  const format = readFormat(values.format, 'ndjson');
  const output = eventOutput(format, openOutput(values.output, io), io);
  const publisher = createPrintPublisher(output, filter);
  return runOnce(catalogue, { ...given, publisher, output }, async (notifier) => {
    publisher.follow(notifier.file);
    const report = await notifier.poll();
    await publisher.printMissed();
    const { printed } = publisher;
    io.stderr.write(`${summaryOf(report, notifier.requests, printed)}\n`);
    if (report.outcome !== 'quiet') await sayUnknownNames({ file: notifier.file, filter, printed }, io);
    return 0;
  });
}

/** What a poll did, in a line. */
function summaryOf(report: PollReport, requests: number, printed: number): string {
  const { outcome, notBefore, activities, late, quarantined } = report;
  const asked = counted(requests, 'request');
  if (outcome === 'begun') return `bookmarked the newest row; the next poll prints what is new (${asked})`;
  if (notBefore !== null) {
    return `the catalogue asked to wait until ${new Date(notBefore).toISOString()}; poll again after that`;
  }
  if (outcome === 'quiet') return `nothing new (${asked})`;
  const events = Object.values(report.events).reduce((sum, count) => sum + count, 0);
  const unclassified = report.events['gene-panel.activity.unclassified.v1'] ?? 0;
  const facts = [
    `${counted(events, 'event')} from ${counted(activities, 'row')}`,
    printed < events && `${printed} of them match the filter and were printed`,
    late > 0 && `${late} late`,
    unclassified > 0 && `${unclassified} unclassified`,
    quarantined > 0 && `${quarantined} from rows that could not be read`,
    asked,
  ];
  return facts.filter(Boolean).join(', ');
}

export const command: Command = {
  name: 'poll',
  usage,
  run,
};
