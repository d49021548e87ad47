import { inheritanceGroupOf } from '../events/inheritance.ts';
import { entityTypes } from '../events/kinds.ts';
import type { EntityStatus } from '../filters/entity-history.ts';
import { naturalOrder } from '../run/text.ts';
import {
  type Holding,
  holdingsOf,
  type Identified,
  identityOf,
  type VersionState,
  type VersionSummary,
} from './version-state.ts';

/**
 * What a panel held in one state, to be compared with another state: of the same panel at another time, of its signed-off
 * version, or of a panel of another catalogue.
 */
export interface PanelContents
  extends Pick<VersionSummary, 'panelId' | 'panelName' | 'version' | 'validFrom' | 'validTo' | 'whole'> {
  /** Its genes, STRs and regions, each once. In a super panel, the highest rating of an entity counts. */
  readonly held: readonly Holding[];
  /** An entity of another state, as this one holds it; undefined where it does not. A gene whose id one of the two lacks has its symbol. */
  find(entity: Identified): Holding | undefined;
  /** The rating of an entity: `absent` where the state does not hold it, `unknown` where the catalogue did not serve it. */
  statusOf(entity: Identified): EntityStatus;
  /** The modes of inheritance of an entity, `''` for none; empty where the state does not hold it, or states no modes. */
  modesOf(entity: Identified): readonly string[];
}

type Place = Pick<PanelContents, 'panelId' | 'panelName' | 'version' | 'validFrom' | 'validTo' | 'whole'>;

/** What a panel held in a state that was read. */
export function contentsOf(state: VersionState): PanelContents {
  const held = holdingsOf(state);
  const modes = new Map<string, readonly string[]>();
  let statesModes = false;
  for (const entity of state.entities) {
    const { modeOfInheritance: mode } = entity;
    const identity = identityOf(entity);
    if (mode === undefined || held.get(identity)?.rating !== entity.rating) continue;
    const known = modes.get(identity) ?? [];
    if (!known.includes(mode ?? '')) modes.set(identity, [...known, mode ?? '']);
    statesModes ||= (mode ?? '') !== '';
  }
  // An archive of years ago lacks the field of every entity: absent is not empty.
  return contentsWith(state, held, (found) => (statesModes && modes.get(identityOf(found))) || []);
}

/** What several states hold together, at a place: of an entity, the highest rating counts. */
export function contentsTogether(
  states: readonly PanelContents[],
  place: Omit<Place, 'whole'> | undefined = states[0],
): PanelContents {
  const [only] = states;
  if (only && states.length === 1 && place === only) return only;
  const held = new Map<string, Holding>();
  for (const each of states.flatMap((state) => state.held)) {
    const known = held.get(identityOf(each));
    if (!known || order.indexOf(each.rating) < order.indexOf(known.rating)) held.set(identityOf(each), each);
  }
  const whole = entityTypes.filter((type) => states.every((state) => state.whole.includes(type)));
  return contentsWith({ ...nowhere, ...place, whole }, held, (found) => [
    ...new Set(states.flatMap((state) => state.modesOf(found))),
  ]);
}

const nowhere = { panelId: 0, panelName: '', version: '', validFrom: 0n, validTo: null } as const;
const order: readonly Holding['rating'][] = ['green', 'amber', 'red', 'none', null];

function contentsWith(
  { panelId, panelName, version, validFrom, validTo, whole }: Place,
  held: ReadonlyMap<string, Holding>,
  modesOf: (found: Holding) => readonly string[],
): PanelContents {
  const [byName, withoutId] = [new Map<string, Holding>(), new Map<string, Holding>()];
  for (const holding of held.values()) {
    byName.set(nameOf(holding), holding);
    if (holding.hgncId === null) withoutId.set(nameOf(holding), holding);
  }
  const find = (entity: Identified): Holding | undefined =>
    held.get(identityOf(entity)) ?? (entity.hgncId === null ? byName : withoutId).get(nameOf(entity));
  return {
    ...{ panelId, panelName, version, validFrom, validTo, whole, find },
    held: [...held.values()],
    statusOf(entity) {
      const found = find(entity);
      return found ? (found.rating ?? 'unknown') : statusOfMissing(entity, whole);
    },
    modesOf(entity) {
      const found = find(entity);
      return found ? modesOf(found) : [];
    },
  };
}

/** What the catalogue did not serve may have been anything. */
const statusOfMissing = ({ type }: Identified, whole: Place['whole']): EntityStatus =>
  whole.includes(type) ? 'absent' : 'unknown';

const nameOf = ({ type, name }: Identified): string => `${type}:${name.toLowerCase()}`;

/** An entity that two states show otherwise. */
export interface EntityDifference {
  /** As the later state holds it; as the earlier one does, where the later one does not. */
  readonly entity: Holding;
  /** As the earlier state holds it; null where that does not. It may have another name there. */
  readonly earlier: Holding | null;
  readonly before: EntityStatus;
  readonly after: EntityStatus;
  /** Its modes of inheritance, where both states hold it and no mode of the one is of a group of the other. */
  readonly modes: { readonly before: readonly string[]; readonly after: readonly string[] } | null;
}

/**
 * The difference of two states, by name: every entity with another rating, another group of modes of inheritance or
 * another name, or that one of the two lacks. What a state does not say is a difference only where the other one is green.
 * @param catalogues `one`: a symbol of which only the id is another one is the same gene, whose id the catalogue corrected
 */
export function differencesOf(
  before: PanelContents,
  after: PanelContents,
  catalogues: 'one' | 'two' = 'one',
): readonly EntityDifference[] {
  const found: EntityDifference[] = [];
  const add = (earlier: Holding | undefined, later: Holding | undefined): void => {
    const entity = later ?? earlier;
    if (!entity) return;
    const statuses = {
      before: earlier ? (earlier.rating ?? 'unknown') : statusOfMissing(entity, before.whole),
      after: later ? (later.rating ?? 'unknown') : statusOfMissing(entity, after.whole),
    };
    const isRenamed = earlier && later && earlier.name !== later.name;
    const modes = earlier && later ? otherModes(before.modesOf(earlier), after.modesOf(later)) : null;
    if (isOther(statuses) || modes || isRenamed)
      found.push({ entity, earlier: earlier ?? null, ...statuses, modes });
  };
  // By identity first: two genes of one symbol are two. Then by the symbol, where neither id is one of another gene there.
  const left = new Map(before.held.map((earlier) => [identityOf(earlier), earlier]));
  const unmatched: Holding[] = [];
  for (const later of after.held) {
    const earlier = left.get(identityOf(later));
    if (earlier) add(earlier, later);
    else unmatched.push(later);
    left.delete(identityOf(later));
  }
  const byName = Map.groupBy(left.values(), nameOf);
  for (const later of unmatched) {
    const earlier = byName
      .get(nameOf(later))
      ?.find(
        (one) =>
          left.has(identityOf(one)) && (catalogues === 'one' || one.hgncId === null || later.hgncId === null),
      );
    if (earlier) left.delete(identityOf(earlier));
    add(earlier, later);
  }
  for (const earlier of left.values()) add(earlier, undefined);
  return found.sort((one, other) => naturalOrder(one.entity.name, other.entity.name));
}

function isOther({ before, after }: Pick<EntityDifference, 'before' | 'after'>): boolean {
  if (before === after) return false;
  const statuses = [before, after];
  return !statuses.includes('unknown') || statuses.includes('green');
}

function otherModes(before: readonly string[], after: readonly string[]): EntityDifference['modes'] {
  if (before.length === 0 || after.length === 0) return null;
  return sharesGroup(before, after) ? null : { before, after };
}

/** Whether some of these modes of inheritance is of the same group as one of the others. */
export function sharesGroup(modes: readonly string[], others: readonly string[]): boolean {
  const groups = new Set(modes.map(inheritanceGroupOf));
  return others.some((mode) => groups.has(inheritanceGroupOf(mode)));
}

/** What two states differ in by their green entities. */
interface GreenDifference {
  /** Green in the later state, and not or not certainly in the earlier one. */
  readonly entered: readonly EntityDifference[];
  /** Green in the earlier state, and not or not certainly in the later one. */
  readonly left: readonly EntityDifference[];
  /** Green in both, with a mode of inheritance of another group in the later state. */
  readonly inheritance: readonly EntityDifference[];
}

/** Compares the green entities of two states, each list by name. */
export function greenDifference(before: PanelContents, after: PanelContents): GreenDifference {
  const all = differencesOf(before, after);
  return {
    entered: all.filter((one) => one.after === 'green' && one.before !== 'green'),
    left: all.filter((one) => one.before === 'green' && one.after !== 'green'),
    inheritance: all.filter((one) => one.before === 'green' && one.after === 'green' && one.modes !== null),
  };
}
