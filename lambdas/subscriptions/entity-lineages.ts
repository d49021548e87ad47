import type { Entity, PanelEvent } from '../events/schemas.ts';

/** One entity of one panel, under any of its names. */
export interface EntityLineage {
  /** The entity under its last name. */
  readonly entity: Entity;
}

/** The entities that events are about, also where they are renamed between two events. */
interface EntityLineages {
  /** The entity of an event; null for an event about no entity. */
  of(event: PanelEvent): EntityLineage | null;
}

/** Follows the entities of panels through their renamings. The events come oldest first. */
export function entityLineages(events: readonly PanelEvent[]): EntityLineages {
  const byName = new Map<string, { entity: Entity }>();
  const byEvent = new Map<string, EntityLineage>();
  for (const event of events) {
    const { entity } = event.data;
    if (!entity) continue;
    const place = `${event.source} ${event.data.panel?.id ?? event.data.panel?.name}`;
    const keyOf = (name: string): string => `${place} ${entity.type} ${name.toUpperCase()}`;
    const before = event.type === 'gene-panel.entity.renamed.v1' ? event.data.change.from : entity.name;
    const lineage = byName.get(keyOf(before)) ?? byName.get(keyOf(entity.name)) ?? { entity };
    lineage.entity = entity;
    byName.delete(keyOf(before));
    byName.set(keyOf(entity.name), lineage);
    byEvent.set(event.id, lineage);
  }
  return { of: ({ id }) => byEvent.get(id) ?? null };
}
