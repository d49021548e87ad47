import type * as z from 'zod';
import { hasChannels, type Subscription } from './subscription-settings.ts';

interface Checked {
  readonly catalogues: object;
  readonly subscriptions: Readonly<Record<string, Subscription>>;
}

/** Reports a filter that names a catalogue outside the stage: no event could pass it. */
export function checkFilteredCatalogues(
  { catalogues, subscriptions }: Checked,
  { addIssue }: Pick<z.core.$RefinementCtx, 'addIssue'>,
): void {
  const known = Object.keys(catalogues);
  for (const [name, subscription] of Object.entries(subscriptions)) {
    const key = hasChannels(subscription) ? 'catalogues' : 'catalogue';
    const named = hasChannels(subscription) ? subscription.filter.catalogues : subscription.filter.catalogue;
    for (const [place, value] of (named ?? []).entries()) {
      if (typeof value !== 'string' || known.includes(value)) continue;
      const message = `a catalogue of the same stage: ${known.join(', ')}`;
      addIssue({ code: 'custom', path: ['subscriptions', name, 'filter', key, place], message });
    }
  }
}
