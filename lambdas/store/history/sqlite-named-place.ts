import { panelKey } from '../../filters/names.ts';
import type { CatalogueListing } from '../listing.ts';
import { createSqliteStore } from '../sqlite.ts';
import { cataloguesIn, type StateFile } from '../sqlite-file.ts';
import { holdingRows } from '../sqlite-schema.ts';
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
  const newest = database.prepare(
    "SELECT substr(partition, 14) AS catalogue, CAST(id AS INTEGER) AS panel FROM panel_item WHERE partition GLOB 'state-panels#*'",
  );
  const rows = database.prepare(`SELECT catalogue, panel, name, hgnc_id FROM ${holdingRows}`).all();
  const keyOf = ({ catalogue, panel }: (typeof rows)[number]) => panelKey(String(catalogue), Number(panel));
  const held = Map.groupBy(rows, keyOf);
  const states = newest.all().map((panel): HeldByPanel => {
    const entities = (held.get(keyOf(panel)) ?? []).map(({ name, hgnc_id }) => ({
      name: String(name),
      hgncId: hgnc_id === null ? null : String(hgnc_id),
    }));
    return { catalogue: String(panel.catalogue), panelId: Number(panel.panel), entities };
  });
  return heldNames(states, listings);
}
