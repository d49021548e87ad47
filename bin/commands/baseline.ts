import type { ProofReport } from '../../lambdas/reconcile/proof-options.ts';
import { counted } from '../../lambdas/words/counted.ts';
import { accessUsage } from '../access.ts';
import { readOptions } from '../arguments.ts';
import type { Command, Io } from '../command.ts';
import { createPrintPublisher } from '../local/print-publisher.ts';
import { openCatalogue, runOnce } from '../local/run-once.ts';
import { eventOutput, openOutput, outputOptions, outputUsage, readFormat } from '../output.ts';
import { catalogueOptions, catalogueUsage } from '../poll-options.ts';
import { summaryOfProof } from '../proof-summary.ts';

const usage = `
gene-panel-notifier baseline --catalogue URL [options]

Reads what each panel of the catalogue holds now, slowly, and keeps it beside the history. After that, every event knows
the rating before it. Then it reads what the signed-off versions hold. The next run reads the versions that began since
the last one from the archive of the catalogue, compares them with the events, and prints each change that no row of the
log states. watch does the same in the background. Ctrl-C stops baseline; the same command goes on from there.

Options:
  --catalogue URL      the catalogue, with or without /api/v1/
${catalogueUsage}

${outputUsage}

${accessUsage}

Exit codes: 0 done, 1 not done yet or failed (nothing is lost: run it again), 2 wrong arguments, 130 stopped by Ctrl-C or a
signal (nothing is lost).

Example:
  gene-panel-notifier baseline --catalogue https://panelapp-aus.org
`;

async function run(args: readonly string[], io: Io): Promise<number> {
  const values = readOptions(args, {
    ...catalogueOptions,
    ...outputOptions,
  });
  const catalogue = openCatalogue(values, io);
  const output = eventOutput(readFormat(values.format, 'ndjson'), openOutput(values.output, io), io);
  return runOnce(catalogue, { publisher: createPrintPublisher(output), output }, async (notifier) => {
    await notifier.sweep();
    const show = progressOn(io);
    const report: ProofReport = await notifier.prove({
      asksAgain: true,
      onProgress: ({ panelsLeft }) => show('panel', panelsLeft),
      onSignedOffProgress: ({ versionsLeft }) => show('signed-off version', versionsLeft),
    });
    io.stderr.write(`${summaryOfProof(report)}\n`);
    return report.outcome === 'done' ? 0 : 1;
  });
}

/** Progress is printed each time when so many panels more are read. */
const EVERY = 10;

/** Prints how many panels or versions are left, and when they will be read, by the pace of those before. */
function progressOn({ clock, stderr }: Pick<Io, 'clock' | 'stderr'>): (what: string, left: number) => void {
  // A panel may take several requests, and the first request is sent at once: the pace is that from the first panel on.
  const firsts = new Map<string, { readonly left: number; readonly at: number }>();
  const shown = new Set<string>();
  return (what, left) => {
    const first = firsts.get(what);
    if (!first) {
      firsts.set(what, { left, at: clock.now() });
      return;
    }
    const done = first.left - left;
    if (done <= 0 || left === 0 || (shown.has(what) && left % EVERY !== 0)) return;
    shown.add(what);
    const minutes = Math.ceil((left * (clock.now() - first.at)) / done / 60_000);
    stderr.write(`${counted(left, what)} left, about ${minutes} min\n`);
  };
}

export const command: Command = { name: 'baseline', usage, run };
