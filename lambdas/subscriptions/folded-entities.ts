import type { Entity, PanelEvent } from '../events/schemas.ts';
import { createEntityHistory, type EntityHistory, type KnownEnds } from './entity-history.ts';

/** The entities of panels while events are read, oldest first: each is one, under any of its names. */
interface FoldedEntities {
  /** Takes the next event; returns the entity that it is about, or null for an event about none. */
  add(event: PanelEvent): EntityHistory | null;
}

/**
 * Folds events into what they made of each entity. Messages, digests, reports and the page all read this: so they agree
 * about what was renamed, removed, rated again, or lost the source of its rating.
 */
export function foldEntities(ends?: KnownEnds): FoldedEntities {
  const byName = new Map<string, EntityHistory>();
  return {
    add(event) {
      const { entity } = event.data;
      if (!entity) return null;
      const key = entityKey(event, entity, entity.name);
      if (event.type === 'gene-panel.entity.renamed.v1') {
        const { from, to } = event.data.change;
        const before = entityKey(event, entity, from);
        const history =
          byName.get(before) ?? byName.get(key) ?? createEntityHistory({ ...entity, name: from }, ends);
        history.add(event);
        byName.delete(before);
        byName.set(entityKey(event, entity, to), history);
        return history;
      }
      const known = byName.get(key);
      const history = known ?? createEntityHistory(entity, ends);
      if (known === undefined) byName.set(key, history);
      history.add(event);
      return history;
    },
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

/** Texts differ in the case of letters; an STR and a gene of one name are two entities. */
function entityKey({ source, data: { panel } }: PanelEvent, { type }: Entity, name: string): string {
  return `${source} ${panel?.id ?? panel?.name} ${type} ${name.toUpperCase()}`;
}
