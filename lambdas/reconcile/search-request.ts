import type { SearchRequest } from '../poll/bookkeeping.ts';
import { type Instant, instantOf } from '../run/instant.ts';
import type { ListedTwice } from './differences-of.ts';

/** A row that was written shortly before a panel was hidden may not have been read either. */
const MARGIN: Instant = instantOf(60 * 60 * 1000);

/**
 * The search of the log after panels appeared or vanished; null where none did. A panel that came back shows, unless its
 * rows are searched already, the rows that were written since it was listed last. Of a panel that is
 * new, every row showed up. A panel that vanished takes its rows with it, which can hide that other rows showed up.
 */
export function searchRequestOf(
  found: readonly ListedTwice[],
  awaited: readonly number[],
): SearchRequest | null {
  const returned = found.filter(({ id, visibility }) => visibility === 'returned' && !awaited.includes(id));
  const newPanels = found.some(({ visibility }) => visibility === 'new');
  const vanished = found.some(({ visibility }) => visibility === 'vanished');
  if (returned.length === 0 && !newPanels && !vanished) return null;
  const hiddenSince = returned.flatMap(({ since }) => (since === null ? [] : [since]));
  return {
    since: hiddenSince.length === 0 ? null : instantOf(Math.min(...hiddenSince)) - MARGIN,
    newPanels,
    explains: { more: returned.length > 0, fewer: vanished },
  };
}
