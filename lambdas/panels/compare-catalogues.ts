import { setImmediate } from 'node:timers/promises';
import { statesInheritance } from '../events/inheritance.ts';
import type { EntityStatus } from '../filters/entity-history.ts';
import {
  type FoundSide,
  type ReadSide,
  readSide,
  type SidePlace,
  sinceDates,
  withoutContents,
} from './compare-panels.ts';
import { contentsOf, differencesOf, type EntityDifference, type PanelContents } from './compare-states.ts';
import { heldInVersion } from './held-at.ts';
import { type PairablePanel, type PanelPair, proposePairs } from './panel-pairs.ts';
import type { PanelStateStore } from './panel-state-store.ts';
import { signedOffAt } from './signed-off-at.ts';
import { entityKey, type PanelTrail, readPanelTrail, type Said, type Since } from './since-when.ts';
import { identityOf, type SignOff, type VersionSummary } from './version-state.ts';

/** One of two catalogues that are compared. */
export interface CataloguePlace extends SidePlace {
  readonly states: SidePlace['states'] & Pick<PanelStateStore, 'panels'>;
  /** The names that a panel had before. */
  formerNames(panelId: number): readonly string[];
  /** The panels that the catalogue lists now; null where no listing was read. */
  readonly listed: ReadonlySet<number> | null;
}

/** What two panels disagree in. */
type DisagreementKind =
  | 'green in first only'
  | 'green in second only'
  | 'two steps apart'
  | 'other inheritance'
  | 'inheritance not stated by one'
  | 'in first only'
  | 'in second only';

/** What each kind says of the modes of inheritance; null where it is about ratings, or what one panel lacks. */
export const inheritanceOf: Readonly<Record<DisagreementKind, 'differs' | 'not stated' | null>> = {
  'green in first only': null,
  'green in second only': null,
  'two steps apart': null,
  'other inheritance': 'differs',
  'inheritance not stated by one': 'not stated',
  'in first only': null,
  'in second only': null,
};

/** What one of two catalogues says of an entity. */
export interface EntitySide {
  /** Null where the panel does not hold it. */
  readonly name: string | null;
  readonly status: EntityStatus;
  readonly modes: readonly string[];
  /** Since when it is rated so, or is of that mode of inheritance. */
  readonly since: Since;
  /** What the signed-off version says; null where none is, or it was not read. */
  readonly signedOff: {
    readonly version: string;
    readonly date: string;
    readonly status: EntityStatus;
  } | null;
  readonly rated: Said | null;
  readonly wrote: Said | null;
}

/** An entity about which two panels disagree. */
export interface Disagreement extends Pick<EntityDifference, 'entity'> {
  readonly kind: DisagreementKind;
  readonly sides: readonly [EntitySide, EntitySide];
  /** Since when both are so: of the later of the two. */
  readonly since: Since;
}

/** Two panels that belong together, compared. */
export interface ComparedPair {
  readonly pair: PanelPair;
  readonly sides: readonly [FoundSide, FoundSide];
  readonly disagreements: readonly Disagreement[];
  /** How many entities are green in both. */
  readonly agreed: number;
  /** What is green in one, and of which the other one's rating is unknown. */
  readonly uncertain: readonly string[];
}

/** Two panels of which one cannot be compared: a sentence says why. */
interface UncomparedPair {
  readonly pair: PanelPair;
  readonly why: string;
}

/** The panels of a catalogue that its users see. */
export async function shownPanels({ states, listed }: CataloguePlace): Promise<readonly VersionSummary[]> {
  const hidden = ['retired', 'deleted', 'internal'];
  return (await states.panels()).filter(
    ({ panelId, status }) => (listed?.has(panelId) ?? true) && !hidden.includes(status ?? ''),
  );
}

/**
 * Proposes which panels of two catalogues belong together, by what was read of them last.
 * @throws {StateError} when the states cannot be read
 */
export async function pairsOfCatalogues(
  first: CataloguePlace,
  second: CataloguePlace,
): Promise<{
  readonly pairs: readonly PanelPair[];
  /** The panels of each catalogue, also those without a pair. */
  readonly panels: readonly [readonly PairablePanel[], readonly PairablePanel[]];
}> {
  const panels = [await pairable(first), await pairable(second)] as const;
  return { pairs: proposePairs(...panels), panels };
}

async function pairable(place: CataloguePlace): Promise<readonly PairablePanel[]> {
  const found: PairablePanel[] = [];
  for (const summary of await shownPanels(place)) {
    const { panelId: id, panelName: name, relevantDisorders } = summary;
    await setImmediate();
    const state = await place.states.newest(id);
    const green = (state ? contentsOf(state).held : []).filter(({ rating }) => rating === 'green');
    const identities = new Set(green.map(identityOf));
    found.push({
      ...{ id, name, disorders: relevantDisorders, green: identities, summary },
      formerly: place.formerNames(id),
    });
  }
  return found;
}

/**
 * Compares panels of two catalogues, as they are now.
 * @throws {HistoryError | StateError} when they cannot be read
 */
export async function* comparePairs(
  pairs: readonly PanelPair[],
  first: CataloguePlace,
  second: CataloguePlace,
): AsyncIterable<ComparedPair | UncomparedPair> {
  const signOffs = await signOffsOf([first, second]);
  for (const pair of pairs) {
    await setImmediate();
    const read = await readPair(pair, [first, second], signOffs);
    if ('why' in read) {
      yield read;
      continue;
    }
    const { panels, differences: all, describe } = read;
    const [left, right] = panels;
    const found = all.flatMap((difference) => {
      const kind = kindOf(difference);
      return kind ? [{ kind, difference }] : [];
    });
    const modes = new Set(
      found.flatMap(({ kind, difference }) => (inheritanceOf[kind] === null ? [] : difference)),
    );
    const say = await describe(
      found.map(({ difference }) => difference),
      (seen, difference) => (modes.has(difference) ? { ...seen, before: seen.after } : seen),
    );
    const disagreements = found.map(({ kind, difference }): Disagreement => {
      const sides = say(difference);
      return { kind, entity: difference.entity, sides, since: laterOf(sides[0].since, sides[1].since) };
    });
    const agreed = left.contents.held.filter(
      (one) => one.rating === 'green' && right.contents.statusOf(one) === 'green',
    ).length;
    const sides = [withoutContents(left), withoutContents(right)] as const;
    const uncertain = all
      .filter(({ before, after }) => isUncertain(before, after))
      .map(({ entity }) => entity.name);
    yield { pair, sides, disagreements, agreed, uncertain };
  }
}

/** Two panels that belong together, as they were read. */
export interface ReadPair {
  readonly panels: readonly [ReadSide, ReadSide];
  readonly differences: readonly EntityDifference[];
  /**
   * What each catalogue says of entities.
   * @param differences as the second catalogue sees them
   * @param asked of a difference as one of the two sees it, that of which is asked since when it is so
   * @throws {HistoryError | StateError} when what is kept cannot be read
   */
  describe(
    differences: readonly EntityDifference[],
    asked: (seen: EntityDifference, difference: EntityDifference) => EntityDifference,
  ): Promise<(difference: EntityDifference) => readonly [EntitySide, EntitySide]>;
}

/** The sign-offs of a catalogue, by panel. */
export type SignOffs = ReadonlyMap<number, readonly SignOff[]>;

/**
 * Reads the sign-offs of two catalogues.
 * @throws {StateError} when they cannot be read
 */
export async function signOffsOf([first, second]: readonly [CataloguePlace, CataloguePlace]): Promise<
  readonly [SignOffs, SignOffs]
> {
  const [one, other] = await Promise.all([first.states.signOffs(), second.states.signOffs()]);
  const byPanel = (all: readonly SignOff[]): SignOffs => Map.groupBy(all, ({ panelId }) => panelId);
  return [byPanel(one), byPanel(other)];
}

/**
 * Reads two panels as they are now, with their differences; where one of them is unknown, why.
 * @throws {HistoryError | StateError} when they cannot be read
 */
export async function readPair(
  pair: PanelPair,
  [first, second]: readonly [CataloguePlace, CataloguePlace],
  [ofFirst, ofSecond]: readonly [SignOffs, SignOffs],
): Promise<ReadPair | UncomparedPair> {
  const [one, other] = pair.panels;
  const left = await readPanel(one.id, first, ofFirst.get(one.id) ?? []);
  const right = await readPanel(other.id, second, ofSecond.get(other.id) ?? []);
  if ('why' in left || 'why' in right) {
    const unread = [
      ...('why' in left ? [`${one.name} (${one.id}) of ${first.catalogue}: ${left.why}`] : []),
      ...('why' in right ? [`${other.name} (${other.id}) of ${second.catalogue}: ${right.why}`] : []),
    ];
    return { pair, why: unread.join(' ') };
  }
  return {
    panels: [left.now, right.now],
    differences: differencesOf(left.now.contents, right.now.contents, 'two'),
    async describe(differences, asked) {
      const onLeft = new Map(differences.map((each) => [each, asked(mirror(each), each)]));
      const onRight = new Map(differences.map((each) => [each, asked(each, each)]));
      const sayLeft = await describe(left, [...onLeft.values()], first);
      const sayRight = await describe(right, [...onRight.values()], second);
      return (each) => [sayLeft(onLeft.get(each) ?? each), sayRight(onRight.get(each) ?? each)];
    },
  };
}

interface ReadPanel {
  readonly now: ReadSide;
  readonly signedOff: { readonly signOff: SignOff; readonly contents: PanelContents } | null;
}

async function readPanel(
  id: number,
  place: CataloguePlace,
  signOffs: readonly SignOff[],
): Promise<ReadPanel | { readonly why: string }> {
  if (place.listed?.has(id) === false) return { why: 'The catalogue does not list it any more.' };
  const now = await readSide(id, { kind: 'newest' }, place);
  if ('why' in now) return now;
  const signOff = signedOffAt(signOffs, place.now);
  const held = signOff && (await heldInVersion(id, signOff.version, place));
  return { now, signedOff: signOff && held ? { signOff, contents: contentsOf(held.state) } : null };
}

const isUncertain = (...both: readonly EntityStatus[]): boolean =>
  both.includes('unknown') && both.includes('green');

const steps: readonly EntityStatus[] = ['none', 'red', 'amber', 'green'];

/** What a difference of two catalogues is a disagreement in; null where it is none, or where one of the two says nothing. */
function kindOf({ before, after, modes }: EntityDifference): DisagreementKind | null {
  if (before === 'unknown' || after === 'unknown') return null;
  if (before !== after && before === 'green') return 'green in first only';
  if (before !== after && after === 'green') return 'green in second only';
  if (after === 'absent') return 'in first only';
  if (before === 'absent') return 'in second only';
  if (Math.abs(steps.indexOf(before) - steps.indexOf(after)) >= 2) return 'two steps apart';
  if (!modes) return null;
  return [modes.before, modes.after].every(statesInheritance)
    ? 'other inheritance'
    : 'inheritance not stated by one';
}

/** The difference as the first catalogue sees it. */
function mirror({ entity, earlier, before, after, modes }: EntityDifference): EntityDifference {
  return {
    entity: earlier ?? entity,
    earlier: earlier === entity ? null : entity,
    ...{ before: after, after: before },
    modes: modes && { before: modes.after, after: modes.before },
  };
}

function laterOf(one: Since, other: Since): Since {
  if (one.at !== other.at) return one.at > other.at ? one : other;
  return one.isExact ? other : one;
}

/** What a side says of entities; each difference is as this side sees it. */
async function describe(
  { now, signedOff }: ReadPanel,
  differences: readonly EntityDifference[],
  place: CataloguePlace,
): Promise<(difference: EntityDifference) => EntitySide> {
  const { contents, summary } = now;
  const trail: PanelTrail =
    differences.length === 0
      ? nothingSaid
      : await readPanelTrail({ catalogue: place.catalogue, panelId: summary.panelId }, place.history);
  const since = await sinceDates(differences, { state: now, floor: null }, place, trail);
  return (difference) => {
    const { entity, after } = difference;
    const signOff = signedOff && {
      ...{ version: signedOff.signOff.version, date: signedOff.signOff.date },
      status: signedOff.contents.statusOf(entity),
    };
    return {
      name: after === 'absent' ? null : entity.name,
      status: after,
      modes: contents.modesOf(entity),
      since: since(difference),
      signedOff: signOff,
      rated: trail.rated.get(entityKey(entity)) ?? null,
      wrote: trail.wrote.get(entityKey(entity)) ?? null,
    };
  };
}

const nothingSaid: PanelTrail = { changes: new Map(), rated: new Map(), wrote: new Map() };
