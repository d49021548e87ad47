import { createOrdering } from '../events/order.ts';
import type { PanelEvent } from '../events/schemas.ts';
import type { EntityChange, EntityStatus } from '../filters/entity-history.ts';
import { createNetChanges } from '../filters/net-changes.ts';
import { type Instant, minutes, parseInstant } from '../run/instant.ts';
import type { History } from '../store/history/history.ts';
import { contentsOf, type EntityDifference, type PanelContents, sharesGroup } from './compare-states.ts';
import type { PanelStateStore } from './panel-state-store.ts';
import { type Holding, identityOf, type VersionSummary } from './version-state.ts';

/** Since when an entity is as a state shows it. */
export interface Since {
  readonly at: Instant;
  /** The version of the panel with that change. */
  readonly version: string;
  /** False where it may have been so earlier: nothing that was read says. */
  readonly isExact: boolean;
}

/** How many whole days something has lasted. */
export const daysSince = (at: Instant, now: Instant): number => Number((now - at) / minutes(24 * 60));

/** Something that an event says of an entity, who did it, and when (ISO 8601). */
export interface Said {
  readonly words: string;
  readonly actor: string | null;
  readonly at: string;
}

/** What the published events of one panel say of its entities, by `entityKey`. */
export interface PanelTrail {
  readonly changes: ReadonlyMap<string, EntityChange>;
  /** The rating that somebody gave last, and what somebody wrote last. */
  readonly rated: ReadonlyMap<string, Said>;
  readonly wrote: ReadonlyMap<string, Said>;
}

/** An entity within one panel. */
export const entityKey = ({ type, name }: Pick<Holding, 'type' | 'name'>): string =>
  `${type} ${name.toLowerCase()}`;

/**
 * Reads the published events of a panel, since an instant where one is given.
 * @throws {HistoryError} when they cannot be read
 */
export async function readPanelTrail(
  {
    catalogue,
    panelId,
    since,
  }: { readonly catalogue: string; readonly panelId: number; readonly since?: Instant },
  history: Pick<History, 'findWithoutRows'>,
): Promise<PanelTrail> {
  const net = createNetChanges();
  const [rated, wrote] = [new Map<string, Said>(), new Map<string, Said>()];
  const query = {
    catalogue,
    filter: { panels: [panelId] },
    order: 'oldest',
    ...(since && { since }),
  } as const;
  const ordering = createOrdering((event) => {
    const { entity, actor } = event.data;
    if (!entity) return;
    const said = (words: string): Said => ({ words, actor, at: event.time ?? '' });
    if (event.type === 'gene-panel.entity.classified.v1')
      rated.set(entityKey(entity), said(event.data.change.to ?? 'unknown'));
    const comment = commentOf(event);
    if (comment) wrote.set(entityKey(entity), said(comment));
  });
  for await (const event of history.findWithoutRows(query)) {
    net.add(event);
    ordering.add(event);
  }
  ordering.finish();
  const panel = net.result().panels.find(({ id }) => id === panelId);
  const changes = panel ? Object.values(panel.lists).flat() : [];
  return { changes: new Map(changes.map((change) => [entityKey(change.entity), change])), rated, wrote };
}

const commentOf = (event: PanelEvent): string | null =>
  event.type === 'gene-panel.entity.commented.v1' && event.data.change.action !== 'deleted'
    ? event.data.change.comment
    : null;

interface Stretch {
  /** The state that is so, and from which the search goes back. */
  readonly state: VersionSummary;
  /** A state that is known to be otherwise, with which the search ends; null where there is none. */
  readonly floor: VersionSummary | null;
  /** Names, by `entityKey`, that several entities of the panel have: events cannot keep them apart. */
  readonly severalCalled: ReadonlySet<string>;
}

/** What is so of an entity, as `after` of a difference says. */
type Shown = Pick<EntityDifference, 'entity' | 'before' | 'after' | 'modes'>;

/**
 * Since when entities of a panel are as the later state of a comparison shows them: by the events, or by the versions that were
 * read before it. By `identityOf` the entity; what nothing is known of is missing.
 *
 * @throws {StateError} when the states cannot be read
 */
export async function sinceWhen(
  differences: readonly Shown[],
  { state, floor, severalCalled }: Stretch,
  {
    trail,
    states,
  }: { readonly trail: PanelTrail; readonly states: Pick<PanelStateStore, 'versions' | 'read'> },
): Promise<ReadonlyMap<string, Since>> {
  const found = new Map<string, Since>();
  for (const difference of differences) {
    const key = entityKey(difference.entity);
    const since = severalCalled.has(key) ? null : byEvents(trail.changes.get(key), difference);
    if (since) found.set(identityOf(difference.entity), since);
  }
  let left = differences.filter(({ entity }) => !found.get(identityOf(entity))?.isExact);
  if (left.length === 0) return found;
  const kept = (await states.versions(state.panelId)).filter(
    ({ validFrom }) => (floor === null || validFrom > floor.validFrom) && validFrom <= state.validFrom,
  );
  // Where events came after the newest state, what holds now begins with them.
  const isKept = kept.some(({ validFrom }) => validFrom === state.validFrom);
  const versions = isKept ? kept : [...kept, state];
  // Backwards from the state, up to a version that says otherwise.
  for (const [index, later] of versions.toReversed().entries()) {
    if (left.length === 0) break;
    const earlier = versions.at(-index - 2) ?? floor;
    const read = earlier === null || earlier === floor ? null : await states.read(earlier);
    const contents = read && contentsOf(read);
    const isGap = earlier?.validTo !== later.validFrom;
    const staysSo = (one: Shown): boolean => contents !== null && isSo(one, contents);
    for (const { entity } of left.filter((one) => !staysSo(one))) {
      const known = found.get(identityOf(entity));
      const since = { at: later.validFrom, version: later.version, isExact: earlier !== null && !isGap };
      if (!known || since.isExact || since.at < known.at) found.set(identityOf(entity), since);
    }
    left = left.filter(staysSo);
  }
  return found;
}

const isAboutGreen = ({ before, after }: Shown): boolean =>
  before !== after && (before === 'green' || after === 'green');

/** Whether an earlier state shows of an entity what the later one shows. */
function isSo(shown: Shown, contents: PanelContents): boolean {
  const { entity, before, after, modes } = shown;
  const status = contents.statusOf(entity);
  if (isAboutGreen(shown)) return status !== 'unknown' && (status === 'green') === (after === 'green');
  if (before !== after) return status === after;
  if (modes) return sharesGroup(modes.after, contents.modesOf(entity));
  return contents.find(entity)?.name === entity.name;
}

/** Since when an entity is rated as it is, by the net change that its events made; null where they do not say. */
export const ratedSince = (
  change: EntityChange | undefined,
  { entity, status }: { readonly entity: Holding; readonly status: EntityStatus },
): Since | null =>
  byEvents(change, {
    ...{ entity, modes: null, after: status },
    before: status === 'green' ? 'absent' : 'green',
  });

function byEvents(change: EntityChange | undefined, shown: Shown): Since | null {
  if (!change || shown.before === shown.after) return null;
  const at = parseInstant(change.at);
  if (at === null || change.version === null) return null;
  const previous = change.steps.at(-2);
  const since = { at, version: change.version, isExact: previous !== undefined && previous !== 'unknown' };
  if (!isAboutGreen(shown) || shown.after === 'green') return change.to === shown.after ? since : null;
  // From amber to red, it is no longer green since before that.
  return change.to !== 'green' && previous === 'green' ? since : null;
}
