import { type Instant, later } from '../position/instant.ts';
import type { Batch } from './reading.ts';
import { read } from './relater.ts';

export interface AlreadyTold {
  /** Keys of the rows that were told, as far back as batches reach. */
  readonly seen: ReadonlySet<string>;
  readonly mark: Instant;
}

/** The rows of batches that were not told yet, and what each says; late are those behind rows that were read before. */
export async function* newsOf(
  batches: AsyncIterable<Batch>,
  { seen, mark }: AlreadyTold,
): AsyncGenerator<Batch> {
  let newest = mark;
  for await (const { entries, hold } of batches) {
    const behind = newest;
    const news = entries
      .filter(({ key }) => !seen.has(key))
      .map((entry) => read({ ...entry, late: entry.at < behind }));
    newest = news.map(({ at }) => at).reduce(later, newest);
    yield { entries: news, hold };
  }
}
