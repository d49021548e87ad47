import type { ProofReport } from '../../lambdas/reconcile/proof-options.ts';
import { formatInstant, type Instant, instantOf } from '../../lambdas/run/instant.ts';
import { printable } from '../../lambdas/run/printable.ts';
import { safeJson } from '../../lambdas/run/safe-json.ts';
import { counted } from '../../lambdas/words/counted.ts';
import { readPastTime } from '../arguments.ts';
import { type Io, UsageError } from '../command.ts';
import { declareCommand, flag, type OptionValues, text, texts } from '../declare-command.ts';
import { checkPlace, placeOptions } from '../history-options.ts';
import { followedName } from '../local/followed-catalogue.ts';
import { createPrintPublisher } from '../local/print-publisher.ts';
import { eventOutput, openOutput, replacedFile, writeDocument } from '../output.ts';
import { keptInFile, openStageProofs, panelsCalled, panelsListed } from '../panel-state/kept-proofs.ts';
import { CONTRADICTS, type VerifiedVersion, verifiedVersions } from '../panel-state/verified-versions.ts';
import { catalogueOptions } from '../poll-options.ts';
import { openCatalogue, runOnce } from './poll.ts';

const options = {
  panel: texts(
    'ID|NAME',
    'list this panel alone; may be given several times. With --all-versions, only these are read, and of a super panel the panels that it holds',
  ),
  since: text(
    'TIME',
    'list versions that ended at or after this time, or go on: 2026-01-31, or 90d for the last 90 days',
  ),
  'all-versions': flag('read every version that the archive has, from the first one: one request each'),
  stage: placeOptions.stage,
  config: placeOptions.config,
  format: text('FORMAT', 'table, or ndjson: one version a line', 'table'),
  output: replacedFile,
  ...catalogueOptions,
};
type Values = OptionValues<typeof options>;

async function run(values: Values, io: Io): Promise<number> {
  const { format } = values;
  if (format !== 'table' && format !== 'ndjson') {
    throw new UsageError(`--format ${JSON.stringify(format)}: expected table or ndjson`);
  }
  const wanted: Wanted = {
    panels: values.panel,
    since: values.since === undefined ? undefined : readPastTime('--since', values.since, io.clock),
    print: (versions) => writeDocument(verifiedLayouts[format](versions), values.output, io),
  };
  checkPlace(values);
  if (values.stage === undefined) return verifyHere(values, wanted, io);
  for (const option of ['catalogue', 'all-versions', 'pace'] as const) {
    if (!values[option]) continue;
    throw new UsageError(
      `--${option} and --stage: the deployed notifier reads the archive itself; leave out --${option}`,
    );
  }
  return listStage({ ...values, stage: values.stage }, wanted, io);
}

interface Wanted {
  /** Numbers or names of panels; every panel where absent. */
  readonly panels: readonly string[] | undefined;
  readonly since: Instant | undefined;
  readonly print: (versions: readonly VerifiedVersion[]) => Promise<void>;
}

/** Lists what a deployed notifier proved. */
async function listStage(
  place: Parameters<typeof openStageProofs>[0],
  { panels, since, print }: Wanted,
  io: Io,
): Promise<number> {
  const kept = await openStageProofs(place, io);
  try {
    const versions = await verifiedVersions(kept, {
      panels: panels && (await panelsCalled(panels, kept)),
      since,
    });
    await print(versions);
    io.stderr.write(`${summaryOfVersions(versions)}\n`);
    return versions.length > 0 && versions.every(({ proof }) => proof !== 'unproven') ? 0 : 1;
  } finally {
    kept.close();
  }
}

/** Reads and proves on this machine, and lists what is proven. */
async function verifyHere(values: Values, { panels: called, since, print }: Wanted, io: Io): Promise<number> {
  const catalogue = openCatalogue(values, io);
  const output = eventOutput('table', openOutput(undefined, { ...io, stdout: io.stderr }), io);
  const publisher = createPrintPublisher(output);
  return runOnce(catalogue, { publisher, output }, async (notifier) => {
    await notifier.poll();
    await notifier.sweep();
    const { file } = notifier;
    const kept = keptInFile({ file, catalogue: await followedName(file, catalogue) }, io);
    const panels = called && (await panelsCalled(called, kept));
    const before = new Set(explainedIn(await verifiedVersions(kept, { panels, since })));
    const report = await notifier.prove({
      asksAgain: true,
      ...(values['all-versions'] && { fromStart: panels ?? (await panelsListed(kept)) }),
    });
    const versions = await verifiedVersions(kept, { panels, since });
    await print(versions);
    io.stderr.write(`${summaryOfVersions(versions)}\n${endOf(report)}\n`);
    if (
      versions.some(
        ({ proof, source, why }) => proof === 'unproven' && source === 'present' && why !== CONTRADICTS,
      )
    ) {
      const at = formatInstant(instantOf(io.clock.now()) + catalogue.overlap).slice(11, 16);
      io.stderr.write(`The log may still show rows of the newest versions: run it again after ${at} UTC\n`);
    }
    const found = explainedIn(versions).filter((version) => !before.has(version)).length;
    if (found > 0) {
      io.stderr.write(
        `${counted(found, 'version')} did not agree with the events that led to it; what the archive shows is published now\n`,
      );
    }
    const isProven = found === 0 && versions.every(({ proof }) => proof !== 'unproven');
    return isProven && versions.length > 0 && report.outcome === 'done' ? 0 : 1;
  });
}

/** The versions that their snapshots explain. */
const explainedIn = (versions: readonly VerifiedVersion[]): readonly string[] =>
  versions.flatMap(({ panelId, version, validFrom, proof }) =>
    proof === 'explained' ? [`${panelId} ${version} ${validFrom}`] : [],
  );

function endOf({ outcome, why, requests, panelsLeft }: ProofReport): string {
  const asked = `${counted(requests, 'request')} to the archive`;
  switch (outcome) {
    case 'done':
      return asked;
    case 'paused':
      return `${asked}; ${counted(panelsLeft, 'panel')} left, for ${why ?? 'it was paused'}: run it again`;
    case 'log-unread':
      return `${asked}; the log was not read to its end, so that nothing more is concluded: run it again`;
    default:
      return outcome satisfies never;
  }
}

export const command = declareCommand({
  name: 'verify',
  synopsis: [
    '--catalogue URL [--panel ID|NAME]… [--since TIME] [--all-versions] [options]',
    '--stage NAME [--panel ID|NAME]… [--since TIME] [options]',
  ],
  about: [
    "Proves what was published: reads the versions of panels from the catalogue's archive, and compares each with the version before and the events in between. It lists each version: proven, explained (what had no row was published now, and is named; so is each event that stated something false, with its correction), baseline (the first one that was read) or unproven, with the reason. A version is also unproven where an event states another earlier rating than the one that the previous event of the same gene, STR or region led to. It reads the log first. What it publishes is kept in the history and printed to standard error, as poll prints it. watch may go on meanwhile, and sends its messages.",
    'With --stage, it lists what the deployed notifier proved: that one reads and proves by itself, on its schedule.',
  ],
  options,
  exitCodes:
    '0 each version that is listed is proven, a baseline, or was explained before, 1 a version is unproven or, as this run found, did not agree with its events; not everything has been read yet, or it failed (nothing is lost: run it again), 2 wrong arguments, 3 there is no such panel, 130 stopped by Ctrl-C or a signal',
  examples: [
    '$0 verify --catalogue https://panelapp-aus.org --since 30d',
    '$0 verify --catalogue https://panelapp-aus.org --panel 3 --all-versions --format ndjson',
    '$0 verify --stage production --since 30d',
  ],
  run,
});

/** Versions in the layouts of `verify`. */
const verifiedLayouts = {
  table: tableOf,
  ndjson: (versions: readonly VerifiedVersion[]): string =>
    versions.map((version) => `${safeJson(JSON.stringify(version))}\n`).join(''),
} as const;

/** How many versions there are of each proof, in a line. */
function summaryOfVersions(versions: readonly VerifiedVersion[]): string {
  const count = (wanted: VerifiedVersion['proof']): number =>
    versions.filter(({ proof }) => proof === wanted).length;
  if (versions.length === 0) return 'no version has been read yet: nothing is proven';
  return (
    `${counted(versions.length, 'version')}: ${count('proven')} proven, ${count('explained')} explained, ` +
    `${count('baseline')} baseline, ${count('unproven')} unproven`
  );
}

function tableOf(versions: readonly VerifiedVersion[]): string {
  return versions
    .map(({ panelId, panelName, version, validFrom, proof, why, differences }) => {
      const since = validFrom === null ? '' : `  from ${validFrom.slice(0, 16).replace('T', ' ')}Z`;
      const line = `${proof.padEnd(9)}  ${printable(panelName)} (${panelId}) ${version}${since}`;
      const reasons = [...(why === null ? [] : [why]), ...differences];
      return [line, ...reasons.map((reason) => `           ${printable(reason)}`)].join('\n');
    })
    .map((lines) => `${lines}\n`)
    .join('');
}
