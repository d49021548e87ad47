import type { PanelEvent } from '../../events/schemas.ts';
import type { StateFile } from '../sqlite-file.ts';
import { searchedWords } from './searched-words.ts';

/** Events that one transaction adds to the search index. */
const INDEX_STEP = 1_000;

/**
 * Adds the next events that were appended to the search index. Returns how many; 0 once the index holds them all. Polls
 * need not wait for the index: a search brings it up to date.
 */
export function indexNextWords({ database, transaction }: StateFile): number {
  const newest = database.prepare('SELECT max(rowid) AS seq FROM search_docsize');
  const unindexed = database.prepare(
    'SELECT seq, head, tail, rows FROM event LEFT JOIN event_rows USING (seq) WHERE seq > ? ORDER BY seq LIMIT ?',
  );
  const insertWords = database.prepare('INSERT INTO search (rowid, words) VALUES (?, ?)');
  if (unindexed.get(newest.get()?.seq ?? 0, 1) === undefined) return 0;
  return transaction(() => {
    const rows = unindexed.all(newest.get()?.seq ?? 0, INDEX_STEP);
    for (const { seq, head, tail, rows: ofLog } of rows) {
      const event = JSON.parse(`${head}${ofLog ?? ''}${tail}`) as PanelEvent;
      insertWords.run(seq ?? null, searchedWords(event).join(' '));
    }
    return rows.length;
  });
}
