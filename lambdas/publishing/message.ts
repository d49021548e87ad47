import type { MessageAttribute } from '../events/attributes.ts';
import { eventKinds } from '../events/changes.ts';
import { kindOf, type PanelEvent } from '../events/schemas.ts';
import type { Topic } from '../events/topics.ts';
import { attributesOf } from './attributes.ts';
import { bytesOf, CALL_BYTES } from './batches.ts';
import { bodyOf } from './body.ts';

/** One SNS message attribute; subscriptions filter on them. */
export interface Attribute {
  readonly type: MessageAttribute['type'];
  readonly value: string;
}

/** An event as it is recorded in the table and sent, byte for byte. */
export interface Message {
  /** The CloudEvent's id; consumers tell repeats by it. */
  readonly id: string;
  readonly topic: Topic;
  /** The CloudEvent in structured JSON mode. */
  readonly body: string;
  readonly attributes: Readonly<Record<string, Attribute>>;
}

/** A message that SNS will not take, however often it is sent. */
export interface Rejection {
  readonly message: Message;
  /** As SNS names it, such as `InvalidParameter`. */
  readonly code: string;
  readonly reason: string;
}

/**
 * An event as the message that is recorded and sent: valid UTF-8 that SNS accepts whatever the catalogue's texts
 * hold, at most 256 KiB with its attributes. The same event gives the same message, byte for byte.
 */
export function toMessage(event: PanelEvent): Message {
  const kind = kindOf(event.type);
  if (kind === undefined) throw new TypeError(`No topic is known for events of the type '${event.type}'`);
  const attributes = attributesOf(event);
  const body = bodyOf(event, CALL_BYTES - bytesOf({ body: '', attributes }));
  return { id: event.id, topic: eventKinds[kind].topic, body, attributes };
}
