import { instantOf } from '../../lambdas/clock/instant.ts';
import { percentOf } from '../../lambdas/sweep/completeness.ts';
import { loadSweep } from '../../lambdas/sweep/sweep-state.ts';
import { dayOf } from '../history-options.ts';
import type { MarkedState } from '../mark/marked-state.ts';
import { type Finding, failed } from './finding.ts';

/** So many versions are named; the others are counted. */
const MOST_NAMED = 5;

/**
 * Reports, for each catalogue of a state, how many of the versions that its panels went through have a row of the log
 * or an event of a sweep, as its last daily count says (docs/sweep.md, "How complete it is").
 */
export async function* checkCompleteness(state: MarkedState): AsyncGenerator<Finding> {
  for (const catalogue of state.catalogues) {
    const check = `completeness of ${catalogue}`;
    try {
      yield { check, ...(await findingOf(state, catalogue)) };
    } catch (error) {
      yield failed(check, error);
    }
  }
}

async function findingOf(state: MarkedState, catalogue: string): Promise<Omit<Finding, 'check'>> {
  const { completeness } = (await loadSweep(state.documents(catalogue))) ?? {};
  if (!completeness) return { outcome: 'skipped', text: 'No sweep has counted yet: the first one does.' };
  const { versions, explained, unexplained, since, at } = completeness;
  if (versions === 0) {
    const text = `No panel has had a new version since ${day(since)} (counted ${day(at)}).`;
    return { outcome: 'ok', text };
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
    text: `${counted}. Without: ${named.join(', ')}${rest}. Something of these panels changed that the interface does not show; compare them with your own copies.`,
  };
}

const day = (milliseconds: number): string => dayOf(instantOf(milliseconds));
