import { inOrder, timeOf } from '../differences/difference.ts';
import {
  entitiesNamed,
  type FollowedEntity,
  type FollowedPanel,
  follow,
  followFrom,
} from '../differences/followed-panel.ts';
import { ratings } from '../events/changes.ts';
import { isDisagreement } from '../events/kinds.ts';
import { isBeforeVersion } from '../events/panel-version.ts';
import type { Entity, PanelEvent } from '../events/schemas.ts';
import { statusesOf } from '../filters/entity-history.ts';
import { type Instant, later, parseInstant } from '../run/instant.ts';
import type { History } from '../store/history/history.ts';
import { shownState } from './shown-state.ts';
import { contentHash } from './state-from-detail.ts';
import type { StateEntity, VersionState, VersionSummary } from './version-state.ts';

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

/**
 * The entities that events of a version changed after an instant of it, before what is kept of the version was shown: the state holds
 * what was so then.
 * @throws {HistoryError} when the history cannot be read
 */
export async function changedAfter(
  shown: VersionSummary,
  at: Instant,
  { catalogue, history }: Published,
): Promise<readonly string[]> {
  const { panelId, version } = shown;
  const names = new Set<string>();
  const query = {
    catalogue,
    since: at + 1n,
    until: shownAt(shown),
    filter: { panels: [panelId] },
    order: 'oldest',
  } as const;
  for await (const { type, data } of history.findWithoutRows(query)) {
    const changes = /entity\.(?:added|removed|renamed|classified|annotated|tags-changed)\.v1$/.test(type);
    if (changes && data.entity && data.panel?.version === version) names.add(data.entity.name);
  }
  return [...names];
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

/** The entities of a panel after some events, oldest first. */
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
  const added: StateEntity = {
    ...{ type, name, hgncId: null, rating: null, child },
    ...{
      ensemblIds: { GRCh37: null, GRCh38: stated?.ensemblId ?? null },
      omimIds: [...(stated?.omimIds ?? [])],
    },
    locations: { GRCh37: null, GRCh38: null },
  };
  const { modeOfInheritance: _before, ...fields } = held ?? added;
  return {
    ...fields,
    name,
    hgncId: hgncId ?? stated?.hgncId ?? (type === 'gene' ? null : fields.hgncId),
    rating: ratings.find((one) => one === facts.get('rating')) ?? null,
    ...(mode !== undefined && { modeOfInheritance: mode }),
  };
}
