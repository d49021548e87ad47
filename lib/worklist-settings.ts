import * as z from 'zod';
import { filterSchema } from '../lambdas/filters/filter-schema.ts';
import type { WorklistSettings } from '../lambdas/questions/worklist/worklist-settings.ts';
import { defaultWorklist } from '../lambdas/questions/worklist/worklist-settings.ts';
import { group, text, wholeNumber } from './setting-kinds.ts';
import { refuseUnsignedKeys } from './signed-off-keys.ts';

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
