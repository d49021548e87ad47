import { type Instant, later } from '../run/instant.ts';
import type { LogPage } from './log-page.ts';
import { publishedRows } from './published-rows.ts';
import type { Batch } from './read-back.ts';

interface AlreadyPublished {
  /** Keys of the rows that were published, as far back as batches reach. */
  readonly seen: ReadonlyMap<string, Instant | null>;
  readonly mark: Instant;
  /** The catalogue's own time: a row that is stamped later makes no other one late. */
  readonly now: Instant;
  /** The newest page of the log. */
  readonly first: Pick<LogPage, 'rows'>;
}

/**
 * The rows of batches that were not published yet. A row is late if it is older than a row that was read before: the mark may stay
 * before rows that were published.
 */
export async function* unseenRows(
  batches: AsyncIterable<Batch>,
  { seen, mark, now, first }: AlreadyPublished,
): AsyncGenerator<Batch> {
  let newest = mark;
  for (const at of seen.values()) if (at !== null && at <= now) newest = later(newest, at);
  const published = publishedRows(seen);
  published.show(first.rows);
  for await (const { rows, ...batch } of batches) {
    published.show(rows);
    const newestRead = newest;
    const unseen = rows
      .filter((row) => !published.has(row))
      .map((row) => ({ ...row, late: row.at < newestRead }));
    newest = unseen.map(({ at }) => at).reduce(later, newest);
    yield { ...batch, rows: unseen };
  }
}
