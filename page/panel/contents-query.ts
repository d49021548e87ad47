import { type Rating, ratings } from '../../lambdas/events/changes.ts';
import { nameKey } from '../../lambdas/filters/name-key.ts';
import type { StateEntity } from '../../lambdas/panels/version-state.ts';
import { checkAddressBounds } from '../address-bounds.ts';
import { AddressError } from '../address-error.ts';

/** What of a panel’s contents is asked for. */
export interface ContentsQuery {
  /** A version; empty for the newest. */
  readonly version: string;
  /** A part of a name; empty for all. */
  readonly name: string;
  /** Null for all ratings. */
  readonly rating: Rating | null;
}

/**
 * Reads the parameters of a panel's address.
 * @throws {AddressError} when one is unknown, or has a value that it does not take
 */
export function readContentsQuery(parameters: URLSearchParams): ContentsQuery {
  checkAddressBounds(parameters);
  for (const name of parameters.keys()) {
    if (['version', 'name', 'rating'].includes(name)) continue;
    throw new AddressError(
      `The address has an unknown part ${JSON.stringify(name.slice(0, 80))}; expected version, name, rating.`,
    );
  }
  const one = (name: string): string => (parameters.get(name) ?? '').trim();
  const rating = one('rating');
  if (rating !== '' && !ratings.some((each) => each === rating)) {
    throw new AddressError(`“rating” is ${JSON.stringify(rating)}; expected ${ratings.join(', ')}.`);
  }
  return { version: one('version'), name: one('name'), rating: rating === '' ? null : (rating as Rating) };
}

/** The entities that are asked for, by a part of their names and by rating. */
export function entitiesAsked(
  entities: readonly StateEntity[],
  { name, rating }: ContentsQuery,
): readonly StateEntity[] {
  const part = nameKey(name);
  return entities.filter(
    (entity) => nameKey(entity.name).includes(part) && (rating === null || entity.rating === rating),
  );
}
