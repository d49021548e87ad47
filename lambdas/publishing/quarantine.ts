import { toEvent } from '../events/envelope.ts';
import type { PanelEvent } from '../events/schemas.ts';
import { type Message, type Rejection, toMessage } from './message.ts';

/** The event that is told in place of one that SNS refused for its content, so that a person looks at it. */
export function quarantine({ message, code, reason }: Rejection): Message {
  const { data, source } = JSON.parse(message.body) as PanelEvent;
  const [row] = data.activities;
  return toMessage(
    toEvent({
      kind: 'activity.unclassified',
      change: {
        reason: 'invalid-row',
        detail: `SNS refused the event ${message.id}: ${code}, ${reason}`,
        row,
      },
      catalogue: { name: data.catalogue, url: source },
      key: message.id,
      at: null,
      panel: data.panel && { id: data.panel.id, name: data.panel.name, version: data.panel.version },
      entity: null,
      actor: null,
      late: data.late,
      rows: row ? [row] : [],
    }),
  );
}
