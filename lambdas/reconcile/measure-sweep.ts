import type { Traffic } from '../catalogue/http/attempt.ts';
import type { Metrics } from '../run/emf.ts';
import { percentOf } from './completeness.ts';
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
  metrics.count('CatalogueRequests', traffic.requests);
  metrics.count('CatalogueRetries', traffic.retries);
  metrics.count('CatalogueThrottled', traffic.throttled);
  metrics.flush();
}
