import { toEvent } from '../events/envelope.ts';
import type { PanelEvent } from '../events/schemas.ts';
import type { Log } from '../run/log.ts';
import type { Message, Rejection } from './message.ts';
import type { Publisher } from './publisher.ts';
import { toMessage } from './to-message.ts';

/**
 * Publishes messages. An event that SNS refuses for its content is published as unclassified, so that a person sees
 * it and the events after it do not wait. Returns what SNS accepted, in the order given.
 *
 * @throws {PublishError} when a topic does not take what is left
 */
export async function publishOrQuarantine(
  messages: readonly Message[],
  { publisher, log }: { readonly publisher: Publisher; readonly log: Log },
): Promise<readonly Message[]> {
  const rejections = await publisher.publish(messages);
  const rejected = new Set(rejections.map(({ message }) => message.id));
  const replacements = rejections.map(quarantine);
  for (const { message, code, reason } of await publisher.publish(replacements)) {
    log.error('SNS refused an event, and the event in its place too', { id: message.id, code, reason });
  }
  return [...messages.filter(({ id }) => !rejected.has(id)), ...replacements];
}

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
