import { formatInstant, type Instant } from '../clock/instant.ts';
import type { Changes, EventKindName } from './changes.ts';
import { eventId } from './ids.ts';
import { type Entity, type EventPanel, type PanelEvent, type Row, schemaUri, typeName } from './schemas.ts';
import { summarize } from './summary.ts';

/** What an event is made of. */
export interface UnpairedRow<Kind extends EventKindName = EventKindName> {
  readonly kind: Kind;
  readonly change: Changes[Kind];
  readonly catalogue: { readonly name: string; readonly url: string };
  /** Identity of the row that leads; with the kind it is the event's identity. */
  readonly key: string;
  readonly at: Instant | null;
  readonly panel: EventPanel | null;
  readonly entity: Entity | null;
  readonly actor: string | null;
  readonly late: boolean;
  readonly rows: readonly Row[];
}

/** The CloudEvent of a change (event contract, "Envelope"). */
export function toEvent(told: UnpairedRow): PanelEvent {
  const { kind, change, catalogue, key, at, panel, entity, actor, late, rows } = told;
  const event = {
    specversion: '1.0',
    id: eventId(key, kind),
    source: catalogue.url,
    type: typeName(kind),
    ...(panel && { subject: subjectOf(panel, entity) }),
    ...(at !== null && { time: formatInstant(at) }),
    datacontenttype: 'application/json',
    dataschema: schemaUri(kind),
    data: {
      catalogue: catalogue.name,
      panel,
      entity,
      actor,
      summary: summarize(told),
      late,
      activities: rows,
      change,
    },
  };
  return event as PanelEvent;
}

function subjectOf(panel: EventPanel, entity: Entity | null): string {
  return entity ? `panels/${panel.id}/${entity.type}/${entity.name}` : `panels/${panel.id}`;
}
