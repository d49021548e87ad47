import type { PollReport } from '../../lambdas/poll/report.ts';

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
