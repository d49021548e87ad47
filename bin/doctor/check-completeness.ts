import { capitalize } from '../../lambdas/events/capitalize.ts';
import { loadArchiveRecord, refusedStates } from '../../lambdas/panels/archive-record.ts';
import { loadProofs, type ProofRecord, provenPercent } from '../../lambdas/panels/proof-record.ts';
import { percentOf } from '../../lambdas/reconcile/completeness.ts';
import { loadSweep } from '../../lambdas/reconcile/sweep-state.ts';
import { DAY_MS } from '../../lambdas/run/clock.ts';
import { dayOf, formatInstant, instantOf } from '../../lambdas/run/instant.ts';
import type { MarkedState } from '../mark/deployed-marks.ts';
import { type Finding, failed } from './finding.ts';

type KeptProofs = Pick<MarkedState, 'place' | 'catalogues' | 'documents'>;

/** So many versions are named; the others are counted. */
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
  if (unproven.length === 0) return { outcome: 'ok', text: `${counted}.` };
  const oldest = unproven.toSorted((one, other) => one.since - other.since);
  const named = oldest
    .slice(0, MOST_NAMED)
    .map((one) => `${one.panelName} (${one.panelId}) ${one.version}, since ${day(one.since)}: ${one.why}`);
  const rest = unproven.length > named.length ? `; and ${unproven.length - named.length} more` : '';
  // The newest versions wait for their rows.
  const isLate = oldest.some((one) => now - one.since >= DAY_MS);
  return { outcome: isLate ? 'warning' : 'ok', text: `${counted}. Not proven: ${named.join('; ')}${rest}.` };
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
