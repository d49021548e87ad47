import type { Entity, PanelEvent } from '../events/schemas.ts';
import { createEntityHistory, type EntityHistory, type KnownEnds } from './entity-history.ts';
import { entryOf } from './entry-of.ts';

/** The entities of panels while events are read, oldest first: each is one, under any of its names. */
interface FoldedEntities {
  /** Takes the next event; returns the entity that it is about, or null for an event about none. */
  add(event: PanelEvent): EntityHistory | null;
  /** Every entity, in the order of the first events about each. */
  all(): readonly EntityHistory[];
}

/** The entities of one type on one panel, by name in upper case: texts differ in the case of letters. */
type ByName = Map<string, EntityHistory>;

/**
 * Folds events into what they made of each entity. Messages, digests, reports and the page all read this: so they agree
 * about what was renamed, removed, rated again, or lost the source of its rating.
 */
export function foldEntities(ends?: KnownEnds): FoldedEntities {
  const byNameOn = createPanelNames();
  const histories: EntityHistory[] = [];
  const begin = (first: Entity): EntityHistory => {
    const history = createEntityHistory(first, ends);
    histories.push(history);
    return history;
  };
  return {
    add(event) {
      const { entity } = event.data;
      if (!entity) return null;
      const byName = byNameOn(event, entity);
      const name = entity.name.toUpperCase();
      if (event.type === 'gene-panel.entity.renamed.v1') {
        const { from, to } = event.data.change;
        const before = from.toUpperCase();
        const history = byName.get(before) ?? byName.get(name) ?? begin({ ...entity, name: from });
        history.add(event);
        byName.delete(before);
        byName.set(to.toUpperCase(), history);
        return history;
      }
      const known = byName.get(name);
      const history = known ?? begin(entity);
      if (known === undefined) byName.set(name, history);
      history.add(event);
      return history;
    },
    all: () => histories,
  };
}

/** The entity of each of some events, oldest first; null for an event about none. */
export function entitiesOfEvents(
  events: readonly PanelEvent[],
): (event: Pick<PanelEvent, 'id'>) => EntityHistory | null {
  const folded = foldEntities();
  const byEvent = new Map(events.map((event) => [event.id, folded.add(event)]));
  return ({ id }) => byEvent.get(id) ?? null;
}

/**
 * The entities that have the panel and the type of an event: an STR and a gene of one name are two. A map for each costs a
 * third of one map for all, whose keys would be composed anew for each event.
 */
function createPanelNames(): (event: PanelEvent, entity: Entity) => ByName {
  const sources = new Map<string, Map<number | string | undefined, Record<Entity['type'], ByName>>>();
  return ({ source, data: { panel } }, { type }) => {
    const panels = entryOf(sources, source, () => new Map());
    const types = entryOf(panels, panel?.id ?? panel?.name, noEntities);
    return types[type];
  };
}

const noEntities = (): Record<Entity['type'], ByName> => ({
  gene: new Map(),
  str: new Map(),
  region: new Map(),
});
