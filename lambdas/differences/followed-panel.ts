import type { Changes, EventKindName } from '../events/changes.ts';
import { type Entity, entityTypes, type PanelEvent, typeName } from '../events/schemas.ts';
import { type AnyFact, isFoundBy, type Led, untouched } from './difference.ts';
import { entityFacts } from './entity-facts.ts';
import { panelFacts } from './panel-facts.ts';
import type { ShownEntity, ShownPanel } from './shown.ts';

/** What is known of some facts, by name; a fact that is missing is unknown. */
export type KnownFacts = Map<string, unknown>;

/** An entity as the events leave it. */
export interface FollowedEntity {
  readonly type: Entity['type'];
  readonly ofPanel?: number | undefined;
  hgncId?: string | undefined;
  name: string;
  /** Names that it had before, oldest first. */
  readonly formerly: string[];
  /** Whether it is on the panel; undefined where that is unknown. */
  present: boolean | undefined;
  facts: KnownFacts;
}

/** A panel as the events leave it. */
export interface FollowedPanel {
  readonly facts: KnownFacts;
  /** The types of which no other entity is on the panel. */
  whole: readonly Entity['type'][];
  entities: FollowedEntity[];
  /** Entities by a symbol that HGNC gave them, and that only a later state shows: a row may have it already. */
  readonly laterNamed: ReadonlyMap<string, readonly FollowedEntity[]>;
}

/** A panel of which nothing is known. */
export const unknownPanel: ShownPanel = { facts: {}, entities: [], whole: [] };

/** An entity as it was shown. What is known of it is asked for of one of hundreds. */
class EntityShown implements FollowedEntity {
  readonly type: FollowedEntity['type'];
  readonly ofPanel: FollowedEntity['ofPanel'];
  readonly formerly: string[] = [];
  hgncId: FollowedEntity['hgncId'];
  name: string;
  present: FollowedEntity['present'] = true;
  readonly #shown: ShownEntity;
  #facts: KnownFacts | undefined;

  constructor(shown: ShownEntity) {
    this.type = shown.type;
    this.ofPanel = shown.ofPanel;
    this.hgncId = shown.hgncId;
    this.name = shown.name;
    this.#shown = shown;
  }
  get facts(): KnownFacts {
    this.#facts ??= knownOf(entityFacts, this.#shown.facts);
    return this.#facts;
  }
  set facts(known: KnownFacts) {
    this.#facts = known;
  }
}

/** A panel as it was shown, to be followed through its events. */
export function followFrom({ facts, entities, whole }: ShownPanel, after = unknownPanel): FollowedPanel {
  const followed = entities.map((entity) => new EntityShown(entity));
  return {
    facts: knownOf(panelFacts, facts),
    whole,
    entities: followed,
    laterNamed: laterNamed(followed, after),
  };
}

function laterNamed(
  entities: readonly FollowedEntity[],
  after: ShownPanel,
): ReadonlyMap<string, readonly FollowedEntity[]> {
  const named = new Set(entities.map((one) => placed(one, nameKey(one.name))));
  const byId = new Map(entities.flatMap((one) => (one.hgncId ? [[placed(one, one.hgncId), one]] : [])));
  const renamed = after.entities.flatMap((shown) => {
    const known = shown.hgncId === undefined ? undefined : byId.get(placed(shown, shown.hgncId));
    return known && !named.has(placed(shown, nameKey(shown.name))) ? [{ shown, known }] : [];
  });
  const byName = Map.groupBy(renamed, ({ shown: { type, name } }) => placed({ type }, nameKey(name)));
  return new Map([...byName].map(([key, own]) => [key, own.map(({ known }) => known)]));
}

/** A key among the entities of one type; in a super panel, among those of one of its panels. */
export const placed = ({ type, ofPanel }: Pick<FollowedEntity, 'type' | 'ofPanel'>, key: string): string =>
  `${type} ${ofPanel ?? ''} ${key}`;

/**
 * Where the events of a panel lead, in the order in which they were published, from what was shown before.
 * @param after what was shown later: its symbols may be those of rows
 */
export function followEvents(
  before: ShownPanel,
  events: Iterable<PanelEvent>,
  after?: ShownPanel,
): FollowedPanel {
  const panel = followFrom(before, after);
  for (const event of events) follow(panel, event);
  return panel;
}

/** Takes over what one event says of a panel. */
export function follow(panel: FollowedPanel, event: PanelEvent): void {
  if (hasKind(event, 'panel.created')) {
    panel.entities = [];
    panel.whole = entityTypes;
  }
  for (const fact of panelFacts) {
    put(panel.facts, fact, fact.implied(event, panel.facts.get(fact.name)));
    put(panel.facts, fact, fact.led(event, panel.facts.get(fact.name)));
  }
  const { entity } = event.data;
  if (!entity) return;
  if (hasKind(event, 'entity.renamed')) {
    rename(panel, entity, event.data.change);
    return;
  }
  for (const followed of membersAfter(panel, entity, event)) {
    for (const fact of entityFacts) {
      put(followed.facts, fact, fact.led(event, followed.facts.get(fact.name)));
    }
  }
}

/** Whether the changes of two events of a panel, or of one entity, state the same fact. Numbers order versions, not times. */
export const stateOneFact = (one: PanelEvent, other: PanelEvent): boolean =>
  [...panelFacts, ...entityFacts].some(
    (fact) =>
      fact.name !== 'version' && [one, other].every((event) => fact.led(event, undefined) !== untouched),
  );

/** Entities of a panel of that type and name, in any letter case. */
export function entitiesNamed(
  { entities }: FollowedPanel,
  { type, name }: Entity,
): readonly FollowedEntity[] {
  const key = nameKey(name);
  return entities.filter((one) => one.type === type && nameKey(one.name) === key);
}

/** Names are compared in one letter case: some texts lower it. */
export const nameKey = (name: string): string => name.trim().toLowerCase();

/** The entities that an event is about, once it added or removed them. */
function membersAfter(panel: FollowedPanel, entity: Entity, event: PanelEvent): readonly FollowedEntity[] {
  const own = entitiesNamed(panel, entity);
  const [known] = own;
  if (hasKind(event, 'entity.added')) {
    if (known?.present) return [];
    return [anew(known ?? create(panel, entity), true)];
  }
  if (hasKind(event, 'entity.removed')) return [anew(known ?? create(panel, entity), false)];
  const later = panel.laterNamed.get(placed({ type: entity.type }, nameKey(entity.name)));
  const named = own.length > 0 ? own : (later ?? []).filter(({ present }) => present);
  // A row names no ids: of two entities with one symbol, it may be about either.
  if (named.length > 1) {
    for (const one of named) one.facts = new Map();
    return [];
  }
  if (named.length > 0) return named;
  // A listing shows an entity, not that it was added: that is for the comparison to find.
  const isAbsent = panel.whole.includes(entity.type);
  if (isAbsent && isFoundBy('listing', event.data.change)) return [];
  // Nor does a row about an entity that was added without one.
  const created = create(panel, entity);
  if (isAbsent && !hasKind(event, 'entity.classified')) created.present = false;
  return [created];
}

/** An entity that was just added or removed: what was known of it before holds no longer. */
function anew(entity: FollowedEntity, present: boolean): FollowedEntity {
  entity.present = present;
  entity.facts = new Map();
  return entity;
}

function create(panel: FollowedPanel, { type, name }: Entity): FollowedEntity {
  const created: FollowedEntity = { type, name, formerly: [], present: undefined, facts: new Map() };
  panel.entities.push(created);
  return created;
}

function rename(panel: FollowedPanel, { type }: Entity, { from, to }: Changes['entity.renamed']): void {
  const [known] = entitiesNamed(panel, { type, name: from });
  if (known) {
    // One that had the new name and was removed is another one.
    const removed = entitiesNamed(panel, { type, name: to }).filter((one) => one.present === false);
    panel.entities = panel.entities.filter((one) => one === known || !removed.includes(one));
    known.formerly.push(known.name);
    known.name = to;
    // Another gene has another id.
    known.hgncId = undefined;
    return;
  }
  // The wording of a new descriptive name is that of a new name.
  const described = panel.entities.find((one) => one.type === type && one.facts.get('verboseName') === from);
  if (described) described.facts.set('verboseName', to);
  else create(panel, { type, name: to }).formerly.push(from);
}

function hasKind<Kind extends EventKindName>(
  event: PanelEvent,
  kind: Kind,
): event is PanelEvent & { readonly data: { readonly change: Changes[Kind] } } {
  return event.type === typeName(kind);
}

function put(facts: KnownFacts, { name }: AnyFact, led: Led<unknown>): void {
  if (led === untouched) return;
  if (led === undefined) facts.delete(name);
  else facts.set(name, led);
}

function knownOf(table: readonly AnyFact[], shown: object): KnownFacts {
  const values = shown as Readonly<Record<string, unknown>>;
  return new Map(
    table.flatMap((fact): [string, unknown][] => {
      const value = values[fact.name];
      return value === undefined ? [] : [[fact.name, fact.known(value)]];
    }),
  );
}
