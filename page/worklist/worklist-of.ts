import { readWorklist, type Worklist } from '../../lambdas/questions/worklist/read-worklist.ts';
import { instantOf } from '../../lambdas/run/instant.ts';
import { readAddressFilter } from '../read-address-filter.ts';
import type { RouteContext } from '../route-context.ts';
import { sinceOf } from '../view.ts';
import { yieldingHistory } from '../yielding-history.ts';
import type { WorklistQuery } from './worklist-query.ts';

/** The entries on the panels, about the genes and of the time that an address asks for; null where the place keeps no worklist. */
export async function worklistOf(
  { worklist, place, history, states, clock, times }: RouteContext,
  { values, since = 'all' }: Partial<Pick<WorklistQuery, 'values' | 'since'>> = {},
): Promise<Worklist | null> {
  if (worklist === null) return null;
  const begin = sinceOf(since, times, clock.now());
  return readWorklist(
    { ...place, history: yieldingHistory(history), worklist: worklist.store, statesOf: states },
    {
      settings: worklist.settings,
      filter: readAddressFilter(namedValues(values ?? {})),
      now: instantOf(clock.now()),
      ...(begin !== null && { since: begin }),
    },
  );
}

/** The response where the place keeps no worklist. */
export const noWorklist = (context: RouteContext): Promise<Response> =>
  context.refuse(
    'There is no worklist',
    'This stage keeps none: add worklist to its settings, and deploy it.',
    404,
  );

/** The names that are asked for: an empty list asks for none. */
export const namedValues = (values: Partial<WorklistQuery['values']>): Partial<WorklistQuery['values']> =>
  Object.fromEntries(Object.entries(values).filter(([, texts]) => texts.length > 0));
