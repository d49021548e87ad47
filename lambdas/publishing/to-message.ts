import { eventKinds } from '../events/changes.ts';
import { kindOf, type PanelEvent } from '../events/schemas.ts';
import { attributesOf } from './attributes.ts';
import { bytesOf, MESSAGE_BYTES } from './batches.ts';
import { bodyOf } from './body.ts';
import type { Message } from './message.ts';

/**
 * An event as the message that is recorded and sent: valid UTF-8 that SNS accepts, for any texts of the catalogue.
 * The same event gives the same message, byte for byte.
 * @param limit the most bytes of the message with its attributes; longer texts are cut
 */
export function toMessage(event: PanelEvent, limit = MESSAGE_BYTES): Message {
  const kind = kindOf(event.type);
  if (kind === undefined) {
    throw new TypeError(`Making a message of an event: its type '${event.type}' is not one that has a topic`);
  }
  const attributes = attributesOf(event);
  const body = bodyOf(event, limit - bytesOf({ body: '', attributes }));
  return { id: event.id, topic: eventKinds[kind].topic, body, attributes };
}

/** The message of a body that was recorded: topic and attributes follow from its event. */
export function messageOfBody(body: string): Message {
  return { ...toMessage(JSON.parse(body) as PanelEvent), body };
}
