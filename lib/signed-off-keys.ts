import type * as z from 'zod';
import type { Filter } from '../lambdas/filters/filter.ts';

/** The keys of a filter that say which sign-offs count. */
const keysOfSignedOff: ReadonlySet<string> = new Set([
  'catalogues',
  'panels',
  'panelTypes',
  'rCodes',
  'genes',
  'entityTypes',
  'to',
  'direction',
]);

/** Reports the keys of a filter by which no sign-off can be asked for. */
export function refuseUnsignedKeys(
  filter: Filter,
  { addIssue }: Pick<z.core.$RefinementCtx, 'addIssue'>,
): void {
  for (const key of Object.keys(filter).filter((each) => !keysOfSignedOff.has(each))) {
    const message = `no such key with counts: 'signed-off': a sign-off is asked for by ${[...keysOfSignedOff].join(', ')}`;
    addIssue({ code: 'custom', path: ['filter', key], message });
  }
}
