import type { Topic } from '../events/topics.ts';

/** One SNS message attribute; subscriptions filter on them. */
export interface Attribute {
  readonly type: 'String' | 'Number' | 'String.Array';
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
