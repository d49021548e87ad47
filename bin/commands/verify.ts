import { formatInstant, instantOf } from '../../lambdas/clock/instant.ts';
import { createSqliteHistory } from '../../lambdas/history/sqlite.ts';
import { counted } from '../../lambdas/messages/counted.ts';
import { findPanels, type ListedPanel } from '../../lambdas/panel-states/find-panels.ts';
import type { ProofReport } from '../../lambdas/panel-states/proof-options.ts';
import { createSqlitePanelStates } from '../../lambdas/panel-states/sqlite-panel-states.ts';
import { createSqliteDocuments } from '../../lambdas/state/documents-sqlite.ts';
import { createSqliteStore } from '../../lambdas/state/sqlite.ts';
import { printable } from '../../lambdas/text/printable.ts';
import { safeJson } from '../../lambdas/text/safe-json.ts';
import { accessUsage } from '../access.ts';
import { paceOption, paceUsage, readPace } from '../archive-pace.ts';
import { readOptions, readPastTime } from '../arguments.ts';
import { type Command, type Io, UsageError } from '../command.ts';
import { followedName } from '../local/followed-catalogue.ts';
import type { LocalNotifier } from '../local/notifier.ts';
import { createPrintPublisher } from '../local/print-publisher.ts';
import { openCatalogue, runOnce } from '../local/run-once.ts';
import { eventOutput, openOutput, writeDocument } from '../output.ts';
import { thatExist } from '../panel-state/find-states.ts';
import { type VerifiedVersion, verifiedVersions } from '../panel-state/verified-versions.ts';
import { catalogueOptions, catalogueUsage } from '../poll-options.ts';

const usage = `
gene-panel-notifier verify --catalogue URL [--panel ID|NAME]… [--since TIME] [--all-versions] [options]

Proves what was published: reads the versions of panels from the catalogue's archive, and compares each with the version
before and the events in between. It lists each version: proven, explained (what had no row was published now, and is named),
baseline (the first one that was read) or unproven, with the reason. It reads the log first. What it publishes is
kept in the history and printed to standard error, as poll prints it. Stop watch meanwhile: one command at a time publishes.

Options:
  --catalogue URL      the catalogue, with or without /api/v1/
  --panel ID|NAME      list this panel alone; may be given several times. With --all-versions, only these are read, and
                       of a super panel the panels that it holds
  --since TIME         list versions that ended at or after this time, or go on: 2026-01-31, or 90d for the last 90 days
  --all-versions       read every version that the archive has, from the first one: one request each
${catalogueUsage}
${paceUsage}
  --format FORMAT      table (default), or ndjson: one version a line
  --output FILE        write to a file instead of printing; what the file held before is replaced

${accessUsage}

Exit codes: 0 each version that is listed is proven, a baseline, or was explained before, 1 a version is unproven or had a
difference that this run found, not everything was read yet, or it failed (nothing is lost: run it again), 2 wrong arguments,
130 stopped by Ctrl-C or a signal.

Examples:
  gene-panel-notifier verify --catalogue https://panelapp-aus.org --since 30d
  gene-panel-notifier verify --catalogue https://panelapp-aus.org --panel 3 --all-versions --format ndjson
`;

async function run(args: readonly string[], io: Io): Promise<number> {
  const values = readOptions(args, {
    ...catalogueOptions,
    panel: { type: 'string', multiple: true },
    since: { type: 'string' },
    'all-versions': { type: 'boolean', default: false },
    pace: paceOption,
    format: { type: 'string', default: 'table' },
    output: { type: 'string' },
  });
  if (values.format !== 'table' && values.format !== 'ndjson') {
    throw new UsageError(`--format ${JSON.stringify(values.format)}: expected table or ndjson`);
  }
  const layout = values.format === 'ndjson' ? ndjsonOf : tableOf;
  const since = values.since === undefined ? undefined : readPastTime('--since', values.since, io.clock);
  const catalogue = openCatalogue(values, io);
  const pace = readPace(values.pace, catalogue.url);
  const output = eventOutput('table', openOutput(undefined, { ...io, stdout: io.stderr }), io);
  const publisher = createPrintPublisher(output);
  return runOnce(catalogue, { ...pace, publisher, output }, async (notifier) => {
    await notifier.poll();
    await notifier.sweep();
    const kept = await keptBy(notifier, catalogue, io);
    const panels = values.panel && (await panelsCalled(values.panel, kept));
    const before = new Set(explainedIn(await verifiedVersions(kept, { panels, since })));
    const report = await notifier.prove({
      ...(values['all-versions'] && { fromStart: panels ?? (await panelsListed(kept)) }),
    });
    const versions = await verifiedVersions(kept, { panels, since });
    await writeDocument(layout(versions), values.output, io);
    io.stderr.write(`${summaryOf(versions)}\n${endOf(report)}\n`);
    if (versions.some(({ proof, source }) => proof === 'unproven' && source === 'present')) {
      const at = formatInstant(instantOf(io.clock.now()) + catalogue.overlap).slice(11, 16);
      io.stderr.write(`Rows about versions of now may still be missing: run it again after ${at} UTC\n`);
    }
    const found = explainedIn(versions).filter((version) => !before.has(version)).length;
    if (found > 0) {
      io.stderr.write(
        `${counted(found, 'version')} had a difference that no event led to; it is published now\n`,
      );
    }
    const isProven = found === 0 && versions.every(({ proof }) => proof !== 'unproven');
    return isProven && versions.length > 0 && report.outcome === 'done' ? 0 : 1;
  });
}

type Kept = Awaited<ReturnType<typeof keptBy>>;

async function keptBy({ file }: LocalNotifier, wanted: Parameters<typeof followedName>[1], { clock }: Io) {
  const catalogue = await followedName(file, wanted);
  return {
    catalogue,
    states: createSqlitePanelStates({ file, catalogue, now: clock.now }),
    documents: createSqliteDocuments(file, catalogue),
    state: createSqliteStore(file, catalogue),
    history: createSqliteHistory(file),
  };
}

async function panelsCalled(
  panels: readonly string[],
  { catalogue, states, state, history }: Kept,
): Promise<number[]> {
  const read = await states.panels();
  const listed = [...((await state.listing())?.panels ?? [])].flatMap(
    ([panelId, { name: panelName, hashId = null, facts }]): readonly ListedPanel[] =>
      panelName === undefined || read.some((one) => one.panelId === panelId)
        ? []
        : [{ panelId, panelName, hashId, relevantDisorders: [...facts.relevantDisorders] }],
  );
  const known = { catalogue, panels: [...read, ...listed], names: await history.names() };
  return panels.flatMap((panel) => thatExist(findPanels({ panel }, known)).map(({ id }) => id));
}

/** The versions that their snapshots explain. */
const explainedIn = (versions: readonly VerifiedVersion[]): readonly string[] =>
  versions.flatMap(({ panelId, version, validFrom, proof }) =>
    proof === 'explained' ? [`${panelId} ${version} ${validFrom}`] : [],
  );

/** The panels that were read, and those that are listed. */
async function panelsListed({ states, state }: Kept): Promise<number[]> {
  const read = (await states.panels()).map(({ panelId }) => panelId);
  return [...new Set([...read, ...((await state.listing())?.panels.keys() ?? [])])];
}

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

function summaryOf(versions: readonly VerifiedVersion[]): string {
  const count = (wanted: VerifiedVersion['proof']): number =>
    versions.filter(({ proof }) => proof === wanted).length;
  if (versions.length === 0) return 'no version was read yet: nothing is proven';
  return (
    `${counted(versions.length, 'version')}: ${count('proven')} proven, ${count('explained')} explained, ` +
    `${count('baseline')} baseline, ${count('unproven')} unproven`
  );
}

const ndjsonOf = (versions: readonly VerifiedVersion[]): string =>
  versions.map((version) => `${safeJson(JSON.stringify(version))}\n`).join('');

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

export const command: Command = { name: 'verify', usage, run };
