import type { Instant } from '../lambdas/clock/instant.ts';
import type { History } from '../lambdas/history/history.ts';
import type { Filter } from '../lambdas/subscriptions/filter.ts';

/** Names are looked up one by one; a long list of genes is not. */
const MOST_NAMES = 50;

/** The keys that hold names, and what a person calls one. */
const named = {
  panels: 'panel',
  panelTypes: 'panel type',
  rCodes: 'code',
  genes: 'gene, STR or region',
  tags: 'tag',
  actors: 'actor',
} as const;

/** Sentences about the names in a filter that no event of the history has: they may be misspelt. */
export async function unknownNames(
  history: Pick<History, 'findWithoutRows'>,
  filter: Filter,
  { catalogue }: { readonly catalogue?: string; readonly since?: Instant } = {},
): Promise<readonly string[]> {
  const sentences: string[] = [];
  for (const [key, what] of Object.entries(named)) {
    const values = filter[key as keyof typeof named] ?? [];
    if (values.length > MOST_NAMES) continue;
    for (const value of values) {
      const query = { ...(catalogue && { catalogue }), filter: { [key]: [value] }, limit: 1 };
      if (!(await hasAny(history.findWithoutRows(query)))) {
        sentences.push(`No event of the history has the ${what} ${JSON.stringify(value)}.`);
      }
    }
  }
  return sentences;
}

async function hasAny(events: AsyncIterable<unknown>): Promise<boolean> {
  for await (const _event of events) return true;
  return false;
}
