import type * as z from 'zod';
import type { Filter } from '../lambdas/filters/filter.ts';
import { hasChannels, type Subscription } from './subscription-settings.ts';

interface Checked {
  readonly catalogues: object;
  readonly worklist?: { readonly filter: Filter } | undefined;
  readonly subscriptions: Readonly<Record<string, Subscription>>;
}

/** Reports a filter that names a catalogue outside the stage: no event could pass it. */
export function checkFilteredCatalogues(
  { catalogues, subscriptions, worklist }: Checked,
  { addIssue }: Pick<z.core.$RefinementCtx, 'addIssue'>,
): void {
  const known = Object.keys(catalogues);
  const check = (value: unknown, path: (string | number)[]): void => {
    if (typeof value !== 'string' || known.includes(value)) return;
    addIssue({ code: 'custom', path, message: `a catalogue of the same stage: ${known.join(', ')}` });
  };
  for (const [place, value] of (worklist?.filter.catalogues ?? []).entries())
    check(value, ['worklist', 'filter', 'catalogues', place]);
  for (const [name, subscription] of Object.entries(subscriptions)) {
    const key = hasChannels(subscription) ? 'catalogues' : 'catalogue';
    const named = hasChannels(subscription) ? subscription.filter.catalogues : subscription.filter.catalogue;
    for (const [place, value] of (named ?? []).entries())
      check(value, ['subscriptions', name, 'filter', key, place]);
  }
}
