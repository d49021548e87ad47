import type { PollReport } from '../../lambdas/poll/report.ts';
import { openAccess } from '../access.ts';
import { readCatalogue, readOptions, required } from '../arguments.ts';
import type { Command, Io } from '../command.ts';
import { startLocalNotifier } from '../local/notifier.ts';
import { logLines } from '../log-lines.ts';
import { pollOptions, pollUsage, readPollOptions } from '../poll-options.ts';
import { createProgress } from '../progress.ts';

const usage = `
gene-panel-notifier poll --catalogue URL [options]

Reads the catalogue's activity log once, back to where the last poll ended, and prints the events it published,
one JSON object a line. The place in the log is kept in a directory. The first poll only takes its place at the
newest row and prints nothing, unless it is told from where to start. Ctrl-C ends it once the events that are
being printed are safe; a second one ends it at once, and the next poll may print some of them again.

Options:
  --catalogue URL      the catalogue, with or without /api/v1/
${pollUsage}

Exit codes: 0 done (also when there was nothing new), 1 failed: nothing is lost, poll again, 2 called wrongly,
130 stopped by Ctrl-C or a signal: nothing is lost either.

Example:
  gene-panel-notifier poll --catalogue https://panelapp-aus.org --from 2026-11-01 > events.ndjson
`;

async function run(args: readonly string[], io: Io): Promise<number> {
  const values = readOptions(args, pollOptions);
  const url = readCatalogue('--catalogue', required('--catalogue URL', values.catalogue));
  const log = logLines(io);
  const { access, close } = openAccess(values, io, log);
  const progress = createProgress(io, 'events published', null);
  const notifier = await startLocalNotifier({
    ...readPollOptions(values, io),
    url,
    access,
    log,
    io,
    onPublished: (messages) => {
      for (const { body } of messages) io.stdout.write(`${body}\n`);
      progress.add(messages.length);
    },
  });
  try {
    const report = await notifier.poll();
    progress.end();
    io.stderr.write(`${summaryOf(report, notifier.requests)}\n`);
    return 0;
  } catch (error) {
    progress.end();
    if (error !== io.signal.reason) throw error;
    io.stderr.write('stopped; nothing is lost: the same command goes on from here\n');
    return 130;
  } finally {
    await notifier.close();
    await close();
  }
}

/** What a poll did, in a line. */
function summaryOf(report: PollReport, requests: number): string {
  const { outcome, notBefore, activities, late, quarantined } = report;
  const asked = `${requests} ${requests === 1 ? 'request' : 'requests'}`;
  if (outcome === 'begun') return `began at the newest row; the next poll tells what is new (${asked})`;
  if (notBefore !== null) {
    return `was asked to wait until ${new Date(notBefore).toISOString()}; a poll after that goes on`;
  }
  if (outcome === 'quiet') return `nothing new (${asked})`;
  const events = Object.values(report.events).reduce((sum, count) => sum + count, 0);
  const unclassified = report.events['gene-panel.activity.unclassified.v1'] ?? 0;
  const facts = [
    `${events} events of ${activities} activities`,
    late > 0 && `${late} of them late`,
    unclassified > 0 && `${unclassified} unclassified`,
    quarantined > 0 && `${quarantined} refused by SNS`,
    asked,
  ];
  return facts.filter(Boolean).join(', ');
}

export const command: Command = {
  name: 'poll',
  summary: 'read what is new in a catalogue once, and print its events',
  usage,
  run,
};
