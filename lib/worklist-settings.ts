import * as z from 'zod';
import type { Filter } from '../lambdas/filters/filter.ts';
import { filterSchema } from '../lambdas/filters/filter-schema.ts';
import { defaultWorklist, type WorklistSettings } from '../lambdas/questions/worklist/worklist-settings.ts';
import { group, text, wholeNumber } from './setting-kinds.ts';

/** The record of what a laboratory decided about each change that matters. */
export const worklistSchema = group({
  /** Which changes are entries, in the filter language of subscriptions. */
  filter: filterSchema.default({}),
  /** What makes an entry: a change of the working version, or the sign-off that brings it into the signed-off one. */
  counts: z
    .enum(['working', 'signed-off'], { error: "'working' or 'signed-off'" })
    .default(defaultWorklist.counts),
  /** Days after which an entry in which something is left to do is overdue. */
  overdueDays: wholeNumber(1, 730).default(defaultWorklist.overdueDays),
  /** The day from which changes are entries. */
  since: text(/^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/, "a day, such as '2026-11-01'").optional(),
}).superRefine(({ counts, filter }, context) => {
  if (counts === 'signed-off') refuseUnsignedKeys(filter, context);
});

/** The settings of a worklist as what reads it takes them; the defaults where the settings have none. */
export function worklistSettingsOf(settings: z.output<typeof worklistSchema> | undefined): WorklistSettings {
  if (!settings) return defaultWorklist;
  const { filter, counts, overdueDays, since } = settings;
  return { filter, counts, overdueDays, since: since === undefined ? null : `${since}T00:00:00.000000Z` };
}

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
