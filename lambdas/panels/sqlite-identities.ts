import type { StateFile } from '../store/sqlite-file.ts';
import { holdingRows } from '../store/sqlite-schema.ts';
import { identityOf } from './entity-identity.ts';
import type { Holding } from './version-state.ts';

/**
 * Returns the identities that panels hold under one of the names, as `identityOf` makes them. An STR may be named as a
 * gene is, so a name may have several.
 * @param names in the form of `nameKey`
 */
export function identitiesCalled(
  { database }: Pick<StateFile, 'database'>,
  names: readonly string[],
): readonly string[] {
  const held = database
    .prepare(
      `SELECT DISTINCT type, name, hgnc_id AS hgncId FROM ${holdingRows} WHERE lower(name) IN (SELECT value FROM json_each(?))`,
    )
    .all(JSON.stringify(names)) as unknown as readonly Pick<Holding, 'type' | 'name' | 'hgncId'>[];
  return [...new Set(held.map(identityOf))].sort();
}
