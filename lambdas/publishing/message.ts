import type { Topic } from '../events/topics.ts';
import type { Attribute } from './attributes.ts';

/** An event as it is recorded in the table and sent, byte for byte. */
export interface Message {
  /** The CloudEvent's id, by which consumers recognise repeats. */
  readonly id: string;
  readonly topic: Topic;
  /** The CloudEvent in structured JSON mode. */
  readonly body: string;
  readonly attributes: Readonly<Record<string, Attribute>>;
}

/** A message that SNS refuses for its content, however often it is sent. */
export interface Rejection {
  readonly message: Message;
  /** As SNS names it, such as `InvalidParameter`. */
  readonly code: string;
  readonly reason: string;
}
