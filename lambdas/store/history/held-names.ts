import { nameKey } from '../../filters/name-key.ts';
import { panelKey } from '../../filters/names.ts';
import type { CatalogueListing } from '../listing.ts';

/** The genes, STRs and regions that the newest kept states of listed panels hold. */
export interface HeldNames {
  /** Names and HGNC ids, in the form of `nameKey`. */
  readonly keys: ReadonlySet<string>;
  /** Whether the state of every listed panel is kept: what is not among the names is on no panel. */
  readonly isWhole: boolean;
}

/** What the newest state of one panel holds. */
export interface HeldByPanel {
  readonly catalogue: string;
  readonly panelId: number;
  readonly entities: Iterable<{ readonly name: string; readonly hgncId: string | null }>;
}

/** The names on the panels that are listed; a catalogue without a listing counts with every panel, and is not whole. */
export function heldNames(states: readonly HeldByPanel[], listings: readonly CatalogueListing[]): HeldNames {
  const listed = new Map(listings.map(({ catalogue, listing }) => [catalogue, listing.panels]));
  const keys = new Set<string>();
  const kept = new Set<string>();
  for (const { catalogue, panelId, entities } of states) {
    kept.add(panelKey(catalogue, panelId));
    if (listed.get(catalogue)?.has(panelId) === false) continue;
    for (const { name, hgncId } of entities) {
      keys.add(nameKey(name));
      if (hgncId !== null) keys.add(nameKey(hgncId));
    }
  }
  const isWhole =
    listings.length > 0 &&
    states.every(({ catalogue }) => listed.has(catalogue)) &&
    listings.every(({ catalogue, listing }) =>
      [...listing.panels.keys()].every((id) => kept.has(panelKey(catalogue, id))),
    );
  return { keys, isWhole };
}
