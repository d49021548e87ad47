import { withoutRows } from '../events/schemas.ts';
import { type Message, messageOfBody } from '../publishing/message.ts';
import type { Instant } from '../run/instant.ts';
import { packText, unpackText } from './packed.ts';
import type { Position } from './position.ts';
import type { StateFile } from './sqlite-file.ts';
import { orDamaged } from './state-error.ts';
import {
  type Chunk,
  eventsJson,
  eventsSchema,
  LEAST_PUBLISHED,
  PUBLISHED_SECONDS,
  type Published,
  type PublishedEvent,
} from './store.ts';

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

/** Rows of the history, by their first and last number. */
interface RowRange {
  readonly first: number;
  readonly last: number;
}

/** What this process recorded last, by file, so that the ids need not be read again. */
const recordedLast = new WeakMap<StateFile['database'], RowRange & { readonly ids: readonly string[] }>();

/** The events of the chunk that one catalogue has recorded: rows of the history that are not published yet. */
export function createSqliteRecorded(
  { database }: Pick<StateFile, 'database'>,
  catalogue: string,
  insert: InsertEvents | undefined,
) {
  const own = 'SELECT seq FROM recorded WHERE catalogue = ?';
  const between = 'FROM recorded_event WHERE seq BETWEEN ? AND ?';

  return {
    /**
     * Keeps the events of a chunk as rows that no reader finds, within a transaction. Returns in their place what it does not
     * keep: an event that was published before.
     */
    keep(messages: readonly Message[], untimed: Instant): RecordedMessages {
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
    /**
     * The messages of the recorded chunk, byte for byte.
     * @throws {Error} when a row is missing
     */
    messages(recorded: RecordedMessages): readonly Message[] {
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
    /** The rows that these messages of the recorded chunk are; null where not all of them are rows that were published. */
    rowsOf(messages: readonly Message[]): RowRange | null {
      const rows = database.prepare(
        `SELECT min(seq) AS first, max(seq) AS last, count(*) AS published, count(DISTINCT seq - place) AS runs
         FROM recorded WHERE catalogue = ? AND seq NOT IN (SELECT seq FROM unpublished)`,
      );
      const { first, last, published, runs } = rows.get(catalogue) ?? {};
      const isWhole = published === messages.length && runs === 1;
      return isWhole ? { first: Number(first), last: Number(last) } : null;
    },
    /** Ends the recorded chunk, within a transaction: deletes those of its events that were not published. */
    end(): void {
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

const PUBLISHED = 'published#';

/** The events of the rows that a text names, as JSON, without the rows of their log; null where it names none. */
function eventsOfRows({ database }: Pick<StateFile, 'database'>, text: string): string | null {
  const [, first, last] = /^(\d+)-(\d+)$/.exec(text) ?? [];
  if (first === undefined || last === undefined) return null;
  const rows = database
    .prepare('SELECT head, tail FROM recorded_event WHERE seq BETWEEN ? AND ? ORDER BY seq')
    .all(Number(first), Number(last));
  const wanted = Number(last) - Number(first) + 1;
  if (rows.length !== wanted) throw new Error(`${rows.length} of ${wanted} published events are there`);
  return `[${rows.map(({ head, tail }) => withoutRows({ head: String(head), tail: String(tail) })).join(',')}]`;
}

/** Keeps the events that sweeps may still read apart from the rows of the history up to a number, which are to be deleted. */
export function keepApart({ database }: Pick<StateFile, 'database'>, upTo: number): void {
  const replace = database.prepare('UPDATE published_chunk SET body = ? WHERE catalogue = ? AND name = ?');
  const named = database.prepare(
    `SELECT catalogue, name, body FROM published_chunk WHERE name >= '${PUBLISHED}' AND name < '${PUBLISHED}~'
     AND body GLOB '[0-9]*-[0-9]*' AND CAST(body AS INTEGER) <= ?`,
  );
  for (const { catalogue, name, body } of named.all(upTo)) {
    const json = eventsOfRows({ database }, String(body));
    if (json !== null) replace.run(packText(json), catalogue ?? null, name ?? null);
  }
}

const nameOf = (version: number): string => PUBLISHED + String(version).padStart(12, '0');

/** What the poller published, in the file of a local run. */
export function createSqlitePublished(
  { database }: StateFile,
  { catalogue, where }: { readonly catalogue: string; readonly where: string },
) {
  const statements = {
    keep: database.prepare(
      // Their version is the mark, in seconds.
      'INSERT INTO published_chunk (catalogue, name, version, body) VALUES (?, ?, ?, ?) ON CONFLICT (catalogue, name) DO UPDATE SET version = excluded.version, body = excluded.body',
    ),
    prune: database.prepare(
      `DELETE FROM published_chunk WHERE catalogue = ? AND name >= '${PUBLISHED}'
       AND name < (SELECT name FROM published_chunk WHERE catalogue = ? AND name >= '${PUBLISHED}' AND name < '${PUBLISHED}~' ORDER BY name DESC LIMIT 1 OFFSET ${LEAST_PUBLISHED})
       AND name < (SELECT name FROM published_chunk WHERE catalogue = ? AND name >= '${PUBLISHED}' AND name < '${PUBLISHED}~' AND version >= ? ORDER BY name LIMIT 1)`,
    ),
    after: database.prepare(
      `SELECT name, body FROM published_chunk WHERE catalogue = ? AND name > ? AND name < '${PUBLISHED}~' ORDER BY name`,
    ),
  };

  const eventsIn = (body: string) =>
    eventsSchema.parse(JSON.parse(eventsOfRows({ database }, body) ?? unpackText(body)));

  return {
    /**
     * Keeps the events of a chunk under the version of the position that recorded it, within a transaction. Their age is
     * the way of the mark since.
     * @param rows the rows of the history that they all are; null where they are not
     */
    keep(
      messages: Chunk['messages'],
      { version, mark }: Pick<Position, 'version' | 'mark'>,
      rows: RowRange | null,
    ): void {
      if (messages.length === 0) return;
      const seconds = Number(mark / 1_000_000n);
      const body = rows ? `${rows.first}-${rows.last}` : packText(eventsJson(messages));
      statements.keep.run(catalogue, nameOf(version), seconds, body);
      statements.prune.run(catalogue, catalogue, catalogue, seconds - PUBLISHED_SECONDS);
    },

    published(after: number): Published {
      const events: PublishedEvent[] = [];
      let last = after;
      for (const { name, body } of statements.after.iterate(catalogue, nameOf(after))) {
        const version = Number(String(name).slice(PUBLISHED.length));
        last = version;
        const own = orDamaged(where, 'Restore a copy of the directory.', () => eventsIn(String(body)));
        events.push(...own.map((event) => ({ version, event })));
      }
      return { version: last, events };
    },
  };
}
