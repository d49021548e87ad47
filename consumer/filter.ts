import * as filters from '../lambdas/subscriptions/filter.ts';
import type { Filter } from './event-types.ts';
import type { PanelEvent } from './panel-event.ts';

/** Whether an event matches; the filter is prepared once, so that a list of thousands of genes costs one look-up. */
export function compileFilter(filter: Filter): (event: PanelEvent) => boolean {
  // The lists are only read.
  return filters.compileFilter(filter as filters.Filter);
}
