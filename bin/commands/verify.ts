import { contradictionsIn } from '../../lambdas/differences/corrections.ts';
import { timeOf } from '../../lambdas/events/order.ts';
import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import { firstStated } from '../../lambdas/events/summary.ts';
import { loadProofs, whyUnproven } from '../../lambdas/panels/proof-record.ts';
import { type KeptOfCatalogue, keptInFile } from '../../lambdas/panels/sqlite-panel-states.ts';
import type { VersionSummary } from '../../lambdas/panels/version-state.ts';
import { findPanels } from '../../lambdas/questions/find-panels.ts';
import { readPastTime } from '../../lambdas/questions/options.ts';
import type { ProofReport } from '../../lambdas/reconcile/proof-options.ts';
import { begunAnewAfter } from '../../lambdas/reconcile/set-back.ts';
import { formatInstant, type Instant, instantOf } from '../../lambdas/run/instant.ts';
import { counted, printable, safeJson } from '../../lambdas/run/text.ts';
import { oneOf } from '../arguments.ts';
import { type Io, UnknownNameError, UsageError } from '../command.ts';
import { declareCommand, flag, type OptionValues, texts, value } from '../declare-command.ts';
import { checkPlace, placeOptions } from '../history-options.ts';
import { followedName } from '../local/open-state.ts';
import { eventOutput, openOutput, replacedFile, writeDocument } from '../output.ts';
import { catalogueOptions, createPrintPublisher, openCatalogue, runOnce } from '../polling.ts';

/** A version of a panel, and whether the log and the events explain what it held. */
export interface VerifiedVersion {
  readonly panelId: number;
  readonly panelName: string;
  readonly version: string;
  /** Null where the version could not be read. */
  readonly validFrom: string | null;
  readonly validTo: string | null;
  readonly source: 'archive' | 'present' | null;
  readonly sha256: string | null;
  /** `explained`: its differences had no row, and were published. `baseline`: nothing is known of the time before. */
  readonly proof: 'proven' | 'explained' | 'baseline' | 'unproven';
  /** Why it is unproven, why the panel begins anew with it, or that nothing is to prove it; null otherwise. */
  readonly why: string | null;
  /** A sentence for each difference that no row states, for each event that was corrected, and for each that contradicts the one before. */
  readonly differences: readonly string[];
}

interface WantedVersions {
  /** Ids; every panel where absent. */
  readonly panels?: readonly number[] | undefined;
  /** Versions that ended before are left out. */
  readonly since?: Instant | undefined;
}

/**
 * The versions that are kept, oldest first within a panel, and those that could not be read.
 * @throws {StateError | HistoryError} when they cannot be read
 */
export async function verifiedVersions(
  kept: Pick<KeptOfCatalogue, 'catalogue' | 'states' | 'documents' | 'history'>,
  { panels, since }: WantedVersions,
): Promise<readonly VerifiedVersion[]> {
  const { unproven, lost } = await loadProofs(kept.documents);
  const known = (await kept.states.panels()).map(({ panelId }) => panelId);
  const ids = panels ?? [...new Set([...known, ...unproven.map(({ panelId }) => panelId)])];
  const all: VerifiedVersion[] = [];
  for (const id of ids) {
    const versions = await kept.states.versions(id);
    const isOfPanel = ({ panelId }: { readonly panelId: number }): boolean => panelId === id;
    const known: Known = {
      versions,
      unproven: unproven.filter(isOfPanel),
      lost: lost.filter(isOfPanel),
      ...(await differencesOf(id, kept)),
    };
    // Of a version that was read alone the end is unknown: at the latest when the next known one began.
    const recent = versions.filter(({ validTo }, index) => {
      const end = validTo ?? versions[index + 1]?.validFrom ?? null;
      return since === undefined || end === null || end >= since;
    });
    all.push(...recent.map((summary) => readVersion(summary, known)), ...unreadVersions(id, known, since));
  }
  return all;
}

/** What is known of the versions of a panel. */
interface Known extends Awaited<ReturnType<typeof differencesOf>> {
  readonly versions: readonly VersionSummary[];
  readonly unproven: readonly Unread[];
  readonly lost: readonly Unread[];
}

type Unread = Pick<VerifiedVersion, 'panelId' | 'panelName' | 'version'> & { readonly why: string };

const CONTRADICTS = 'an event contradicts the event before it of its entity';

function readVersion(summary: VersionSummary, known: Known): VerifiedVersion {
  const { panelId, panelName, version, validFrom, validTo, source, sha256, proof } = summary;
  const shown = (kind: VerifiedVersion['proof'], why: string | null): VerifiedVersion => ({
    ...{ panelId, panelName, version },
    validFrom: formatInstant(validFrom),
    validTo: validTo === null ? null : formatInstant(validTo),
    ...{ source, sha256, proof: kind, why },
    differences: known.differences.get(version) ?? [],
  });
  if (known.contradictory.has(version)) return shown('unproven', CONTRADICTS);
  if (proof.kind !== 'unproven') {
    const after = begunAnewAfter({ proof });
    const why =
      after === undefined
        ? null
        : `the version numbers of the panel went back after ${after}: it begins anew`;
    return shown(proof.kind, why);
  }
  const due = known.unproven.find((one) => one.version === version)?.why;
  const isDue = due !== undefined || (!proof.alone && !proof.lost);
  return shown(isDue ? 'unproven' : 'baseline', due ?? proof.why);
}

/** The versions that could not be read, those that nothing is to prove, and those of which only events are known. */
function unreadVersions(
  panelId: number,
  { versions, unproven, lost, differences, contradictory }: Known,
  since: Instant | undefined,
): readonly VerifiedVersion[] {
  const named = new Set(versions.map(({ version }) => version));
  const unnamed = <One extends { readonly version: string }>(all: readonly One[]): readonly One[] => {
    const found = all.filter(({ version }) => !named.has(version));
    for (const { version } of found) named.add(version);
    return found;
  };
  const unread = unnamed(unproven).map(unreadVersion);
  // Nothing is to prove it, as of a baseline.
  const unkept = unnamed(lost).map((one) => ({ ...unreadVersion(one), proof: 'baseline' }) as const);
  const stated = [...contradictory].flatMap(([version, event]) => {
    if (named.has(version) || (since !== undefined && timeOf(event) < since)) return [];
    const panelName = event.data.panel?.name ?? '';
    const unknown = unreadVersion({ panelId, panelName, version, why: CONTRADICTS });
    return [{ ...unknown, differences: differences.get(version) ?? [] }];
  });
  return [...unread, ...unkept, ...stated];
}

function unreadVersion({ panelId, panelName, version, why }: Unread): VerifiedVersion {
  const unknown = { validFrom: null, validTo: null, source: null, sha256: null };
  return { panelId, panelName, version, ...unknown, proof: 'unproven', why, differences: [] };
}

async function differencesOf(
  panelId: number,
  { catalogue, history }: Pick<KeptOfCatalogue, 'catalogue' | 'history'>,
) {
  const found = new Map<string, string[]>();
  const query = { catalogue, filter: { panels: [panelId] }, order: 'oldest' } as const;
  const events: PanelEvent[] = [];
  for await (const event of history.findWithoutRows(query)) {
    events.push(event);
    const { change, panel, summary } = event.data;
    const version = panel?.version;
    const isSnapshot = 'via' in change && change.via === 'snapshot';
    const before = firstStated(event)?.data.summary ?? null;
    if ((!isSnapshot && before === null) || typeof version !== 'string') continue;
    const sentence = before === null ? summary : `${summary} It was published as: ${before}`;
    found.set(version, [...(found.get(version) ?? []), sentence]);
  }
  const contradictory = new Map<string, PanelEvent>();
  for (const { before, event } of contradictionsIn(events)) {
    const version = event.data.panel?.version ?? '';
    const sentence = `${event.data.summary} The event before it said: ${before.data.summary}`;
    found.set(version, [...(found.get(version) ?? []), sentence]);
    contradictory.set(version, event);
  }
  return {
    differences: found,
    /** The versions of which an event contradicts the one before it of its entity, with the last such event. */
    contradictory,
  };
}

const options = {
  panel: texts(
    'ID|NAME',
    'list this panel alone; may be given several times. With --all-versions, only these are read, and of a super panel the panels that it holds',
  ),
  since: value(
    'TIME',
    'list versions that ended at or after this time, or go on: 2026-01-31, or 90d for the last 90 days',
    readPastTime,
  ),
  'all-versions': flag('read every version that the archive has, from the first one: one request each'),
  stage: placeOptions.stage,
  config: placeOptions.config,
  format: value('FORMAT', 'table, or ndjson: one version a line', oneOf(['table', 'ndjson']), 'table'),
  output: replacedFile,
  ...catalogueOptions,
};
type Values = OptionValues<typeof options>;

async function run(values: Values, io: Io): Promise<number> {
  const wanted: Wanted = {
    panels: values.panel,
    since: values.since,
    print: (versions) => writeDocument(verifiedLayouts[values.format](versions), values.output, io),
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

async function listStage(
  { stage, config, name }: Values & { readonly stage: string },
  { panels, since, print }: Wanted,
  io: Io,
): Promise<number> {
  const [{ openStage }, { keptInTables }] = await Promise.all([
    import('../stage.ts'),
    import('../../lambdas/panels/dynamodb-panel-states.ts'),
  ]);
  const opened = await openStage({ stage, config }, io);
  try {
    const catalogue = chosenCatalogue(name, { stage, ...opened });
    // Nothing is written, so that no run needs a name.
    const kept = keptInTables(catalogue, { ...opened, runId: 'verify', clock: io.clock });
    const versions = await verifiedVersions(kept, {
      panels: panels && (await panelsCalled(panels, kept)),
      since,
    });
    await print(versions);
    io.stderr.write(`${summaryOfVersions(versions)}\n`);
    return versions.length > 0 && versions.every(({ proof }) => proof !== 'unproven') ? 0 : 1;
  } finally {
    opened.close();
  }
}

function chosenCatalogue(
  name: string | undefined,
  { stage, catalogues }: { readonly stage: string; readonly catalogues: readonly string[] },
): string {
  const [only = '', ...others] = catalogues;
  if (name === undefined && others.length === 0) return only;
  const all = catalogues.join(', ');
  if (name === undefined)
    throw new UsageError(`stage ${stage} has several catalogues, ${all}: give one with --name`);
  if (catalogues.includes(name)) return name;
  throw new UsageError(`--name ${name}: stage ${stage} has no such catalogue; it has ${all}`);
}

/** Those with these numbers or names, of the panels that were read and of those that are listed. */
async function panelsCalled(
  panel: readonly string[],
  { catalogue, states, state, history }: KeptOfCatalogue,
): Promise<number[]> {
  const listing = await state.listing();
  const place = {
    ...{ catalogues: [catalogue], states: () => states, history },
    listings: async () => (listing ? [{ catalogue, listing }] : []),
  };
  const { asked, limits } = await findPanels({ panel, 'r-code': [] }, place);
  if (limits[0]) throw new UnknownNameError(limits[0].sentence);
  return [...(asked?.get(catalogue)?.keys() ?? [])];
}

/** Ids of the panels that were read, and of those that are listed. */
async function panelsListed({ states, state }: KeptOfCatalogue): Promise<number[]> {
  const read = (await states.panels()).map(({ panelId }) => panelId);
  return [...new Set([...read, ...((await state.listing())?.panels.keys() ?? [])])];
}

async function verifyHere(values: Values, { panels: called, since, print }: Wanted, io: Io): Promise<number> {
  const catalogue = await openCatalogue(values, io);
  const output = eventOutput('table', openOutput(undefined, { ...io, stdout: io.stderr }), io);
  const publisher = createPrintPublisher(output);
  return runOnce(catalogue, { publisher }, async (notifier) => {
    await notifier.poll();
    await notifier.sweep();
    const { file } = notifier;
    const kept = keptInFile(file, await followedName(file, catalogue), io.clock);
    const panels = called && (await panelsCalled(called, kept));
    const before = new Set(explainedIn(await verifiedVersions(kept, { panels, since })));
    const report = await notifier.prove({
      asksAgain: true,
      ...(values['all-versions'] && { fromStart: panels ?? (await panelsListed(kept)) }),
    });
    const versions = await verifiedVersions(kept, { panels, since });
    await print(versions);
    io.stderr.write(`${summaryOfVersions(versions)}\n${endOf(report)}\n`);
    // A run that reads everything leaves versions unread that began a moment ago.
    const mayHaveRows = ({ proof, source, why }: VerifiedVersion): boolean =>
      proof === 'unproven' &&
      (source === 'present' ? why !== CONTRADICTS : why === whyUnproven.unread && report.outcome === 'done');
    if (versions.some(mayHaveRows)) {
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
    "Proves what was published: reads the versions of panels from the catalogue's archive, and compares each with the version before and the events in between. It lists each version: proven, explained (what had no row was published now, and is named; so is each event that stated something false, with its correction), baseline (the first one that was read, or a signed-off version from before it) or unproven, with the reason. A version is also unproven where an event states another earlier rating than the one that the previous event of the same gene, STR or region led to. It reads the log first. What it publishes is kept in the history and printed to standard error, as poll prints it. watch may go on meanwhile, and sends its messages.",
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

const verifiedLayouts = {
  table: tableOf,
  ndjson: (versions: readonly VerifiedVersion[]): string =>
    versions.map((version) => `${safeJson(JSON.stringify(version))}\n`).join(''),
} as const;

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
