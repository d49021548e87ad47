import type { Traffic } from '../../catalogue/http/attempt.ts';
import type { ProofReport } from '../../reconcile/proof-options.ts';
import type { Metrics } from '../../run/emf.ts';

/** Writes the metrics of a run over the states of panels; `outcome` is its report, or the error that it failed with. */
export function measureProof(metrics: Metrics, outcome: ProofReport | Error, traffic: Traffic): void {
  if (!(outcome instanceof Error)) {
    const { unprovenForADay, unproven, proven, explained, panelsLeft, requests, percent } = outcome;
    metrics.count('EventsCorrected', outcome.corrected);
    // A metric and an alarm of its own would cost as much as the readings.
    metrics.count(
      'VersionsUnprovenForADay',
      outcome.statesOff ? Math.max(1, unprovenForADay) : unprovenForADay,
    );
    if (outcome.refused) metrics.count('ListingsRefused');
    metrics.gauge('VersionsUnproven', unproven);
    metrics.count('VersionsProven', proven + explained);
    metrics.gauge('PanelsUnread', panelsLeft);
    metrics.count('StateRequests', requests);
    if (percent !== null) metrics.gauge('CompletenessPercent', percent);
  }
  metrics.count('CatalogueRequests', traffic.requests);
  metrics.count('CatalogueRetries', traffic.retries);
  metrics.count('CatalogueThrottled', traffic.throttled);
  metrics.flush();
}
