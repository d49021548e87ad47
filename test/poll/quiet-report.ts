import type { PollReport } from '../../lambdas/poll/report.ts';
import type { ProofReport } from '../../lambdas/reconcile/proof-options.ts';

/** The report of a poll that found no new row in a log of 600. */
export const quietReport: PollReport = {
  outcome: 'quiet',
  notBefore: null,
  activities: 0,
  late: 0,
  events: {},
  quarantined: 0,
  lagSeconds: null,
  difference: 0,
  unexplained: { surfaced: 0, vanished: 0 },
  found: 0,
  searching: false,
  count: 600,
  anomalies: [],
  waiting: 0,
};

/** The report of a run that had no version to prove. */
export const quietProof: ProofReport = {
  outcome: 'done',
  why: null,
  until: null,
  requests: 0,
  proven: 0,
  explained: 0,
  events: 0,
  corrected: 0,
  panelsLeft: 0,
  unproven: 0,
  unprovenForADay: 0,
  oldestUnproven: null,
  refused: false,
  statesOff: false,
  percent: 100,
};
