import type { Once } from 'gene-panel-notifier/consumer';
import type { ListMessage } from './list-message.ts';

/** A place that lists go to. */
export interface Recipient {
  readonly name: string;
  send(message: ListMessage, eventId: string): Promise<void>;
}

interface Sending {
  readonly recipients: readonly Recipient[];
  /** Keeps a message that was sent from being sent again when the event is repeated. */
  readonly once: Once;
}

/** Sends each message to each recipient, once for an event. */
export async function sendLists(
  messages: readonly ListMessage[],
  eventId: string,
  { recipients, once }: Sending,
): Promise<void> {
  for (const [index, message] of messages.entries()) {
    for (const recipient of recipients) {
      await once(`${eventId} ${recipient.name} ${index + 1}`, () => recipient.send(message, eventId));
    }
  }
}
