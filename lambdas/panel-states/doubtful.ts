import type { Difference } from '../differences/difference.ts';
import type { VersionState } from './version-state.ts';

/** Fewer entities may change at once: somebody does that by hand. */
const FEWEST = 5;

/** So many entities do not vanish together, where the panel then has none. */
const FEWEST_OF_ALL = 3;

/** The share of the entities of a panel, in percent. */
const LARGE_PERCENT = 50;

/**
 * Whether so many entities of a panel vanished or lost their ratings without an event that the state may be wrong: it
 * is empty, cut short, or another panel's.
 */
export function isDoubtful(differences: readonly Difference[], { entities }: VersionState): boolean {
  const lost = new Set(
    differences.flatMap(({ kind, change, entity }) => {
      const isLoss = kind === 'entity.removed' || ('to' in change && change.to === 'none');
      return isLoss && entity ? [`${entity.type} ${entity.name}`] : [];
    }),
  );
  const removed = differences.filter(({ kind }) => kind === 'entity.removed').length;
  if (removed === entities.length && removed >= FEWEST_OF_ALL) return true;
  return lost.size >= FEWEST && lost.size * 100 >= entities.length * LARGE_PERCENT;
}
