import type { Message } from '../publishing/message.ts';
import { messageOfBody } from '../publishing/to-message.ts';
import type { Instant } from '../run/instant.ts';
import type { StateFile } from './sqlite-file.ts';
import type { RowRange } from './sqlite-published.ts';

/** An event as the file keeps it. */
type KeptEvent = Pick<Message, 'id' | 'body'>;

/**
 * Inserts those events that the file does not have yet, within a transaction. Returns the number of each event, null where it
 * was there already.
 * @param untimed the instant of an event without a time
 */
export type InsertEvents = (events: readonly KeptEvent[], untimed: Instant) => readonly (number | null)[];

/** The messages of a recorded chunk; null where it is the next one that is kept as a row of the history. */
type RecordedMessages = readonly (Message | null)[];

interface RecordedEvents {
  /**
   * Keeps the events of a chunk as rows that no reader finds, within a transaction. Returns in their place what it does not
   * keep: an event that was published before.
   */
  keep(messages: readonly Message[], untimed: Instant): RecordedMessages;
  /**
   * The messages of the recorded chunk, byte for byte.
   * @throws {Error} when a row is missing
   */
  messages(recorded: RecordedMessages): readonly Message[];
  /** The rows that these messages of the recorded chunk are; null where not all of them are rows that were published. */
  rowsOf(messages: readonly Message[]): RowRange | null;
  /** Ends the recorded chunk, within a transaction: deletes those of its events that were not published. */
  end(): void;
}

interface LastRecorded {
  readonly ids: readonly string[];
  readonly first: number;
  readonly last: number;
}

/** What this process recorded last, by file, so that the ids need not be read again. */
const recordedLast = new WeakMap<StateFile['database'], LastRecorded>();

/** The events of the chunk that one catalogue has recorded: rows of the history that are not published yet. */
export function createSqliteRecorded(
  { database }: Pick<StateFile, 'database'>,
  catalogue: string,
  insert: InsertEvents | undefined,
): RecordedEvents {
  const own = 'SELECT seq FROM recorded WHERE catalogue = ?';
  const between = 'FROM recorded_event WHERE seq BETWEEN ? AND ?';

  return {
    keep(messages, untimed) {
      if (!insert) return messages;
      const numbers = insert(messages, untimed);
      const inserted = numbers.filter((seq) => seq !== null);
      const [first] = inserted;
      if (first !== undefined) {
        // Of one transaction, they follow each other.
        const last = first + inserted.length - 1;
        database
          .prepare(`INSERT INTO recorded (seq, catalogue) SELECT seq, ? ${between} ORDER BY seq`)
          .run(catalogue, first, last);
        database.prepare(`INSERT INTO unpublished (seq) SELECT seq ${between}`).run(first, last);
        const ids = messages.filter((_, index) => numbers[index] !== null).map(({ id }) => id);
        recordedLast.set(database, { ids, first, last });
      }
      return messages.map(({ body }, index) => (numbers[index] === null ? messageOfBody(body) : null));
    },
    messages(recorded) {
      const wanted = recorded.filter((message) => message === null).length;
      if (wanted === 0) return recorded.filter((message) => message !== null);
      const kept = database
        .prepare(
          `SELECT head || coalesce(rows, '') || tail AS body FROM recorded JOIN recorded_event USING (seq)
           LEFT JOIN event_rows USING (seq) WHERE recorded.catalogue = ? ORDER BY place`,
        )
        .all(catalogue)
        .map(({ body }) => String(body));
      if (kept.length !== wanted) throw new Error(`${kept.length} of ${wanted} recorded events are there`);
      return recorded.map((message) => message ?? messageOfBody(kept.shift() ?? ''));
    },
    rowsOf(messages) {
      const rows = database.prepare(
        `SELECT min(seq) AS first, max(seq) AS last, count(*) AS published, count(DISTINCT seq - place) AS runs
         FROM recorded WHERE catalogue = ? AND seq NOT IN (SELECT seq FROM unpublished)`,
      );
      const { first, last, published, runs } = rows.get(catalogue) ?? {};
      const isWhole = published === messages.length && runs === 1;
      return isWhole ? { first: Number(first), last: Number(last) } : null;
    },
    end() {
      recordedLast.delete(database);
      for (const statement of [
        `DELETE FROM recorded_event WHERE seq IN (${own} INTERSECT SELECT seq FROM unpublished)`,
        `DELETE FROM unpublished WHERE seq IN (${own})`,
        'DELETE FROM recorded WHERE catalogue = ?',
      ]) {
        database.prepare(statement).run(catalogue);
      }
    },
  };
}

/**
 * Lets readers find those of these events that are recorded, within a transaction. Returns the others, which the file does
 * not have, or has had for long. What becomes visible is behind all that was, by number, so that who has read the events up
 * to a number has missed none.
 */
export function publishRecorded<Event extends KeptEvent>(
  { database }: Pick<StateFile, 'database'>,
  events: readonly Event[],
): readonly Event[] {
  const newest = Number(database.prepare('SELECT max(seq) AS seq FROM event').get()?.seq ?? 0);
  const known = recordedLast.get(database);
  const isKnown = known?.ids.length === events.length && events.every(({ id }, at) => id === known.ids[at]);
  if (known && isKnown && known.first > newest) {
    // What this process remembers was perhaps undone, and its numbers given to others.
    const publishAll = database.prepare(
      `DELETE FROM unpublished WHERE seq BETWEEN ? AND ?
       AND EXISTS (SELECT 1 FROM recorded_event WHERE seq = ? AND id = ?)`,
    );
    const [id = null] = known.ids;
    if (publishAll.run(known.first, known.last, known.first, id).changes === events.length) return [];
  }
  const numbers = new Map(
    database
      .prepare('SELECT id, seq FROM unpublished JOIN recorded_event USING (seq)')
      .all()
      .map(({ id, seq }) => [String(id), Number(seq)]),
  );
  const found = events.flatMap(({ id }) => numbers.get(id) ?? []);
  const publish = database.prepare('DELETE FROM unpublished WHERE seq = ?');
  for (const seq of found) publish.run(seq);
  const first = Math.min(...found);
  if (first < newest) moveLast(database, found, first);
  return events.filter(({ id }) => !numbers.has(id));
}

/** Moves events behind all others, by number, in their order. No index has them yet. */
function moveLast(database: StateFile['database'], numbers: readonly number[], first: number): void {
  database.exec('PRAGMA defer_foreign_keys = ON');
  const last = database.prepare('SELECT max(seq) AS seq FROM recorded_event').get()?.seq;
  const by = Number(last) - first + 1;
  for (const table of ['recorded_event', 'event_rows', 'recorded']) {
    const move = `UPDATE ${table} SET seq = seq + ? WHERE seq IN (SELECT value FROM json_each(?))`;
    database.prepare(move).run(by, JSON.stringify(numbers));
  }
}
