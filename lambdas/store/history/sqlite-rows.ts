import { hash } from 'node:crypto';
import { type Instant, parseInstant } from '../../run/instant.ts';
import type { StateFile } from '../sqlite-file.ts';
import { attemptOn } from './sqlite-attempt.ts';

/** The rows of the log of one catalogue that events were published of, each once, newest first. */
export interface KeptRows {
  /**
   * Of all panels, or of one.
   * @param asked rows that were written after `until` are left out; and with `upTo`, those of later events
   * @throws {HistoryError} when the store cannot be read
   */
  list(asked: AskedRows): readonly KeptRow[];
  /**
   * The last event that was known when the log had first been read past an instant: a row of before that instant with a later event was
   * shown late. Null where the log was not read so far.
   * @throws {HistoryError} when the store cannot be read
   */
  lastKnownAt(instant: Instant): number | null;
  /**
   * Rows as JSON, with the fields in the order of the log.
   * @throws {HistoryError} when the store cannot be read
   */
  read(rows: readonly KeptRow[]): readonly string[];
}

interface AskedRows {
  readonly until: Instant;
  readonly panelId?: number;
  readonly upTo?: number | null;
}

/** Where a row of the log is kept. */
interface KeptRow {
  /** When it was written; where it has no usable time, that of its event. */
  readonly at: number;
  readonly panelId: number | null;
  /** Of its event, and its place there. */
  readonly seq: number;
  readonly index: number;
}

/** The order in which the catalogue writes the fields of a row. */
const order = [
  'created',
  'panel_name',
  'panel_id',
  'panel_version',
  'user_name',
  'item_type',
  'text',
  'entity_name',
  'entity_type',
] as const;

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
  /** A row may state what several events say. */
  const known = new Set<string>();
  let [rows, last, begun]: [KeptRow[], number, number] = [[], 0, 0];

  const refresh = (): void => {
    // The history forgets its events from the first one on.
    const first = Number(oldest.get()?.seq ?? Number.POSITIVE_INFINITY);
    if (first > begun) rows = rows.filter(({ seq }) => seq >= first);
    begun = first;
    const before = rows.length;
    for (const event of added.iterate(catalogue, last)) {
      const seq = Number(event.seq);
      last = seq;
      const own = new Map<string, number>();
      for (const [index, row] of rowsIn(event.rows).entries()) {
        const content = hash('sha1', JSON.stringify(row), 'base64');
        const times = (own.get(content) ?? 0) + 1;
        own.set(content, times);
        const name = `${content}${times}`;
        if (known.has(name)) continue;
        known.add(name);
        const { created, panel_id: panelId } = row;
        rows.push({
          at: Number(parseInstant(created) ?? event.at),
          panelId: typeof panelId === 'number' ? panelId : null,
          seq,
          index,
        });
      }
    }
    if (rows.length > before) rows = rows.sort((a, b) => b.at - a.at || b.seq - a.seq || b.index - a.index);
  };

  return {
    list: ({ until, panelId, upTo = null }) =>
      attempt('Reading', () => {
        refresh();
        const end = Number(until);
        const first = rows.findIndex(({ at }) => at <= end);
        const then = first < 0 ? [] : first === 0 ? rows : rows.slice(first);
        if (panelId === undefined && upTo === null) return then;
        return then.filter(
          (row) => (panelId === undefined || row.panelId === panelId) && (upTo === null || row.seq <= upTo),
        );
      }),
    lastKnownAt: (instant) =>
      attempt('Reading', () => {
        const row = passed.get(catalogue, Number(instant), Number(instant));
        return row ? Number(row.seq) : null;
      }),
    read: (wanted) =>
      attempt('Reading', () =>
        wanted.map(({ seq, index }) => JSON.stringify(inOrder(rowsIn(one.get(seq)?.rows)[index] ?? {}))),
      ),
  };
}

type Row = Readonly<Record<string, unknown>>;

const rowsIn = (text: unknown): readonly Row[] => JSON.parse(String(text));

const inOrder = (row: Row): Row => ({
  ...Object.fromEntries(order.filter((field) => field in row).map((field) => [field, row[field]])),
  ...row,
});
