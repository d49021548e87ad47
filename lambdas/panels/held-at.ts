import {
  entitiesNamed,
  type FollowedEntity,
  type FollowedPanel,
  follow,
  followFrom,
} from '../differences/followed-panel.ts';
import { type EventKindName, ratings } from '../events/changes.ts';
import { isDisagreement } from '../events/kinds.ts';
import { inOrder, isBeforeVersion, timeOf } from '../events/order.ts';
import type { Entity, PanelEvent } from '../events/schemas.ts';
import { statusesOf } from '../filters/entity-history.ts';
import { type Instant, later, minutes, parseInstant } from '../run/instant.ts';
import type { History } from '../store/history/history.ts';
import { type HeldByPanel, type HeldNames, heldNames } from '../store/history/unknown-names.ts';
import type { CatalogueListing } from '../store/listing.ts';
import { contentsOf, type PanelContents } from './compare-states.ts';
import type { PanelStateStore } from './panel-state-store.ts';
import { shownState } from './state-facts.ts';
import { contentHash } from './state-from-detail.ts';
import type { Holding, Identified, StateEntity, VersionState, VersionSummary } from './version-state.ts';

/**
 * What a panel held, for messages and questions, is decided here alone: a state that is kept, with what events state of the time
 * after its reading. An archive shows its version at the end, which no event changes: of an earlier instant, what came later is undone.
 */

/** Where what was read and published of one catalogue is kept. */
export interface HeldPlace<Read extends 'newest' | 'find' | 'at' | 'panels' | 'holdings'> {
  /** Its configured name. */
  readonly catalogue: string;
  readonly states: Pick<PanelStateStore, Read>;
  /** Null where no events are kept: a state then counts as it was read. */
  readonly history: PublishedEvents | null;
}

type Held = Promise<StateSince | null>;

/**
 * What a panel holds as far as is known; null where no state of it is kept.
 * @throws {StateError | HistoryError} when it cannot be read
 */
export const heldNow = async (panelId: number, place: HeldPlace<'newest'>): Held =>
  withEvents(await place.states.newest(panelId), place);

/**
 * The panels that hold entities as far as is known, by panel id: as their newest states show them, and where events came after the
 * reading, with these.
 * @param entities by `identityOf`, as the result is
 * @throws {HistoryError | StateError} when it cannot be read
 */
export async function holdingsNow(
  entities: ReadonlyMap<string, Identified>,
  place: HeldPlace<'newest' | 'panels' | 'holdings'>,
): Promise<ReadonlyMap<string, readonly Holding[]>> {
  const { catalogue, states, history } = place;
  const readAt = new Map((await states.panels()).map((panel) => [panel.panelId, panel.readAt]));
  const since = [...readAt.values()].reduce<Instant | null>(
    (least, at) => (least === null || at < least ? at : least),
    null,
  );
  const anew = new Map<number, PanelContents>();
  const genes = [...entities.values()].map(({ name }) => name);
  const query = { catalogue, filter: { genes, types: [...changesRating] }, order: 'oldest' } as const;
  const events = since !== null && history ? history.findWithoutRows({ ...query, since }) : [];
  for await (const event of events) {
    const panelId = event.data.panel?.id ?? 0;
    const read = readAt.get(panelId);
    if (read === undefined || timeOf(event) < read || anew.has(panelId)) continue;
    const held = await heldNow(panelId, place);
    if (held) anew.set(panelId, contentsOf(held.state));
  }
  const found = new Map<string, readonly Holding[]>();
  for (const [identity, entity] of entities) {
    const kept = (await states.holdings(identity)).filter(({ panelId }) => !anew.has(panelId));
    const changed = [...anew.values()].flatMap((held) => held.find(entity) ?? []);
    found.set(
      identity,
      [...kept, ...changed].sort((one, other) => one.panelId - other.panelId),
    );
  }
  return found;
}

/**
 * What a panel held at the end of a version, or holds in it until now; null where no state of it is kept.
 * @throws {StateError | HistoryError} when it cannot be read
 */
export async function heldInVersion(panelId: number, version: string, place: HeldPlace<'find'>): Held {
  const state = await place.states.find(panelId, version);
  return state?.source === 'present' ? withEvents(state, place, { version }) : asRead(state);
}

/** What a panel held at an instant. */
interface HeldThen extends StateSince {
  /** The events that changed it later within the version, oldest first. */
  readonly later: readonly PanelEvent[];
}

/**
 * What a panel held at an instant; null where no state of that time is kept. What events of its version changed later is undone, as
 * far as they say what was so before.
 * @throws {HistoryError | StateError} when it cannot be read
 */
export async function heldAt(panelId: number, at: Instant, place: HeldPlace<'at'>): Promise<HeldThen | null> {
  const state = await place.states.at(panelId, at);
  if (!state) return null;
  const { catalogue, history } = place;
  const changes = history ? await changesWithin(state, { catalogue, history }) : [];
  const later = changes.filter((event) => timeOf(event) > at);
  if (state.source === 'present' && at > state.readAt) {
    const held = await withEvents(state, place, { at });
    return held && { ...held, later };
  }
  const shown = later.filter((event) => timeOf(event) <= shownAt(state));
  return { state: stateBefore(state, shown), isChanged: false, asOf: shownAt(state), later };
}

/**
 * The instants at which events changed what a panel held within a version, oldest first: in between, `heldAt` finds the same.
 * @throws {HistoryError} when the history cannot be read
 */
export const changeTimes = async (
  version: VersionSummary,
  { catalogue, history }: Pick<HeldPlace<'at'>, 'catalogue' | 'history'>,
): Promise<readonly Instant[]> =>
  history ? (await changesWithin(version, { catalogue, history })).map(timeOf) : [];

const withEvents = async (
  state: VersionState | null,
  { catalogue, history }: Pick<HeldPlace<'find'>, 'catalogue' | 'history'>,
  until?: Parameters<typeof stateSince>[2],
): Held => (state && history ? stateSince(state, { catalogue, history }, until) : asRead(state));

const asRead = (state: VersionState | null): StateSince | null =>
  state && { state, isChanged: false, asOf: shownAt(state) };

/** The time for which a state speaks: of its reading, or the end of its version. */
export const shownAt = ({ source, readAt, validTo }: VersionSummary): Instant =>
  source === 'present' ? readAt : (validTo ?? readAt);

/** Published events of every catalogue. */
export type PublishedEvents = Pick<History, 'findWithoutRows'>;

interface Published {
  readonly catalogue: string;
  readonly history: PublishedEvents;
}

/** What a panel holds as far as a state of it and the events after that say. */
export interface StateSince {
  /** With the version that the last of these events states. */
  readonly state: VersionState;
  /** Whether there were such events. */
  readonly isChanged: boolean;
  /** The time for which it speaks: that of what was read, or of the last event. */
  readonly asOf: Instant;
}

/**
 * The newest version that the published events name and that began after a state was read; null where they name none.
 * Between a row and the reading of its version, the newest state that is kept is not what the panel holds.
 * @throws {HistoryError} when the history cannot be read
 */
export async function versionSince(state: VersionSummary, published: Published): Promise<string | null> {
  const { version } = state;
  for await (const { time, data } of eventsSince(state, published, 'newest')) {
    const stated = data.panel?.version ?? version;
    if (stated !== version && isLater(state, stated, parseInstant(time) ?? 0n)) return stated;
  }
  return null;
}

async function* eventsSince(
  { panelId, validFrom }: Pick<VersionSummary, 'panelId' | 'validFrom'>,
  { catalogue, history }: Published,
  order: 'newest' | 'oldest',
): AsyncIterable<PanelEvent> {
  const query = { catalogue, since: validFrom, filter: { panels: [panelId] }, order };
  for await (const event of history.findWithoutRows(query)) if (!isDisagreement(event)) yield event;
}

/** The events that may change whether a panel holds an entity, or how it is rated there. */
const changesRating = [
  'entity.added',
  'entity.removed',
  'entity.renamed',
  'entity.classified',
  'entity.annotated',
] as const satisfies readonly EventKindName[];

/** Rows are written so long after the beginning of the version that they make. */
const MAKING: Instant = minutes(1);

/**
 * The events that changed what a panel held in a version after it had begun, oldest first: a row may add an entity without a new
 * version.
 * @throws {HistoryError} when the history cannot be read
 */
async function changesWithin(
  { panelId, version, validFrom, validTo, readAt }: VersionSummary,
  { catalogue, history }: Published,
): Promise<readonly PanelEvent[]> {
  const found: PanelEvent[] = [];
  const query = {
    catalogue,
    since: validFrom + MAKING,
    until: later(validTo ?? readAt, readAt) + 1n,
    filter: { panels: [panelId], types: [...changesRating, 'entity.tags-changed'] },
    order: 'oldest',
  } as const;
  for await (const event of history.findWithoutRows(query))
    if (event.data.panel?.version === version) found.push(event);
  return inOrder(found);
}

/**
 * What a panel held before some events that a state of it holds.
 * @param events oldest first
 */
function stateBefore(state: VersionState, events: readonly PanelEvent[]): VersionState {
  const entities = events.reduceRight<readonly StateEntity[]>(entitiesBefore, state.entities);
  return entities === state.entities ? state : { ...state, ...contentOf(entities) };
}

/** The entities of a panel before an event, as far as it says what was so before. */
function entitiesBefore(entities: readonly StateEntity[], event: PanelEvent): readonly StateEntity[] {
  const { entity } = event.data;
  if (!entity) return entities;
  const isNamed = (one: StateEntity): boolean => nameOf(one) === nameOf(entity);
  const changed = (before: Partial<StateEntity>): readonly StateEntity[] =>
    entities.map((one) => (isNamed(one) ? { ...one, ...before } : one));
  switch (event.type) {
    case 'gene-panel.entity.added.v1':
      return entities.filter((one) => !isNamed(one));
    case 'gene-panel.entity.removed.v1':
      return [...entities, { ...unseenEntity(entity), rating: event.data.change.rating }];
    case 'gene-panel.entity.renamed.v1':
      // Another gene has another id.
      return changed({ name: event.data.change.from, ...(entity.type === 'gene' && { hgncId: null }) });
    case 'gene-panel.entity.classified.v1':
      return event.data.change.direction === 'new' ? entities : changed({ rating: event.data.change.from });
    case 'gene-panel.entity.annotated.v1': {
      const { rating, changes } = event.data.change;
      const mode = changes.find(({ field }) => field === 'modeOfInheritance');
      const isRated = changes.some(({ field }) => field === 'sources');
      return changed({
        ...(isRated && rating != null && { rating }),
        ...(typeof mode?.from === 'string' && { modeOfInheritance: mode.from }),
      });
    }
    case 'gene-panel.entity.tags-changed.v1':
    case 'gene-panel.entity.reviewed.v1':
    case 'gene-panel.entity.review-deleted.v1':
    case 'gene-panel.entity.commented.v1':
    case 'gene-panel.entity.reviews-copied.v1':
    case 'gene-panel.entity.marked-ready.v1':
    case 'gene-panel.entity.disagreement.v1':
    case 'gene-panel.panel.promoted.v1':
    case 'gene-panel.panel.signed-off.v1':
    case 'gene-panel.panel.created.v1':
    case 'gene-panel.panel.deleted.v1':
    case 'gene-panel.panel.published.v1':
    case 'gene-panel.panel.withdrawn.v1':
    case 'gene-panel.panel.changed.v1':
    case 'gene-panel.activity.unclassified.v1':
      return entities;
    default:
      return event satisfies never;
  }
}

/** Whether an event that states a version came after what a state shows: it has a higher number, or was made after the reading. */
const isLater = ({ version, readAt }: VersionSummary, stated: string, at: Instant): boolean =>
  isBeforeVersion(version, stated) || at > readAt;

/**
 * A state of a panel with what published events changed since: a row is known before its version is read, and a row may add an
 * entity without a new version. A super panel has no rows of its entities: those of its panels change it.
 * @throws {HistoryError} when the history cannot be read
 */
export async function stateSince(
  state: VersionState,
  published: Published,
  until?: Until,
): Promise<StateSince> {
  const ofPanels = Map.groupBy(state.entities, ({ child }) => child?.id ?? state.panelId);
  if (!ofPanels.has(state.panelId)) ofPanels.set(state.panelId, []);
  const entities: StateEntity[] = [];
  const all: PanelEvent[] = [];
  for (const [panelId, held] of ofPanels) {
    const shown = { ...state, panelId, version: held[0]?.child?.version ?? state.version };
    const events: PanelEvent[] = [];
    for await (const event of eventsSince(shown, published, 'oldest'))
      if (isWithin(event, until) && isLater(shown, event.data.panel?.version ?? shown.version, timeOf(event)))
        events.push(event);
    entities.push(...entitiesAfter({ ...state, entities: held }, inOrder(events)));
    all.push(...events);
  }
  const asOf = all.map(timeOf).reduce(later, shownAt(state));
  if (all.length === 0) return { state, isChanged: false, asOf };
  const own = all.filter(({ data }) => data.panel?.id === state.panelId);
  return { state: { ...state, ...versionAfter(state, own), ...contentOf(entities) }, isChanged: true, asOf };
}

/** Up to where events are followed: those of one version, or up to an instant. */
type Until = { readonly version: string } | { readonly at: Instant };

const isWithin = (event: PanelEvent, until: Until | undefined): boolean => {
  if (until === undefined) return true;
  return 'at' in until ? timeOf(event) <= until.at : event.data.panel?.version === until.version;
};

/** The version to which the events of a panel led, and its beginning. */
function versionAfter({ version, validFrom }: VersionSummary, events: readonly PanelEvent[]) {
  const versionOf = ({ data }: PanelEvent): string | null => data.panel?.version ?? null;
  const last = events.map(versionOf).findLast((one) => one !== null) ?? version;
  const first = events.find((event) => versionOf(event) === last);
  return {
    version: last,
    validFrom: last === version || !first ? validFrom : timeOf(first),
  };
}

const contentOf = (entities: readonly StateEntity[]) => ({
  entities,
  sha256: contentHash(entities),
  entityCount: entities.length,
  greenCount: entities.filter(({ rating }) => rating === 'green').length,
});

function entitiesAfter(state: VersionState, events: readonly PanelEvent[]): readonly StateEntity[] {
  if (events.length === 0) return state.entities;
  const panel = followFrom(shownState(state));
  const held = new Map(panel.entities.map((entity, index) => [entity, state.entities[index]]));
  const ids = new Map<string, Entity>();
  for (const event of events) {
    const { entity } = event.data;
    const known = entity && nameInPanel(panel, entity);
    follow(panel, known ? withEntity(event, known) : event);
    if (!known) continue;
    ids.set(nameOf(known), known);
    for (const followed of entitiesNamed(panel, known)) {
      const before = ratings.find((one) => one === followed.facts.get('rating'));
      // The catalogue rates anew what lost the source of its rating, and no row says how.
      if (event.type === 'gene-panel.entity.annotated.v1' && statusesOf(event, before).at(-1) === 'unknown')
        followed.facts.delete('rating');
    }
  }
  const child = state.entities[0]?.child ?? null;
  return panel.entities
    .filter(({ present }) => present !== false)
    .map((followed) =>
      entityOf(followed, { held: held.get(followed), stated: ids.get(nameOf(followed)), child }),
    );
}

/** The entity under the name that the panel has it by: an event may name it by another symbol of its id. */
function nameInPanel(panel: FollowedPanel, entity: Entity): Entity {
  if (entity.hgncId === undefined || entitiesNamed(panel, entity).length > 0) return entity;
  const same = panel.entities.find((one) => one.type === entity.type && one.hgncId === entity.hgncId);
  return same ? { ...entity, name: same.name } : entity;
}

const withEntity = (event: PanelEvent, entity: Entity): PanelEvent =>
  ({ ...event, data: { ...event.data, entity } }) as PanelEvent;

const nameOf = ({ type, name }: Pick<Entity, 'type' | 'name'>): string => `${type} ${name.toLowerCase()}`;

interface Known {
  /** As the state holds it; undefined where it does not. */
  readonly held: StateEntity | undefined;
  /** As the last event names it. */
  readonly stated: Entity | undefined;
  readonly child: StateEntity['child'];
}

/** An entity with the name, the rating and the mode of inheritance to which events led. */
function entityOf(
  { type, name, hgncId, facts }: FollowedEntity,
  { held, stated, child }: Known,
): StateEntity {
  const mode = facts.get('modeOfInheritance') as string | null | undefined;
  const added = { ...unseenEntity({ ...stated, type, name, hgncId: undefined }), child };
  const { modeOfInheritance: _before, ...fields } = held ?? added;
  return {
    ...fields,
    name,
    hgncId: hgncId ?? stated?.hgncId ?? (type === 'gene' ? null : fields.hgncId),
    rating: ratings.find((one) => one === facts.get('rating')) ?? null,
    ...(mode !== undefined && { modeOfInheritance: mode }),
  };
}

/** An entity that no state shows, as an event names it. */
const unseenEntity = ({ type, name, hgncId, ensemblId, omimIds }: Entity): StateEntity => ({
  ...{ type, name, hgncId: hgncId ?? null, rating: null, child: null },
  ensemblIds: { GRCh37: null, GRCh38: ensemblId ?? null },
  omimIds: [...(omimIds ?? [])],
  locations: { GRCh37: null, GRCh38: null },
});

interface KeptStates {
  readonly catalogues: readonly string[];
  readonly statesOf: (catalogue: string) => Pick<PanelStateStore, 'panels' | 'newest'>;
  readonly listings: readonly CatalogueListing[];
}

/**
 * The names on the listed panels, by the newest state of each panel: one query a panel.
 * @throws {StateError} when a state cannot be read
 */
export async function heldByStates({ catalogues, statesOf, listings }: KeptStates): Promise<HeldNames> {
  const states: HeldByPanel[] = [];
  for (const catalogue of catalogues) {
    const store = statesOf(catalogue);
    for (const { panelId } of await store.panels()) {
      const state = await store.newest(panelId);
      if (state) states.push({ catalogue, panelId, entities: state.entities });
    }
  }
  return heldNames(states, listings);
}
