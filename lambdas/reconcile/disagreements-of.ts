import { hash } from 'node:crypto';
import type { Changes, DisagreementChange, DisagreementStanding } from '../events/changes.ts';
import { toEvent } from '../events/envelope.ts';
import { isOfInheritance, statesInheritance } from '../events/inheritance.ts';
import type { Entity, EventPanel, PanelEvent } from '../events/schemas.ts';
import type { EntityStatus } from '../filters/entity-history.ts';
import type { EntitySide, ReadPair } from '../panels/compare-catalogues.ts';
import { type EntityDifference, type PanelContents, sharesGroup } from '../panels/compare-states.ts';
import type { PairRecord, StoodEntity } from '../panels/disagreement-record.ts';
import { entityKey } from '../panels/since-when.ts';
import { identityOf, type VersionSummary } from '../panels/version-state.ts';
import { formatInstant, type Instant } from '../run/instant.ts';

/** A change of how two catalogues stand to each other about an entity. */
interface FoundChange {
  readonly entity: StoodEntity;
  readonly from: DisagreementStanding;
  readonly to: DisagreementStanding;
  /** What shows it, as the other catalogue sees it; with the modes of inheritance where these changed. */
  readonly difference: EntityDifference;
}

/**
 * How two panels stand to each other about their entities now, and what of it is a change. What is found for the first time of two panels, of a type
 * of which not everything was shown before, or of an entity of which it was unknown, is no change.
 */
export function foundOf(
  before: PairRecord | null,
  { panels: [left, right], differences }: ReadPair,
): { readonly found: PairRecord; readonly changes: readonly FoundChange[] } {
  const known = new Set(before?.whole);
  const whole = left.contents.whole.filter((type) => right.contents.whole.includes(type));
  const stood = new Map((before?.entities ?? []).map((entity) => [identityOf(entity), entity]));
  const byName = Map.groupBy(stood.values(), entityKey);
  // A gene whose id one of the two lacks has its symbol.
  const keyByName = ({ entity }: EntityDifference): string | undefined =>
    (byName.get(entityKey(entity)) ?? [])
      .filter(({ hgncId }) => hgncId === null || entity.hgncId === null)
      .map(identityOf)
      .find((identity) => stood.has(identity));
  const [entities, changes] = [[] as StoodEntity[], [] as FoundChange[]];
  const look = (difference: EntityDifference, last: StoodEntity | undefined): void => {
    const { type, name } = difference.entity;
    const modes = [
      left.contents.modesOf(difference.earlier ?? difference.entity),
      right.contents.modesOf(difference.entity),
    ] as const;
    const hgncId = difference.entity.hgncId ?? difference.earlier?.hgncId ?? last?.hgncId ?? null;
    // Nothing was known of it: neither by itself, nor by everything of its type being shown.
    const isFirst = last ? last.standing === null : !known.has(type);
    const from = last?.standing ?? 'agreed';
    const standing = standingOf(difference, modes, from);
    if (standing === null ? !isFirst : !last && standing === 'agreed' && whole.includes(type)) {
      if (last) entities.push(last);
      return;
    }
    const entity: StoodEntity = { type, name, hgncId, standing, event: last?.event ?? null };
    entities.push(entity);
    if (standing === null || isFirst || from === standing) return;
    const ofModes = isOfInheritance({
      ...{ from, to: standing },
      ...{ here: { rating: difference.before }, there: { rating: difference.after } },
    });
    const shown = { ...difference, modes: ofModes ? { before: modes[0], after: modes[1] } : null };
    changes.push({ entity, from, to: standing, difference: shown });
  };
  for (const difference of everyEntity(left.contents, right.contents, differences)) {
    const key = identitiesOf(difference).find((identity) => stood.has(identity)) ?? keyByName(difference);
    const last = key === undefined ? undefined : stood.get(key);
    if (key !== undefined) stood.delete(key);
    look(difference, last);
  }
  // What neither panel holds any more.
  for (const last of stood.values()) {
    const [before, after] = [left.contents.statusOf(last), right.contents.statusOf(last)];
    const entity = { ...last, panelId: right.summary.panelId, rating: null };
    look({ entity, earlier: null, before, after, modes: null }, last);
  }
  return {
    found: { entities, whole: [...new Set([...known, ...whole])] },
    changes,
  };
}

/** What is green in one catalogue stands two steps above these ratings of the other one. */
const twoStepsBelow: readonly EntityStatus[] = ['red', 'none'];

/** How two catalogues stand to each other; null where that is unknown. Where one states no mode of inheritance, it contradicts none. */
function standingOf(
  { before: here, after: there }: EntityDifference,
  [mine, theirs]: readonly [readonly string[], readonly string[]],
  last: DisagreementStanding,
): DisagreementStanding | null {
  if (here === 'unknown' || there === 'unknown') return null;
  if (here === 'green' && there === 'green') {
    if (![mine, theirs].every(statesInheritance)) return last === 'inheritance' ? null : 'agreed';
    return sharesGroup(mine, theirs) ? 'agreed' : 'inheritance';
  }
  if (here === 'green') return twoStepsBelow.includes(there) ? 'here-two-steps' : 'here';
  if (there === 'green') return twoStepsBelow.includes(here) ? 'there-two-steps' : 'there';
  return 'agreed';
}

const identitiesOf = ({ entity, earlier }: EntityDifference): readonly string[] => [
  ...new Set([entity, ...(earlier ? [earlier] : [])].map(identityOf)),
];

/** Every entity that one of two panels holds, also those in which they do not differ. */
function everyEntity(
  left: PanelContents,
  right: PanelContents,
  differences: readonly EntityDifference[],
): readonly EntityDifference[] {
  const differing = new Set(differences.flatMap(identitiesOf));
  const [same, seen] = [[] as EntityDifference[], new Set<string>()];
  for (const held of [...right.held, ...left.held]) {
    const identity = identityOf(held);
    if (differing.has(identity) || seen.has(identity)) continue;
    const [earlier, later] = [left.find(held) ?? null, right.find(held)];
    const difference = {
      ...{ entity: later ?? held, earlier, modes: null },
      ...{ before: left.statusOf(held), after: right.statusOf(held) },
    };
    for (const one of identitiesOf(difference)) seen.add(one);
    same.push(difference);
  }
  return [...differences, ...same];
}

interface DisagreementParts {
  readonly change: Pick<FoundChange, 'entity' | 'from' | 'to'>;
  readonly sides: readonly [EntitySide, EntitySide];
  readonly panel: EventPanel;
  readonly there: Pick<VersionSummary, 'panelId' | 'panelName' | 'version'>;
  readonly catalogues: {
    readonly here: { readonly name: string; readonly url: string };
    readonly there: { readonly name: string };
  };
  /** When it was found. */
  readonly at: Instant;
}

/**
 * The event of a change. Its id follows from the event of the same entity before: a gene may turn green, amber and green again on the
 * same two panels.
 */
export function disagreementEvent({
  change: { entity, from, to },
  sides: [mine, theirs],
  panel,
  there,
  catalogues,
  at,
}: DisagreementParts): PanelEvent {
  const identity = identityOf(entity);
  const change: Changes['entity.disagreement'] = {
    from,
    to,
    here: sideOf(mine),
    there: {
      ...sideOf(theirs),
      catalogue: catalogues.there.name,
      panel: { id: there.panelId, name: there.panelName, version: there.version },
      name: theirs.name,
    },
  };
  const parts = [catalogues.here.url, catalogues.there.name, panel.id, there.panelId, identity];
  const key = ['disagreement.v1', ...parts, from, to, entity.event];
  const named: Entity = {
    type: entity.type,
    name: mine.name ?? entity.name,
    ...(entity.hgncId !== null && { hgncId: entity.hgncId }),
  };
  return toEvent({
    kind: 'entity.disagreement',
    change,
    catalogue: catalogues.here,
    key: hash('sha256', JSON.stringify(key), 'hex').slice(0, 32),
    ...{ at, panel, entity: named, actor: null, late: false, rows: [] },
  });
}

function sideOf({
  name,
  status,
  modes,
  since,
  signedOff,
  rated,
  wrote,
}: EntitySide): DisagreementChange['here'] {
  const ratingOf = (each: EntityStatus) => (each === 'unknown' ? null : each);
  const rating = ratingOf(status);
  if (rating === null)
    throw new Error(`Publishing a disagreement about ${name}: one of its ratings is unknown`);
  return {
    rating,
    modesOfInheritance: modes.filter((mode) => mode !== ''),
    since: formatInstant(since.at),
    sinceIsExact: since.isExact,
    signedOff: signedOff && {
      version: signedOff.version,
      date: signedOff.date,
      rating: ratingOf(signedOff.status),
    },
    ratedBy: rated?.actor ?? null,
    comment: wrote?.words ?? null,
    commentBy: wrote?.actor ?? null,
  };
}
