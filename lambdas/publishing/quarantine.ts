import { toEvent } from '../events/envelope.ts';
import type { PanelEvent } from '../events/schemas.ts';
import type { Message, Rejection } from './message.ts';
import { toMessage } from './to-message.ts';

/**
 * The unclassified event that is published in place of one that SNS refused for its content, so that a person
 * looks at it. Its body is ASCII and it has few attributes, so that SNS does not refuse it too.
 */
export function quarantine({ message, code }: Rejection): Message {
  const { data, source } = JSON.parse(message.body) as PanelEvent;
  const [row] = data.activities;
  const { panel, late } = data;
  const replacement = toMessage(
    toEvent({
      kind: 'activity.unclassified',
      change: { reason: 'invalid-row', detail: `SNS refused the event ${message.id} (${code})`, row },
      catalogue: { name: data.catalogue, url: source },
      key: message.id,
      at: null,
      panel: panel && { id: panel.id, name: panel.name, version: panel.version },
      entity: null,
      actor: null,
      late,
      rows: row ? [row] : [],
    }),
  );
  const kept = ['type', 'catalogue', 'panelId'];
  return {
    ...replacement,
    body: replacement.body.replace(
      /[^ -~]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
    attributes: Object.fromEntries(
      Object.entries(replacement.attributes).filter(([name]) => kept.includes(name)),
    ),
  };
}
