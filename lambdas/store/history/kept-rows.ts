import { hash } from 'node:crypto';
import type { PanelEvent } from '../../events/schemas.ts';
import { type Instant, parseInstant } from '../../run/instant.ts';
import type { StateFile } from '../sqlite-file.ts';
import { attemptOn, type History } from './history.ts';

/**
 * The rows of the log of one catalogue that events were published of, each once, newest first.
 * @throws {HistoryError} from every method, when the store cannot be read
 */
export interface KeptRows {
  /**
   * Of all panels, or of one.
   * @param asked rows that were written after `until` are left out; and with `upTo`, those of later events
   */
  list(asked: AskedRows): readonly KeptRow[];
  /**
   * The last event that was known when the log was first read past an instant: where a row is older than the instant and its event
   * later than that one, the log showed it late. Null where the log was not read so far.
   */
  lastKnownAt(instant: Instant): number | null;
  /** Rows as JSON, with the fields in the order of the log. */
  read(rows: readonly KeptRow[]): readonly string[];
}

interface AskedRows {
  readonly until: Instant;
  readonly panelId?: number;
  readonly upTo?: number | null;
}

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

type Row = Readonly<Record<string, unknown>>;

/** A row as JSON, with its fields in the order of the log. */
const printRow = (row: Row = {}): string =>
  JSON.stringify({
    ...Object.fromEntries(order.filter((field) => field in row).map((field) => [field, row[field]])),
    ...row,
  });

interface EventRows {
  readonly seq: number;
  /** When the event happened, for a row without a usable time. */
  readonly at: number;
  readonly rows: readonly Row[];
}

/** Where rows are kept, each once, in the order of the log: a row may state what several events say. */
function createRowList() {
  const known = new Set<string>();
  let rows: KeptRow[] = [];
  let isSorted = true;
  return {
    add({ seq, at, rows: added }: EventRows): void {
      const own = new Map<string, number>();
      for (const [index, row] of added.entries()) {
        const content = hash('sha1', JSON.stringify(row), 'base64');
        const times = (own.get(content) ?? 0) + 1;
        own.set(content, times);
        const name = `${content}${times}`;
        if (known.has(name)) continue;
        known.add(name);
        const { created, panel_id: panelId } = row;
        rows.push({
          at: Number(parseInstant(created) ?? at),
          panelId: typeof panelId === 'number' ? panelId : null,
          seq,
          index,
        });
        isSorted = false;
      }
    },
    forgetBefore(seq: number): void {
      rows = rows.filter((row) => row.seq >= seq);
    },
    list({ until, panelId, upTo = null }: AskedRows): readonly KeptRow[] {
      if (!isSorted) rows = rows.sort((a, b) => b.at - a.at || b.seq - a.seq || b.index - a.index);
      isSorted = true;
      const end = Number(until);
      const first = rows.findIndex(({ at }) => at <= end);
      const then = first < 0 ? [] : first === 0 ? rows : rows.slice(first);
      if (panelId === undefined && upTo === null) return then;
      return then.filter(
        (row) => (panelId === undefined || row.panelId === panelId) && (upTo === null || row.seq <= upTo),
      );
    },
  };
}

/**
 * The rows of the events that a history holds by now, in memory. A history that does not know in which order events came to it takes
 * all of them as known by the end of a day that it covers, and rows of one instant in any order.
 * @throws {HistoryError} when the history cannot be read
 */
export async function loadRows(
  history: Pick<History, 'find' | 'coverage'>,
  catalogue: string,
): Promise<KeptRows> {
  const periods = (await history.coverage()).filter((period) => period.catalogue === catalogue);
  const list = createRowList();
  const events: (readonly string[])[] = [];
  let at = 0;
  for await (const { time, data } of history.find({ catalogue, order: 'oldest', withCorrected: true })) {
    at = Number(parseInstant(time) ?? at);
    const rows = data.activities as PanelEvent['data']['activities'] & readonly Row[];
    list.add({ seq: events.length, at, rows });
    events.push(rows.map(printRow));
  }
  return {
    list: list.list,
    lastKnownAt: (instant) =>
      periods.some(({ since, until }) => since <= instant && until >= instant) ? events.length : null,
    read: (wanted) => wanted.map(({ seq, index }) => events[seq]?.[index] ?? '{}'),
  };
}

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
