import type { Message } from '../publishing/message.ts';
import { quarantine } from '../publishing/quarantine.ts';
import type { PollOptions } from './poll-options.ts';
import type { Report } from './report.ts';

/**
 * Publishes the messages of a chunk. An event that SNS refuses for its content is published as unclassified, so
 * that a person sees it and the events after it do not wait.
 * @throws {PublishError} when a topic does not take what is left.
 */
export async function publishChunk(
  messages: readonly Message[],
  { publisher, onPublished, log }: Pick<PollOptions, 'publisher' | 'onPublished' | 'log'>,
  report: Report,
): Promise<void> {
  const rejections = await publisher.publish(messages);
  const rejected = new Set(rejections.map(({ message }) => message.id));
  const replacements = rejections.map(quarantine);
  for (const { message, code, reason } of await publisher.publish(replacements)) {
    log.error('SNS refused an event, and the event in its place too', { id: message.id, code, reason });
  }
  const published = [...messages.filter(({ id }) => !rejected.has(id)), ...replacements];
  report.published(published);
  onPublished?.(published);
}
