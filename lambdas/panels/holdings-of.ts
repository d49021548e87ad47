import type { Rating } from '../events/changes.ts';
import { identityOf } from './entity-identity.ts';
import type { Holding, VersionState } from './version-state.ts';

const order: readonly (Rating | null)[] = ['green', 'amber', 'red', 'none', null];

/**
 * What a panel holds, by identity. A super panel may hold one gene several times, with different ratings: the highest
 * one counts.
 */
export function holdingsOf({ panelId, entities }: VersionState): ReadonlyMap<string, Holding> {
  const holdings = new Map<string, Holding>();
  for (const entity of entities) {
    const identity = identityOf(entity);
    const known = holdings.get(identity);
    if (known && order.indexOf(known.rating) <= order.indexOf(entity.rating)) continue;
    const { type, name, hgncId, rating } = entity;
    holdings.set(identity, { panelId, type, name, hgncId, rating });
  }
  return holdings;
}
