import type { Traffic } from '../catalogue/http/attempt.ts';
import { typeName } from '../events/schemas.ts';
import type { Metrics } from '../run/emf.ts';
import type { MetricName } from '../run/metric-names.ts';
import type { AnomalyName } from './anomalies.ts';
import type { PollReport } from './report.ts';

/** What is measured of a run whether or not it succeeds. */
export interface RunFacts {
  /** Tokens asked for in this run. */
  readonly tokenRequests: number;
  readonly traffic: Traffic;
  /** Milliseconds left to the run. */
  readonly remaining: number;
  /** Days until the credential expires; null where the settings do not say. */
  readonly credentialDays: number | null;
}

/** Codes of errors that refuse a credential, or a token that was issued for it. */
export const refusalCodes: readonly string[] = [
  'CATALOGUE_UNAUTHORIZED',
  'CATALOGUE_FORBIDDEN',
  'CREDENTIAL_REFUSED',
  'TOKEN_REFUSED',
];

const anomalyMetrics: Readonly<Record<AnomalyName, MetricName>> = {
  'log-behind-mark': 'LogBehindMark',
  'log-shrunken': 'LogShrunken',
  'panels-unlisted': 'PanelsUnlisted',
  'rows-from-the-future': 'RowsFromTheFuture',
  'state-set-back': 'StateSetBack',
};

/** Writes the metrics of a run; `outcome` is its report, or the error that it failed with. */
export function measure(metrics: Metrics, outcome: PollReport | Error, facts: RunFacts): void {
  if (outcome instanceof Error) {
    const code = 'code' in outcome ? String(outcome.code) : '';
    if (refusalCodes.includes(code)) metrics.count('CredentialRefused');
    if (code === 'LOG_EMPTY') metrics.count('LogEmpty');
  } else {
    if (outcome.outcome !== 'postponed') {
      metrics.count('SuccessfulPolls');
      metrics.count('ActivitiesRead', outcome.activities);
    }
    metrics.count('LateActivities', outcome.late);
    metrics.count('Quarantined', outcome.quarantined);
    metrics.count('RowsWaiting', outcome.waiting);
    const unclassified = outcome.events[typeName('activity.unclassified')] ?? 0;
    metrics.count('Unclassified', unclassified - outcome.quarantined);
    for (const name of outcome.anomalies) metrics.count(anomalyMetrics[name]);
    for (const [type, count] of Object.entries(outcome.events)) metrics.published(type, count);
    if (outcome.lagSeconds !== null) metrics.gauge('LagSeconds', outcome.lagSeconds);
    if (outcome.count !== null) {
      metrics.gauge('FeedCount', outcome.count);
      metrics.count('RowsUnexplained', outcome.unexplained.surfaced + outcome.unexplained.vanished);
    }
  }
  metrics.count('CatalogueRequests', facts.traffic.requests);
  metrics.count('CatalogueRetries', facts.traffic.retries);
  metrics.count('CatalogueThrottled', facts.traffic.throttled);
  metrics.count('TokenRequests', facts.tokenRequests);
  metrics.gauge('RemainingSeconds', facts.remaining / 1000);
  if (facts.credentialDays !== null) metrics.gauge('CredentialDaysLeft', facts.credentialDays);
  metrics.flush();
}
