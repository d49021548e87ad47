import type { Rating } from '../../lambdas/events/changes.ts';
import { kindOf, type PanelEvent } from '../../lambdas/events/schemas.ts';
import { renamesPanel } from '../../lambdas/notify/changes-since.ts';
import type { Sentence } from './sentences.ts';

/** Panels at one moment: as they are, or as somebody knows them. */
export interface PanelsSeen {
  /** The id of the panel of a name; undefined where none has it. */
  idOf(name: string): number | undefined;
  /** Whether what a sentence says of the panel of this id is so. */
  holds(id: number, sentence: Sentence): boolean;
}

/** One panel: its name, the versions that it had, and its entities; an unknown rating is null. */
export interface PanelSeen {
  name: string;
  /** What the last renaming called it: rows that were written before it may show up after it. */
  renamedTo?: string;
  readonly versions: Set<string>;
  readonly entities: Map<string, Rating | null>;
}

/** Panels by id. */
export function panelsSeen(panels: ReadonlyMap<number, PanelSeen>): PanelsSeen {
  return {
    idOf: (name) => [...panels].find(([, panel]) => panel.name === name || panel.renamedTo === name)?.[0],
    holds(id, { entity, says, from }) {
      const panel = panels.get(id);
      if (!panel) return false;
      if (entity === null) return panel.versions.has(says.replace('version ', ''));
      if (says === 'removed') return !panel.entities.has(entity);
      // A downgrade is said also of what was then removed.
      if (!panel.entities.has(entity)) return from === 'green' && says !== 'green';
      return says === 'there' || panel.entities.get(entity) === says;
    },
  };
}

/** The panels as they were at a baseline, led on by events in their order. */
export function seenAfter(
  baseline: ReadonlyMap<number, PanelSeen>,
  events: readonly PanelEvent[],
): ReadonlyMap<number, PanelSeen> {
  const panels = new Map([...baseline].map(([id, panel]) => [id, copyOf(panel)]));
  for (const event of events) {
    const { panel: about, entity } = event.data;
    const panel = panels.get(about?.id ?? -1);
    if (!panel || !about) continue;
    panel.name = about.name;
    if (renamesPanel(event)) panel.renamedTo = about.name;
    if (about.version !== null) panel.versions.add(about.version);
    if (event.type === 'gene-panel.panel.promoted.v1') panel.versions.add(event.data.change.version);
    if (entity) follow(panel.entities, entity.name, event);
  }
  return panels;
}

/** A panel that does not change with the one that was copied. */
export const copyOf = ({ name, versions, entities }: PanelSeen): PanelSeen => ({
  name,
  versions: new Set(versions),
  entities: new Map(entities),
});

function follow(entities: PanelSeen['entities'], name: string, event: PanelEvent): void {
  const change = event.data.change as { from?: string; to?: Rating | null; rating?: Rating | null };
  switch (kindOf(event.type)) {
    case 'entity.classified':
      entities.set(name, change.to ?? null);
      break;
    case 'entity.added':
      if (!entities.has(name)) entities.set(name, change.rating ?? null);
      break;
    case 'entity.removed':
      entities.delete(name);
      break;
    case 'entity.renamed': {
      const before = entities.get(change.from ?? '');
      entities.delete(change.from ?? '');
      entities.set(name, before ?? null);
      break;
    }
    case 'entity.annotated': {
      const { changes } = event.data.change as { changes: readonly { field: string; aspect?: string }[] };
      if (changes.some(({ field, aspect }) => field === 'sources' && aspect === 'all'))
        entities.set(name, null);
      break;
    }
    default:
  }
}
