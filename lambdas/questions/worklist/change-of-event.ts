import { hash } from 'node:crypto';
import { eventKinds, kindOf } from '../../events/kinds.ts';
import { rCodesIn } from '../../events/r-codes.ts';
import type { PanelEvent } from '../../events/schemas.ts';
import type { EventFacts } from '../../filters/event-facts.ts';
import { compileFacts, type Filter } from '../../filters/filter.ts';
import { nameKey } from '../../filters/name-key.ts';
import { type Names, noNames } from '../../filters/names.ts';
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

/**
 * Whether a change is on the panels and about the entities that a filter asks for. What the filter asks of events, such as a
 * type or a rating, is not compared.
 */
export function changeFilter(filter: Filter, names: Names = noNames): (change: WorklistChange) => boolean {
  const { topics: _topics, types: _types, from: _from, to: _to, ...rest } = filter;
  const { direction: _direction, tags: _tags, green: _green, ...others } = rest;
  const { inheritanceFrom: _before, inheritanceTo: _now, ...about } = others;
  const { genes: _genes, entityTypes: _entityTypes, ...ofPanels } = about;
  // An empty filter asks nothing of the facts, which take a while to find for thousands of changes.
  if (Object.keys(about).length === 0) return ({ event }) => kindOf(event.type) !== undefined;
  const matches = compileFacts(about, names);
  const matchesPanel = compileFacts(ofPanels, names);
  return (change) => {
    const facts = factsOf(change);
    if (facts === null) return false;
    // What a whole panel is about may be about any of its genes.
    return change.entity === null ? matchesPanel(facts) : matches(facts);
  };
}

function factsOf(change: WorklistChange): EventFacts | null {
  const { catalogue, panel, entity, actor, late, event } = change;
  const kind = kindOf(event.type);
  if (kind === undefined) return null;
  const names = entity ? [entity.name, ...(entity.hgncId === null ? [] : [entity.hgncId])] : [];
  return {
    catalogue,
    kind,
    topic: eventKinds[kind].topic,
    panelId: panel.id,
    panelNames: [nameKey(panel.name)],
    panelTypes: panel.types,
    rCodes: rCodesIn(panel.disorders),
    entityType: entity?.type ?? null,
    entityNames: names.map(nameKey),
    ...{ from: null, to: null, direction: null, green: null, tags: [] },
    ...{ inheritanceFrom: [], inheritanceTo: [] },
    actor: actor === null ? null : nameKey(actor),
    late,
  };
}
