import type { PollReport } from '../../lambdas/poll/report.ts';
import { minutes } from '../../lambdas/position/instant.ts';
import { accessFromEnvironment } from '../access.ts';
import { readArguments, readNumber, readTime, required } from '../arguments.ts';
import type { Command, Io } from '../command.ts';
import { startLocalNotifier } from '../local/notifier.ts';
import { logLines } from '../log-lines.ts';

const usage = `
gene-panel-notifier poll --catalogue URL [options]

Reads the catalogue's activity log once, back to where the last poll ended, and prints the events it published,
one JSON object a line. The place in the log is kept in a directory. The first poll only takes its place at the
newest row and prints nothing, unless it is told from where to start.

Options:
  --catalogue URL      the catalogue, with or without /api/v1/
  --state DIR          where the place in the log is kept (default: .gene-panel-notifier)
  --name NAME          name of the catalogue in the events and in the state (default: catalogue)
  --from TIME          first poll only: tell everything since then (2026-01-31 or 2026-01-31T12:00:00Z)
  --learn-since TIME   first poll only: learn ratings from older rows without telling them, so that the first
                       events know what a rating was before
  --overlap MINUTES    how far behind the mark to look for rows that the log shows late (default: 15)

Environment:
  CATALOGUE_AUTHORIZATION   value of the Authorization header, such as "Token …" (default: none is sent)

Exit codes: 0 done (also when there was nothing new), 1 failed: nothing is lost, poll again, 2 called wrongly.

Example:
  gene-panel-notifier poll --catalogue https://panelapp-aus.org --from 2026-11-01 > events.ndjson
`;

async function run(args: readonly string[], io: Io): Promise<number> {
  const { values } = readArguments(args, {
    catalogue: { type: 'string' },
    state: { type: 'string', default: '.gene-panel-notifier' },
    name: { type: 'string', default: 'catalogue' },
    from: { type: 'string' },
    'learn-since': { type: 'string' },
    overlap: { type: 'string', default: '15' },
  });
  const notifier = await startLocalNotifier({
    name: values.name,
    url: required('--catalogue URL', values.catalogue),
    access: accessFromEnvironment(io.env),
    state: values.state,
    overlap: minutes(readNumber('--overlap', values.overlap, { min: 0, max: 1440 })),
    ...(values.from !== undefined && { from: readTime('--from', values.from) }),
    ...(values['learn-since'] !== undefined && {
      learnSince: readTime('--learn-since', values['learn-since']),
    }),
    log: logLines(io),
    io,
    onPublished: (messages) => {
      for (const { body } of messages) io.stdout.write(`${body}\n`);
    },
  });
  try {
    const report = await notifier.poll();
    io.stderr.write(`${summaryOf(report, notifier.requests)}\n`);
    return 0;
  } finally {
    await notifier.close();
  }
}

/** What a poll did, in a line. */
export function summaryOf(report: PollReport, requests: number): string {
  const { outcome, activities, late, quarantined } = report;
  const asked = `${requests} ${requests === 1 ? 'request' : 'requests'}`;
  if (outcome === 'begun') return `began at the newest row; the next poll tells what is new (${asked})`;
  if (outcome === 'postponed') return 'the catalogue asked to wait; a later poll goes on';
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
