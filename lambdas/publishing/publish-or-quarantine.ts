import type { Log } from '../run/log.ts';
import type { Message } from './message.ts';
import type { Publisher } from './publisher.ts';
import { quarantine } from './quarantine.ts';

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
