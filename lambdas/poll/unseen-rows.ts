import { type Instant, later } from '../clock/instant.ts';
import type { Batch } from './read-back.ts';

interface AlreadyPublished {
  /** Keys of the rows that were published, as far back as batches reach. */
  readonly seen: ReadonlyMap<string, unknown>;
  readonly mark: Instant;
}

/** The rows of batches that were not published yet. A row is late if it is older than a row that was read before. */
export async function* unseenRows(
  batches: AsyncIterable<Batch>,
  { seen, mark }: AlreadyPublished,
): AsyncGenerator<Batch> {
  let newest = mark;
  for await (const { rows, ...batch } of batches) {
    const behind = newest;
    const unseen = rows.filter(({ key }) => !seen.has(key)).map((row) => ({ ...row, late: row.at < behind }));
    newest = unseen.map(({ at }) => at).reduce(later, newest);
    yield { ...batch, rows: unseen };
  }
}
