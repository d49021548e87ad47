import { quarantine } from '../publishing/quarantine.ts';
import type { Chunk, Position } from '../state/store.ts';
import type { PollOptions } from './poll-options.ts';
import type { Report } from './report.ts';

/**
 * Publishes the messages of a recorded chunk and appends what was published to the history, before the mark advances:
 * after a crash both are repeated, and the history keeps each event once. An event that SNS refuses for its content is published as unclassified, so
 * that a person sees it and the events after it do not wait.
 * @throws {PublishError} when a topic does not take what is left.
 * @throws {HistoryError} when the history cannot be written.
 */
export async function publishChunk(
  { messages, next }: Chunk,
  { mark }: Position,
  { run, report }: { readonly run: PollOptions; readonly report: Report },
): Promise<void> {
  const { name, publisher, history, onPublished, log } = run;
  const rejections = await publisher.publish(messages);
  const rejected = new Set(rejections.map(({ message }) => message.id));
  const replacements = rejections.map(quarantine);
  for (const { message, code, reason } of await publisher.publish(replacements)) {
    log.error('SNS refused an event, and the event in its place too', { id: message.id, code, reason });
  }
  const published = [...messages.filter(({ id }) => !rejected.has(id)), ...replacements];
  report.published(published);
  await history?.append(published, { catalogue: name, since: mark, until: next.mark });
  onPublished?.(published);
}
