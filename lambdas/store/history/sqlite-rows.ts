import type { StateFile } from '../sqlite-file.ts';
import { createRowList, type KeptRows, printRow } from './kept-rows.ts';
import { attemptOn } from './sqlite-attempt.ts';

/**
 * The rows in a state file. Where they lie is read once, and what was added since at each call: about 100 bytes of memory
 * for a row.
 */
export function createSqliteRows(file: StateFile, catalogue: string): KeptRows {
  const attempt = attemptOn(file);
  const { database } = file;
  const added = database.prepare(
    'SELECT seq, event.at AS at, rows FROM event JOIN event_rows USING (seq) WHERE catalogue = ? AND seq > ? ORDER BY seq',
  );
  const oldest = database.prepare('SELECT min(seq) AS seq FROM event_rows');
  const one = database.prepare('SELECT rows FROM event_rows WHERE seq = ?');
  const passed = database.prepare(
    'SELECT seq FROM appended WHERE catalogue = ? AND since <= ? AND until >= ? ORDER BY n LIMIT 1',
  );
  const known = createRowList();
  let [last, begun] = [0, 0];

  const refresh = (): void => {
    // The history forgets its events from the first one on.
    const first = Number(oldest.get()?.seq ?? Number.POSITIVE_INFINITY);
    if (first > begun) known.forgetBefore(first);
    begun = first;
    for (const event of added.iterate(catalogue, last)) {
      last = Number(event.seq);
      known.add({ seq: last, at: Number(event.at), rows: rowsIn(event.rows) });
    }
  };

  return {
    list: (asked) =>
      attempt('Reading', () => {
        refresh();
        return known.list(asked);
      }),
    lastKnownAt: (instant) =>
      attempt('Reading', () => {
        const row = passed.get(catalogue, Number(instant), Number(instant));
        return row ? Number(row.seq) : null;
      }),
    read: (wanted) =>
      attempt('Reading', () => wanted.map(({ seq, index }) => printRow(rowsIn(one.get(seq)?.rows)[index]))),
  };
}

const rowsIn = (text: unknown): readonly Readonly<Record<string, unknown>>[] => JSON.parse(String(text));
