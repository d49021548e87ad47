import type { ProofReport } from '../lambdas/reconcile/proof-options.ts';
import { counted } from '../lambdas/words/counted.ts';

/** What a run over the states of panels did, in a line. */
export function summaryOfProof(report: ProofReport): string {
  const { outcome, why, until, requests, proven, explained, panelsLeft, unproven } = report;
  const facts = [
    proven + explained > 0 && `${counted(proven + explained, 'version')} proven`,
    explained > 0 && `${explained} of them with changes that the log does not state, published as events`,
    unproven > 0 && `${counted(unproven, 'version')} not proven yet`,
    outcome !== 'done' && `${counted(panelsLeft, 'panel')} left`,
    outcome === 'done' && panelsLeft > 0 && `${counted(panelsLeft, 'panel')} could not be read`,
    outcome === 'log-unread' && 'the log could not be read to its end',
    outcome === 'paused' && pauses[why ?? ''],
    until !== null && `not before ${new Date(until).toISOString()}`,
    counted(requests, 'request'),
  ];
  const stated = facts.filter((fact) => fact !== false && fact !== undefined);
  return stated.length === 1 ? `nothing to read (${stated[0]})` : stated.join(', ');
}

const pauses: Readonly<Record<string, string>> = {
  budget: 'the requests of this day or week are used up',
  'not-before': 'the catalogue asked to wait',
  'out-of-time': 'the time of this run is over',
  refused: 'the catalogue answers with something other than states of panels',
  off: 'the catalogue serves no states of panels',
};
