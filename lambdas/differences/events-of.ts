import { hash } from 'node:crypto';
import type { EventKindName } from '../events/changes.ts';
import { eventId, type StateFacts, toEvent } from '../events/envelope.ts';
import { timeOf } from '../events/order.ts';
import { type Entity, type EventPanel, kindOf, type PanelEvent, type PanelFacts } from '../events/schemas.ts';
import { summarize } from '../events/summary.ts';
import { formatInstant, type Instant, instantOf, later, parseInstant } from '../run/instant.ts';
import { type AnyFact, type Difference, isFoundBy, isUndone, sameValue, untouched } from './difference.ts';
import { entityFacts } from './entity-facts.ts';
import {
  entitiesNamed,
  type FollowedPanel,
  follow,
  followFrom,
  type KnownFacts,
  nameKey,
  placed,
  unknownPanel,
} from './followed-panel.ts';
import { panelFacts } from './panel-facts.ts';

/** What an event says beyond the difference that it reports. */
interface EventBackground {
  readonly catalogue: { readonly name: string; readonly url: string };
  /**
   * What the differences were found against, such as the version of the stored listing: a difference that is found
   * against it again gives the same id.
   */
  readonly foundAgainst: string | number;
  /** When what shows the differences was read or written. */
  readonly at: Instant;
  /** Events of the panel that were published, and may be of the same entities. */
  readonly published?: readonly PanelEvent[];
  /** Whether what shows the differences shows where a published event led, so that they come after it. */
  readonly shows?: (event: PanelEvent) => boolean;
  /** Undefined where they are unknown. */
  readonly facts: PanelFacts | undefined;
  /** When the list of panels was read that gave the facts; when the differences were shown, where absent. */
  readonly factsReadAt?: Instant | undefined;
  /** What the states of panels say; absent where none is kept. */
  readonly known?: StateFacts | undefined;
}

/**
 * The events of one panel's differences; the changes of one kind and entity are one event. It comes after the published events of its
 * entity that are shown with it, and is late where others come after it.
 */
export function eventsOf(
  { id, name, version }: Pick<EventPanel, 'id' | 'name' | 'version'>,
  differences: readonly Difference[],
  {
    catalogue,
    foundAgainst,
    at: shownAt,
    published = [],
    shows = () => false,
    facts,
    factsReadAt = shownAt,
    known,
  }: EventBackground,
): readonly PanelEvent[] {
  const panel: EventPanel = {
    id,
    name,
    version,
    ...(facts && { ...facts, factsReadAt: formatInstant(factsReadAt) }),
  };
  const formers = formerNames(differences);
  return joined(differences).map(({ kind, change, entity }) => {
    const via = 'via' in change ? change.via : 'listing';
    const former = entity && formers.get(placed(entity, nameKey(entity.name)));
    const before = published.filter((event) => isAbout(entity, event) || (former && isAbout(former, event)));
    // What was renamed comes after the rows that name it as before, and before all else that names it as since.
    const isRenaming = kind === 'entity.renamed';
    const earlier = former && isRenaming ? before.filter((event) => isAbout(former, event)) : before;
    const identity = [`${via}.v1`, catalogue.url, foundAgainst, id, entity?.name ?? null, change];
    const { key, times } = freeKey(identity, kind, before);
    const shownLast = earlier
      .filter(shows)
      .reduce((latest, event) => later(latest, timeOf(event) + 1n), shownAt);
    // What is said again has a place of its own.
    const at = later(shownLast, shownAt + BigInt(times)) + (former && !isRenaming ? 1n : 0n);
    return toEvent({
      kind,
      change,
      catalogue,
      known,
      key,
      at,
      panel,
      entity,
      actor: null,
      late: before.some((event) => timeOf(event) > at),
      rows: [],
    });
  });
}

/** The entities that differences rename, as they were named before, by their names since. */
function formerNames(differences: readonly Difference[]): ReadonlyMap<string, Entity> {
  return new Map(
    differences.flatMap(({ kind, change, entity }) =>
      entity && kind === 'entity.renamed' && 'from' in change
        ? [[placed(entity, nameKey(entity.name)), { ...entity, name: String(change.from) }]]
        : [],
    ),
  );
}

/**
 * The key of a change, and how many times it was said before and taken back. The same change is another one where what was found of its
 * version later undid the first, or undid what took its place.
 */
function freeKey(
  identity: readonly unknown[],
  kind: EventKindName,
  before: readonly PanelEvent[],
): { readonly key: string; readonly times: number } {
  for (let times = 0; ; times += 1) {
    const parts = times === 0 ? identity : [...identity, times];
    const key = hash('sha256', JSON.stringify(parts), 'hex').slice(0, 32);
    const id = eventId(key, kind);
    const published = before.findLast((event) => event.id === id || event.data.corrects === id);
    if (!published || !isUndone(published, before)) return { key, times };
  }
}

/** Whether an event is about an entity, or about its panel where there is none. */
export function isAbout(entity: Entity | null, { data, type }: PanelEvent): boolean {
  const { entity: other, change } = data;
  if (!entity || !other) return entity === other;
  if (entity.type !== other.type) return false;
  const names =
    type === 'gene-panel.entity.renamed.v1' && 'from' in change ? [other.name, change.from] : [other.name];
  return names.some((name) => nameKey(String(name)) === nameKey(entity.name));
}

/** Differences of one kind and entity that each hold a list of changes, as one with all of them. */
function joined(differences: readonly Difference[]): readonly Difference[] {
  const groups = Map.groupBy(
    differences,
    ({ kind, entity }) => `${kind}\n${entity?.type ?? ''}\n${entity?.name ?? ''}`,
  );
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first || !('changes' in first.change)) return group;
    const changes = group.flatMap(({ change }): readonly object[] =>
      'changes' in change ? change.changes : [],
    );
    return [{ ...first, change: { ...first.change, changes } } as Difference];
  });
}

/** The `Date` header of a listing has whole seconds. */
const SECOND: Instant = instantOf(1000);

/**
 * What an event of the log adds to the silent differences of its panel that were published before it: the event
 * itself, the event without the changes that were published, or null where it adds nothing. A row adds nothing where
 * it was written before a difference was seen, or under the version whose state showed it, and leads to where the
 * differences up to that one have led.
 *
 * @param silent events of the panel with `via: listing` or `snapshot`, oldest first
 */
export function withoutPublished(event: PanelEvent, silent: readonly PanelEvent[]): PanelEvent | null {
  if (silent.length === 0) return event;
  const at = parseInstant(event.time);
  if (at === null) return event;
  // The row that makes a panel public is shown with it: one that comes later is another one.
  const margin = kindOf(event.type) === 'panel.published' ? 0n : SECOND;
  const panel = followFrom(unknownPanel);
  let left: PanelEvent | null = event;
  for (const found of silent) {
    // What was found before the row was written may have changed again by then.
    if ((parseInstant(found.time) ?? 0n) + margin < at && !isOfVersion(event, found)) continue;
    follow(panel, found);
    left &&= unpublishedPart(left, panel);
  }
  return left;
}

/** Whether a row was written under the version at whose end a state showed a difference: the time is its beginning. */
function isOfVersion({ data }: PanelEvent, found: PanelEvent): boolean {
  const { change, panel } = found.data;
  if (!isFoundBy('snapshot', change) || !panel?.version) return false;
  return data.panel?.version === panel.version;
}

function unpublishedPart(event: PanelEvent, panel: FollowedPanel): PanelEvent | null {
  const { change } = event.data;
  if (!('changes' in change)) return addsNothing(event, panel) ? null : event;
  const changes = change.changes.filter((one) => !addsNothing(withChanges(event, [one]), panel));
  if (changes.length === change.changes.length) return event;
  return changes.length === 0 ? null : withChanges(event, changes);
}

function withChanges(event: PanelEvent, changes: readonly object[]): PanelEvent {
  const { data, type } = event;
  const change = { ...data.change, changes } as never;
  const kind = kindOf(type) ?? 'activity.unclassified';
  const { catalogue, panel, entity, actor } = data;
  const summary = summarize({ kind, change, catalogue, panel, entity, actor });
  return { ...event, data: { ...data, change, summary } } as PanelEvent;
}

/** Whether an event states something, and nothing of it is new to a panel. */
function addsNothing(event: PanelEvent, panel: FollowedPanel): boolean {
  const { entity } = event.data;
  const [known] = entity ? entitiesNamed(panel, entity) : [];
  switch (event.type) {
    case 'gene-panel.entity.added.v1':
      return known?.present === true;
    case 'gene-panel.entity.removed.v1':
      return known?.present === false;
    case 'gene-panel.entity.renamed.v1':
      return known?.formerly.includes(event.data.change.from) ?? false;
    default: {
      const newness = [
        ...newnessOf(panelFacts, event, panel.facts),
        ...(known ? newnessOf(entityFacts, event, known.facts) : newnessOf(entityFacts, event, new Map())),
      ];
      return newness.length > 0 && newness.every((isNew) => !isNew);
    }
  }
}

function newnessOf(table: readonly AnyFact[], event: PanelEvent, facts: KnownFacts): readonly boolean[] {
  return table.flatMap((fact) => {
    const before = facts.get(fact.name);
    const after = fact.led(event, before);
    if (after === untouched || after === undefined) return [];
    return [before === undefined || !sameValue(before, after)];
  });
}
