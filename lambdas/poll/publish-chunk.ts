import type { Message } from '../publishing/message.ts';
import { publishOrQuarantine } from '../publishing/publish-or-quarantine.ts';
import type { PollOptions } from './poll-options.ts';
import type { Report } from './report.ts';

/**
 * Publishes the messages of a chunk. Gives and reports what SNS accepted.
 * @throws {PublishError} when a topic does not take what is left.
 */
export async function publishChunk(
  messages: readonly Message[],
  run: Pick<PollOptions, 'publisher' | 'onPublished' | 'log'>,
  report: Report,
): Promise<readonly Message[]> {
  const published = await publishOrQuarantine(messages, run);
  report.published(published);
  run.onPublished?.(published);
  return published;
}
