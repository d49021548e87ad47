import { panelKey } from '../../filters/names.ts';
import type { CatalogueListing } from '../listing.ts';
import { createSqliteStore } from '../sqlite.ts';
import { cataloguesIn, type StateFile } from '../sqlite-file.ts';
import type { History } from './history.ts';
import { createSqliteHistory } from './sqlite.ts';
import { type HeldByPanel, type HeldNames, heldNames, type NamedPlace } from './unknown-names.ts';

/** The history of a state file, and the names that its events and listings have. */
export function namedPlaceOf(
  file: StateFile,
): NamedPlace & { readonly history: History; held(): Promise<HeldNames> } {
  const listings: NamedPlace['listings'] = async () => {
    const all = await Promise.all(
      cataloguesIn(file).map(async (catalogue) => {
        const listing = await createSqliteStore(file, catalogue).listing();
        return listing ? [{ catalogue, listing }] : [];
      }),
    );
    return all.flat();
  };
  return {
    history: createSqliteHistory(file),
    isLocal: true,
    listings,
    held: async () => heldIn(file, await listings()),
  };
}

function heldIn({ database }: StateFile, listings: readonly CatalogueListing[]): HeldNames {
  const rows = database
    .prepare(
      `SELECT state.catalogue AS catalogue, state.panel AS panel, holding.name AS name, hgnc_id
       FROM (SELECT DISTINCT catalogue, panel FROM panel_state) AS state LEFT JOIN panel_holding AS holding
       ON holding.catalogue = state.catalogue AND holding.panel = state.panel`,
    )
    .all();
  const panels = Map.groupBy(rows, ({ catalogue, panel }) => panelKey(String(catalogue), Number(panel)));
  const states = [...panels.values()].flatMap((held): readonly HeldByPanel[] => {
    const [first] = held;
    if (!first) return [];
    const entities = held.flatMap(({ name, hgnc_id }) =>
      name === null ? [] : [{ name: String(name), hgncId: hgnc_id === null ? null : String(hgnc_id) }],
    );
    return [{ catalogue: String(first.catalogue), panelId: Number(first.panel), entities }];
  });
  return heldNames(states, listings);
}
