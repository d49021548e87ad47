import { type Instant, later } from '../clock/instant.ts';
import { read } from './correlator.ts';
import type { Batch } from './read-back.ts';

export interface AlreadyPublished {
  /** Keys of the rows that were told, as far back as batches reach. */
  readonly seen: ReadonlySet<string>;
  readonly mark: Instant;
}

/** The rows of batches that were not told yet, and what each says; late are those behind rows that were read before. */
export async function* unseenRows(
  batches: AsyncIterable<Batch>,
  { seen, mark }: AlreadyPublished,
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
