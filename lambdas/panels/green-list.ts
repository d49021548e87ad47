import type { Rating } from '../events/changes.ts';
import { identityOf } from './entity-identity.ts';
import { holdingsOf } from './holdings-of.ts';
import type { Holding, VersionState } from './version-state.ts';

/** The ratings of one version of a panel, to be compared with those of another. */
export interface GreenList {
  readonly panelId: number;
  readonly panelName: string;
  readonly version: string;
  /** When the panel got the version: a number may come again. */
  readonly validFrom: VersionState['validFrom'];
  readonly validTo: VersionState['validTo'];
  /** Its green genes, STRs and regions. */
  readonly green: readonly Holding[];
  /** The rating of an entity of another version: undefined where this one does not hold it, null where that is unknown. */
  ratingOf(entity: Identified): Rating | null | undefined;
  /** The mode of inheritance of a green entity, empty where it has none; undefined where this version does not state modes. */
  inheritanceOf(entity: Identified): string | undefined;
}

type Identified = Pick<Holding, 'type' | 'name' | 'hgncId'>;

/** The ratings of a state. In a super panel, the highest rating of an entity counts. */
export function greenListOf(state: VersionState): GreenList {
  const held = holdingsOf(state);
  // A gene whose id one of the two versions lacks is found by its symbol.
  const withoutId = new Map<string, Holding>();
  const byName = new Map<string, Holding>();
  for (const holding of held.values()) {
    byName.set(nameOf(holding), holding);
    if (holding.hgncId === null) withoutId.set(nameOf(holding), holding);
  }
  const modes = new Map<string, string>();
  for (const entity of state.entities)
    if (entity.rating === 'green' && entity.modeOfInheritance !== undefined && !modes.has(identityOf(entity)))
      modes.set(identityOf(entity), entity.modeOfInheritance ?? '');
  // An archive of years ago lacks the field of every entity: absent is not empty.
  const statesModes = [...modes.values()].some((mode) => mode !== '');
  const { panelId, panelName, version, validFrom, validTo, whole } = state;
  return {
    panelId,
    panelName,
    version,
    validFrom,
    validTo,
    green: [...held.values()].filter(({ rating }) => rating === 'green'),
    ratingOf(entity) {
      const others = entity.hgncId === null ? byName : withoutId;
      const found = held.get(identityOf(entity)) ?? others.get(nameOf(entity));
      if (found) return found.rating;
      // What the catalogue did not serve may have been anything.
      return whole.includes(entity.type) ? undefined : null;
    },
    inheritanceOf(entity) {
      if (!statesModes) return undefined;
      const others = entity.hgncId === null ? byName : withoutId;
      const found = held.get(identityOf(entity)) ?? others.get(nameOf(entity));
      return found && modes.get(identityOf(found));
    },
  };
}

const nameOf = ({ type, name }: Identified): string => `${type}:${name.toLowerCase()}`;
