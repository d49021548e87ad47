import { createCatalogue } from '../../lambdas/catalogue/client.ts';
import { type Access, anonymous, CatalogueError } from '../../lambdas/catalogue/http/access.ts';
import { loadArchiveRecord, refusedStates } from '../../lambdas/panels/archive-record.ts';
import { loadProofs, type ProofRecord, provenPercent } from '../../lambdas/panels/proof-record.ts';
import { versionNamed } from '../../lambdas/panels/version-state.ts';
import { percentOf } from '../../lambdas/reconcile/completeness.ts';
import { loadSweep } from '../../lambdas/reconcile/sweep-state.ts';
import { type Clock, DAY_MS } from '../../lambdas/run/clock.ts';
import { dayOf, formatInstant, instantOf } from '../../lambdas/run/instant.ts';
import type { Log } from '../../lambdas/run/log.ts';
import { capitalize } from '../../lambdas/run/text.ts';
import type { Documents } from '../../lambdas/store/documents.ts';

/** The result of one check. */
export interface Finding {
  readonly check: string;
  readonly outcome: 'ok' | 'warning' | 'failed' | 'skipped';
  /** What was seen, in a sentence; where something is wrong, also what to do about it. */
  readonly text: string;
}

/** A failed check, in the words of the error. */
export function failed(check: string, error: unknown): Finding {
  const message = error instanceof Error ? error.message : String(error);
  const cause = error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : '';
  return { check, outcome: 'failed', text: `${message}${cause}` };
}

/** Milliseconds by which the clock of this machine is ahead of a service's, by the service's name. */
export type ClockDifferences = Map<string, number>;

interface CatalogueToCheck {
  readonly url: string;
  /** Null where no credentials were given. */
  readonly access: Access | null;
  readonly clock: Clock;
  readonly log: Log;
  /** The difference from the catalogue's clock is added here. */
  readonly clockDifferences: ClockDifferences;
}

type Rows = number | null;

/** Checks that the catalogue can be read, without and with credentials, and whether the credentials matter. */
export async function* checkCatalogue(given: CatalogueToCheck): AsyncGenerator<Finding> {
  const { url, access } = given;
  let open: Rows | 'refused';
  try {
    open = await countWithoutCredentials(given);
  } catch (error) {
    yield failed('catalogue', error);
    return;
  }
  if (open !== 'refused') yield reached(url, open);
  if (access) {
    try {
      const rows = await countRows(given, access);
      if (open === 'refused') yield reached(url, rows);
      yield compare(open, rows);
    } catch (error) {
      yield failed('catalogue access', error);
    }
  } else if (open === 'refused') {
    const text = `${url} requires credentials. Give CATALOGUE_AUTHORIZATION or an identity provider.`;
    yield { check: 'catalogue', outcome: 'failed', text };
  }
}

async function countRows(
  { url, clock, log, clockDifferences }: CatalogueToCheck,
  access: Access,
): Promise<Rows> {
  const catalogue = createCatalogue({ baseUrl: url, access, clock, log });
  try {
    const page = await catalogue.activities(1);
    if (page?.serverTime != null) clockDifferences.set('the catalogue', clock.now() - page.serverTime);
    return page?.count ?? null;
  } finally {
    await catalogue.close();
  }
}

async function countWithoutCredentials(given: CatalogueToCheck): Promise<Rows | 'refused'> {
  try {
    return await countRows(given, anonymous);
  } catch (error) {
    if (!(error instanceof CatalogueError)) throw error;
    if (error.condition !== 'UNAUTHORIZED' && error.condition !== 'FORBIDDEN') throw error;
    return 'refused';
  }
}

function reached(url: string, rows: Rows): Finding {
  const log = rows === null ? 'its log does not state how many rows it has' : `its log has ${rows} rows`;
  return { check: 'catalogue', outcome: 'ok', text: `${url} responds; ${log}.` };
}

/** A catalogue that ignores credentials serves the public rows without a sign of it: only the counts differ. */
function compare(open: Rows | 'refused', rows: Rows): Finding {
  const check = 'catalogue access';
  if (open === 'refused') {
    return { check, outcome: 'ok', text: 'The log is readable with the credentials, and not without.' };
  }
  if (open === null || rows === null) {
    const text = 'The log states no counts, so it is unknown whether the credentials matter.';
    return { check, outcome: 'skipped', text };
  }
  if (rows > open) {
    const text = `The credentials show ${rows - open} rows that the public does not see.`;
    return { check, outcome: 'ok', text };
  }
  const text =
    rows < open
      ? `The credentials show ${open - rows} rows fewer than the public sees. Ask the operator what they are for.`
      : 'The credentials show what the public sees: they are ignored or unnecessary. Ask the operator, or leave them out.';
  return { check, outcome: 'warning', text };
}

interface KeptProofs {
  /** What a person calls it: `the state in .gene-panel-notifier`. */
  readonly place: string;
  readonly catalogues: readonly string[];
  documents(catalogue: string): Documents;
}

const MOST_NAMED = 5;

/**
 * Reports, for each catalogue of a state, how many of the versions that its panels went through are proven by what the
 * panels held (docs/panel-states.md). Where the catalogue serves no states, it reports how many have a row of the log or an
 * event of a sweep, as the last daily count says (docs/sweep.md, "How complete it is").
 */
export async function* checkCompleteness(state: KeptProofs, now: number): AsyncGenerator<Finding> {
  if (state.catalogues.length === 0) {
    const text = `${capitalize(state.place)} has no catalogue: nothing has been read yet, so nothing is known about its completeness. Begin with gene-panel-notifier watch --catalogue URL.`;
    yield { check: 'completeness', outcome: 'warning', text };
  }
  for (const catalogue of state.catalogues) {
    const check = `completeness of ${catalogue}`;
    try {
      yield { check, ...(await findingOf(state, catalogue, now)) };
    } catch (error) {
      yield failed(check, error);
    }
  }
}

async function findingOf(state: KeptProofs, catalogue: string, now: number): Promise<Omit<Finding, 'check'>> {
  const record = await loadArchiveRecord(state.documents(catalogue));
  const { answered } = record;
  const refused = answered ? refusedStates(record, now) : record.off;
  const without = refused
    ? `The catalogue has served no states of panels since ${day(refused.since)} (${refused.why}); it is asked again after ${minute(refused.until)}, or at once by gene-panel-notifier verify. `
    : '';
  if (!answered) {
    const counted = await ofRows(state, catalogue);
    return { ...counted, text: without + counted.text };
  }
  const proofs = ofProofs(await loadProofs(state.documents(catalogue)), now);
  return { ...proofs, ...(refused && { outcome: 'warning' }), text: without + proofs.text };
}

function ofProofs(record: ProofRecord, now: number): Omit<Finding, 'check'> {
  const { proven, unproven, since } = record;
  const percent = provenPercent(record);
  if (percent === null || since === null) {
    return { outcome: 'skipped', text: 'No version of a panel has been read yet: the baseline has begun.' };
  }
  const known = proven + unproven.length;
  const counted = `${proven} of ${known} panel versions since ${day(since)} are proven (${percent.toFixed(1)} %)`;
  const lost = record.lost.map(versionNamed);
  const others = lost.length > MOST_NAMED ? ` and ${lost.length - MOST_NAMED} more` : '';
  const besides =
    lost.length === 0
      ? ''
      : ` Not counted, because nothing can prove them since the version numbers of their panels went back: ${lost.slice(-MOST_NAMED).join('; ')}${others}.`;
  if (unproven.length === 0) return { outcome: 'ok', text: `${counted}.${besides}` };
  const oldest = unproven.toSorted((one, other) => one.since - other.since);
  const named = oldest
    .slice(0, MOST_NAMED)
    .map((one) => `${versionNamed(one)}, since ${day(one.since)}: ${one.why}`);
  const rest = unproven.length > named.length ? `; and ${unproven.length - named.length} more` : '';
  // The newest versions wait for their rows.
  const isLate = oldest.some((one) => now - one.since >= DAY_MS);
  return {
    outcome: isLate ? 'warning' : 'ok',
    text: `${counted}. Not proven: ${named.join('; ')}${rest}.${besides}`,
  };
}

async function ofRows(state: KeptProofs, catalogue: string): Promise<Omit<Finding, 'check'>> {
  const { completeness } = (await loadSweep(state.documents(catalogue))) ?? {};
  if (!completeness) return { outcome: 'skipped', text: 'No sweep has counted yet: the first one will.' };
  const { versions, explained, unexplained, since, at } = completeness;
  if (versions === 0) {
    const text =
      at === since
        ? `The sweep of ${day(at)} was the first to count the versions of panels; the next count, a day later, will say what is new.`
        : `Between ${day(since)} and ${day(at)}, no listing showed a new version of a panel.`;
    return { outcome: at === since ? 'skipped' : 'ok', text };
  }
  const counted = `${explained} of ${versions} panel versions since ${day(since)} have a row of the log or an event of a sweep (${percentOf(completeness).toFixed(1)} %, counted ${day(at)})`;
  if (explained === versions) return { outcome: 'ok', text: `${counted}.` };
  const named = unexplained
    .slice(-MOST_NAMED)
    .map(({ name, panel, version }) => `${name} (${panel}) ${version}`);
  const others = versions - explained - named.length;
  const rest = others > 0 ? ` and ${others} more` : '';
  return {
    outcome: 'warning',
    text: `${counted}. Without: ${named.join(', ')}${rest}. Something in these panels changed that the interface does not show; compare them with your own copies.`,
  };
}

const day = (milliseconds: number): string => dayOf(instantOf(milliseconds));
const minute = (milliseconds: number): string =>
  `${formatInstant(instantOf(milliseconds)).slice(0, 16).replace('T', ' ')} UTC`;
