import type { StateFile } from './sqlite-file.ts';

/** The names of the catalogues that a state file holds a position or documents of, in order. */
export function cataloguesIn({ database }: StateFile): readonly string[] {
  return database
    .prepare('SELECT catalogue FROM followed ORDER BY catalogue')
    .all()
    .map(({ catalogue }) => String(catalogue));
}
