import type { History, HistoryQuery } from '../lambdas/history/history.ts';
import type { Listing } from '../lambdas/state/listing.ts';
import { rCodesIn } from '../lambdas/subscriptions/event-facts.ts';
import type { Filter } from '../lambdas/subscriptions/filter.ts';
import { nearest } from '../lambdas/subscriptions/nearest.ts';

/** Where names are looked up. */
export interface NamedPlace {
  readonly history: Pick<History, 'findWithoutRows'>;
  /** Whether look-ups cost nothing. In a deployed table, most are limited to the period that was asked for. */
  readonly isLocal: boolean;
  /** The last listing of panels of each catalogue that has one. */
  listings(): Promise<readonly Listing[]>;
}

/** Where the names of a filter were searched, and with what result. */
export interface Asked extends Pick<HistoryQuery, 'catalogue' | 'since' | 'until'> {
  /** How many events the whole filter found. */
  readonly found: number;
}

/** Names are looked up one by one, which takes too long for a long list of genes. */
const MOST_NAMES = 50;

interface NamedKey {
  readonly key: 'panels' | 'panelTypes' | 'rCodes' | 'genes' | 'tags' | 'actors';
  /** What a person calls one. */
  readonly what: string;
  /** The names of this kind that a listing has; absent where no listing shows them. */
  readonly listed?: (listing: Listing) => readonly string[];
  /** Whether a deployed table finds one of them without reading a whole period. */
  readonly indexed: boolean;
}

const factsIn = ({ panels }: Listing) => [...panels.values()].map(({ facts }) => facts);

const namedKeys: readonly NamedKey[] = [
  { key: 'panels', what: 'panel', listed: ({ panels }) => [...panels.keys()].map(String), indexed: false },
  {
    key: 'panelTypes',
    what: 'panel type',
    listed: (listing) => factsIn(listing).flatMap(({ types }) => types),
    indexed: false,
  },
  {
    key: 'rCodes',
    what: 'code',
    listed: (listing) => factsIn(listing).flatMap(({ relevantDisorders }) => rCodesIn(relevantDisorders)),
    indexed: false,
  },
  { key: 'genes', what: 'gene, STR or region', indexed: true },
  { key: 'tags', what: 'tag', indexed: false },
  { key: 'actors', what: 'actor', indexed: false },
];

/**
 * Sentences about the names in a filter that neither an event nor a listing has: they may be misspelt.
 * @throws {HistoryError | StateError} when the history or a listing cannot be read
 */
export async function unknownNames(
  { history, isLocal, listings }: NamedPlace,
  filter: Filter,
  { catalogue, since, until, found }: Asked,
): Promise<readonly string[]> {
  const asked = namedKeys.flatMap((named) => {
    const values = filter[named.key] ?? [];
    // An event that was found has the name, where its key has only one.
    const isKnown = found > 0 && values.length === 1;
    return isKnown || values.length > MOST_NAMES ? [] : values.map((value) => ({ ...named, value }));
  });
  if (asked.length === 0) return [];
  const scope = catalogue === undefined ? {} : { catalogue };
  const period = { ...(since !== undefined && { since }), ...(until !== undefined && { until }) };
  const hasEvents = await hasAny(history.findWithoutRows({ ...scope, limit: 1 }));
  const lists = await listings();
  const sentences: string[] = [];
  for (const { key, what, listed, indexed, value } of asked) {
    // A listing has the ids of panels, and not their names.
    const isListed = key !== 'panels' || /^\d+$/.test(String(value));
    const names = listed && isListed ? lists.flatMap(listed) : [];
    if (names.some((name) => name.toUpperCase() === String(value).toUpperCase())) continue;
    const known = isLocal || indexed ? scope : { ...scope, ...period };
    if (hasEvents) {
      const filterOfOne = { [key]: [value] };
      if (await hasAny(history.findWithoutRows({ ...known, filter: filterOfOne, limit: 1 }))) continue;
    } else if (names.length === 0) continue;
    const place = 'since' in known || 'until' in known ? 'of that time' : 'of the history';
    const name = JSON.stringify(String(value));
    const near = key === 'panelTypes' ? nearest(String(value), names) : undefined;
    const hint = near === undefined ? '' : ` Did you mean ${near}?`;
    sentences.push(
      names.length > 0
        ? `The catalogue has no ${what} ${name}.${hint}`
        : `No event ${place} has the ${what} ${name}.`,
    );
  }
  return sentences;
}

async function hasAny(events: AsyncIterable<unknown>): Promise<boolean> {
  for await (const _event of events) return true;
  return false;
}
