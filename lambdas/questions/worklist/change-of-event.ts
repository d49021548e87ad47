import { hash } from 'node:crypto';
import type { PanelEvent } from '../../events/schemas.ts';
import type { WorklistChange } from './worklist-change.ts';

/** What an event says of a change, before it is known what the change means for a worklist. */
export type ChangeBase = Omit<WorklistChange, 'id' | 'kind' | 'isCertain' | 'from' | 'to' | 'inheritance'>;

/** The facts of an event that a worklist shows. */
export function changeBase({ id, source, type, time = '', data }: PanelEvent): ChangeBase {
  const { catalogue, panel, entity, actor, summary, late } = data;
  return {
    catalogue,
    source,
    panel: {
      id: panel?.id ?? null,
      name: panel?.name ?? '',
      version: panel?.version ?? null,
      types: [...(panel?.types ?? [])],
      disorders: [...(panel?.relevantDisorders ?? [])],
    },
    entity: entity && { type: entity.type, name: entity.name, hgncId: entity.hgncId ?? null },
    at: time,
    actor,
    event: { id, type, summary },
    late,
  };
}

/**
 * The id of the entry for a turn of an entity: two events of one action that state it, in either order, give one entry.
 * @param place what of one instant it is, such as `green`
 */
export function turnId({ source, panel, entity, at, event }: ChangeBase, place: string): string {
  const where = panel.id ?? panel.name;
  const what = entity && [entity.type, entity.name.toUpperCase()];
  return idOf([source, where, what, at === '' ? event.id : at, place]);
}

/** The id of the entry for an event as a whole, or for one entity of it. */
export const eventEntryId = (event: string, part = ''): string => idOf([event, part]);

const idOf = (parts: readonly unknown[]): string =>
  hash('sha256', JSON.stringify(['worklist.v1', ...parts]), 'hex').slice(0, 32);
