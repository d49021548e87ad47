import { isSilent } from '../differences/difference.ts';
import { publishOrQuarantine } from '../publishing/publish-or-quarantine.ts';
import { settledUntil } from '../store/next-position.ts';
import type { Position } from '../store/position.ts';
import { eventsIn } from '../store/published.ts';
import type { Chunk } from '../store/store.ts';
import type { PollOptions } from './poll-options.ts';
import type { Report } from './report.ts';

/**
 * Publishes the messages of a recorded chunk, and appends the published ones to the history, before the mark advances.
 * After a crash both are repeated, and the history keeps each event once.
 * @throws {PublishError} when a topic does not take what is left.
 * @throws {HistoryError} when the history cannot be written.
 */
export async function publishChunk(
  { messages, next }: Chunk,
  { mark }: Position,
  { run, report }: { readonly run: PollOptions; readonly report: Report },
): Promise<void> {
  const { name, store, publisher, history, onPublished, log } = run;
  // A row that shows up later adds nothing to what was found before rows of this chunk.
  const found = messages.filter(({ body }) => body.includes('"via":"snapshot"'));
  const silent = found.length > 0 ? eventsIn(found).filter(({ data: { change } }) => isSilent(change)) : [];
  const byPanel = Map.groupBy(silent, ({ data: { panel } }) => panel?.id ?? 0);
  const nothing = { ratings: new Map(), versions: new Map(), at: mark, asOf: 0 };
  if (silent.length > 0) await store.learn({ ...nothing, origin: 'snapshot', silent: byPanel });
  const published = await publishOrQuarantine(messages, { publisher, log });
  report.published(published);
  await history?.append(published, { catalogue: name, since: mark, until: settledUntil(next) });
  onPublished?.(published);
}
