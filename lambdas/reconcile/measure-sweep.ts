import type { Traffic } from '../catalogue/http/attempt.ts';
import type { Metrics } from '../run/emf.ts';
import { percentOf } from './completeness.ts';
import type { ProofReport } from './proof-options.ts';
import type { SweepReport } from './sweep-report.ts';

const ended: readonly SweepReport['outcome'][] = ['baseline', 'quiet', 'explained', 'published'];

interface SweepFacts {
  readonly traffic: Traffic;
  /** Whether versions are proven by the states of panels: then these say how complete the log is. */
  readonly provenByStates: boolean;
}

/** Writes the metrics of a sweep; `outcome` is its report, or the error that it failed with. */
export function measureSweep(
  metrics: Metrics,
  outcome: SweepReport | Error,
  { traffic, provenByStates }: SweepFacts,
): void {
  if (!(outcome instanceof Error)) {
    if (outcome.refusal) metrics.count('ListingsRefused');
    if (!ended.includes(outcome.outcome)) {
      if (outcome.outcome !== 'refused') metrics.count('SweepsUnfinished');
    } else {
      metrics.count('SuccessfulSweeps');
      metrics.gauge('PanelsListed', outcome.panels);
      metrics.gauge('RegionsListed', outcome.regions);
    }
    if (outcome.completeness && !provenByStates)
      metrics.gauge('CompletenessPercent', percentOf(outcome.completeness));
    for (const [type, count] of Object.entries(outcome.events)) metrics.published(type, count);
  }
  flushWith(metrics, traffic);
}

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
  flushWith(metrics, traffic);
}

function flushWith(metrics: Metrics, { requests, retries, throttled }: Traffic): void {
  metrics.count('CatalogueRequests', requests);
  metrics.count('CatalogueRetries', retries);
  metrics.count('CatalogueThrottled', throttled);
  metrics.flush();
}
