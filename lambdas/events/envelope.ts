import { hash } from 'node:crypto';
import { formatInstant, type Instant } from '../run/instant.ts';
import type { Changes, EventKindName } from './changes.ts';
import {
  type Entity,
  type EntityIds,
  type EventPanel,
  type PanelEvent,
  type Row,
  type SignedOffVersion,
  schemaUri,
  typeName,
} from './schemas.ts';
import { summarize } from './summary.ts';

/** What an event is made of. */
interface EventParts<Kind extends EventKindName = EventKindName> {
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
  readonly known?: StateFacts | undefined;
}

/** What the states of panels say beyond rows and listings. The id of an event does not depend on it. */
export interface StateFacts {
  /** The ids of an entity on a panel; undefined where the panel was not read, or does not hold it. */
  idsOf(panelId: number, entity: Entity): EntityIds | undefined;
  /** What was signed off of a panel at a time; undefined where no version was, or it is unknown. */
  signedOffOf(panelId: number, at: Instant): SignedOffVersion | undefined;
}

/** The CloudEvent of a change: `docs/events.md` describes it. */
export function toEvent(parts: EventParts): PanelEvent {
  const { kind, change, catalogue, key, at, actor, late, rows } = parts;
  const { panel, entity } = withStateFacts(parts);
  const event = {
    specversion: '1.0',
    id: eventId(key, kind),
    source: catalogue.url,
    type: typeName(kind),
    // JSON leaves out what is undefined.
    subject: typeof panel?.id === 'number' ? subjectOf(panel.id, entity) : undefined,
    time: at === null ? undefined : formatInstant(at),
    datacontenttype: 'application/json',
    dataschema: schemaUri(kind),
    data: {
      catalogue: catalogue.name,
      panel,
      entity,
      actor,
      summary: summarize({ ...parts, catalogue: catalogue.name }),
      late,
      activities: rows,
      change,
    },
  };
  return event as PanelEvent;
}

function withStateFacts({ panel, entity, at, known }: EventParts): Pick<EventParts, 'panel' | 'entity'> {
  if (!known || typeof panel?.id !== 'number') return { panel, entity };
  return {
    panel: { ...panel, ...(at !== null && known.signedOffOf(panel.id, at)) },
    entity: entity && { ...entity, ...known.idsOf(panel.id, entity) },
  };
}

function subjectOf(panelId: number, entity: Entity | null): string {
  return entity ? `panels/${panelId}/${entity.type}/${entity.name}` : `panels/${panelId}`;
}

/**
 * The id of the event of one kind that a row gives, from the row's key, which is hexadecimal; a row gives at most one of
 * each kind.
 */
export function eventId(key: string, kind: string): string {
  return hash('sha256', `["event.v1","${key}","${kind}"]`, 'hex').slice(0, 32);
}
