import type { StateFile } from '../store/sqlite-file.ts';

/**
 * Returns the identities that panels hold under one of the names, as `identityOf` makes them. An STR may be named as a
 * gene is, so a name may have several.
 * @param names in the form of `nameKey`
 */
export function identitiesCalled(
  { database }: Pick<StateFile, 'database'>,
  names: readonly string[],
): readonly string[] {
  return database
    .prepare(
      'SELECT DISTINCT identity FROM panel_holding WHERE lower(name) IN (SELECT value FROM json_each(?)) ORDER BY identity',
    )
    .all(JSON.stringify(names))
    .map(({ identity }) => String(identity));
}
