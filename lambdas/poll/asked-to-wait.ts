import { CatalogueError } from '../catalogue/errors.ts';

/** Milliseconds since the epoch until which the catalogue wants to be left alone; null for any other error. */
export function askedToWait(error: unknown): number | null {
  return error instanceof CatalogueError && error.code === 'CATALOGUE_NOT_BEFORE'
    ? (error.notBefore ?? null)
    : null;
}
