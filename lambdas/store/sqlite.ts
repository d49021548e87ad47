import { closeSync, constants, openSync, readFileSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { formatInstant, type Instant } from '../run/instant.ts';
import { onceForText } from '../run/text.ts';
import { createShapes } from './documents.ts';
import { createSqliteItems } from './items-sqlite.ts';
import {
  entitySchema,
  type KnownStates,
  type Learnt,
  panelIdOf,
  panelKey,
  panelSchema,
  type SavedState,
  silentAfter,
  statesAfter,
} from './known-states.ts';
import { type Listing, listingSchema, mayReplace } from './listing.ts';
import { chunkJson, instantSchema, packAgainst, packText, toJson, unpackText } from './packed.ts';
import {
  firstPosition,
  type LedgerRow,
  MOST_UNPLACED_ROWS,
  mayForget,
  movedPosition,
  nextPosition,
  type Position,
  positionSchema,
  settledUntil,
} from './position.ts';
import { placeOf, type StateFile } from './sqlite-file.ts';
import { createSqlitePublished, createSqliteRecorded, type InsertEvents } from './sqlite-published.ts';
import { orDamaged, StateError, sqliteCall } from './state-error.ts';
import {
  type Chunk,
  eventsSchema,
  type MovableStore,
  type Rollback,
  recordedChunkSchema,
  type StateStore,
} from './store.ts';

/**
 * Each write of a chunk touches a page of every index for nearly every row, so that of a backlog many rows are written together.
 * With a thousand, two chunks, one that is written and one that is made, took more than 200 MB of memory.
 */
const CHUNK_ROWS = 600;

/**
 * The state of one catalogue in the file of a local run. Each write is one transaction.
 * @param insert the events of a recorded chunk are kept as rows of the history with it; without, the chunk keeps them
 */
export function createSqliteStore(file: StateFile, catalogue: string, insert?: InsertEvents): MovableStore {
  const { path, transaction } = file;
  const where = `the state of catalogue "${catalogue}" in ${path}`;
  const attempt = <Value>(action: 'Reading' | 'Writing', work: () => Value): Value =>
    sqliteCall(`${action} ${where}`, work, 'The mark is unchanged.');
  const reading = async <Value>(read: () => Value): Promise<Value> => attempt('Reading', read);
  const writing = async (work: () => void): Promise<void> => attempt('Writing', () => transaction(work));

  const part = { catalogue, where };
  const ledger = createSqliteLedger(file, catalogue);
  const known = createSqliteKnownStates(file, part);
  const publications = createSqlitePublished(file, part);
  const listing = createSqliteListing(file, part);
  const recorded = createSqliteRecorded(file, catalogue, insert);
  const positions = attempt('Reading', () => createSqlitePosition(file, part, recorded));

  /** One transaction that ends at a new position with a new mark. */
  const moveTo = async (after: Position, work: () => void): Promise<Position> => {
    await writing(work);
    positions.noteLast(after);
    return after;
  };

  return {
    load: (overlap) =>
      reading(() =>
        file.snapshot(() => {
          const loaded = positions.load();
          return loaded && { ...loaded, seen: ledger.since(loaded.position.mark - overlap) };
        }),
      ),

    begin(at, rows, given = { entities: new Map(), panels: new Map() }) {
      const first = firstPosition(at);
      return moveTo(first, () => {
        positions.write(null, first);
        ledger.add(rows);
        known.save(given, first.version);
      });
    },

    chunkRows: CHUNK_ROWS,
    canRecord: () => true,

    async record(position, chunk) {
      const after = nextPosition(position, {});
      await writing(() => {
        const messages = recorded.keep(chunk.messages, settledUntil(chunk.next));
        positions.write(position, after, packText(chunkJson({ ...chunk, messages })));
      });
      return after;
    },

    advance(position, chunk) {
      const after = nextPosition(position, chunk.next);
      return moveTo(after, () => {
        const rows = recorded.rowsOf(chunk.messages);
        positions.write(position, after);
        ledger.add(chunk.rows);
        known.save(chunk, position.version);
        publications.keep(chunk.messages, { version: position.version, mark: after.mark }, rows);
      });
    },

    update(position, change) {
      const after = nextPosition(position, change);
      return moveTo(after, () => positions.write(position, after));
    },

    moveMark(position, mark) {
      const after = movedPosition(position, mark);
      return moveTo(after, () => {
        positions.write(position, after);
        ledger.forgetAfter(mark);
      });
    },

    forgetBefore: (instant) =>
      writing(() => {
        const position = positions.atRest();
        if (!position || !mayForget(position, instant)) return;
        const after = nextPosition(position, { ledgerSince: instant });
        positions.write(position, after);
        ledger.forgetBefore(instant);
        known.forgetBefore(instant);
        positions.noteLast(after);
      }),

    ledger: (since) => reading(() => ledger.since(since)),

    entities: (keys) => reading(() => known.entities(keys)),
    panels: (ids) => reading(() => known.panels(ids)),

    published: (after) => reading(() => publications.published(after)),
    silent: (ids) => reading(() => known.silent(ids)),
    learn: (learnt) =>
      writing(() => {
        // No poll has begun: what it begins with is for it to decide.
        if (!positions.isBegun()) return;
        known.learn(learnt);
        if (learnt.ratings.size + learnt.versions.size > 0) positions.outdateReaders();
      }),

    ...createShapes(
      createSqliteItems(file, { what: `the wordings of catalogue "${catalogue}"`, now: () => 0 }),
      catalogue,
    ),

    listing: () => reading(() => listing.read()),
    saveListing: (read) => writing(() => listing.save(read)),
  };
}

/** One catalogue's part of a state file, as errors name it. */
interface Part {
  readonly catalogue: string;
  readonly where: string;
}

/** The position of one catalogue, with the chunk that is recorded in it. Who calls it opens the transaction. */
function createSqlitePosition(
  file: StateFile,
  { catalogue, where }: Part,
  recorded: ReturnType<typeof createSqliteRecorded>,
) {
  const { database, path } = file;
  const lastWrite = lastWriteIn(path === ':memory:' ? null : join(dirname(path), `${catalogue}.last-write`));
  const select = database.prepare('SELECT position, pending FROM position WHERE catalogue = ?');
  const selectVersion = database.prepare('SELECT version FROM position WHERE catalogue = ?');
  const upsert = database.prepare(
    'INSERT INTO position (catalogue, version, position, pending) VALUES (?, ?, ?, ?) ON CONFLICT (catalogue) DO UPDATE SET version = excluded.version, position = excluded.position, pending = excluded.pending',
  );
  const place = placeOf(file, catalogue);
  const positionIn = ({ position }: Readonly<Record<string, unknown>>): Position =>
    readStored(where, positionSchema, position);

  const rollbackOf = ({ version, mark }: Position): Rollback | null => {
    const last = lastWrite.read();
    if (!last || last.version <= version) {
      const found = place.copied();
      return found === null ? null : { found, mark: null };
    }
    return {
      found: `The file is at version ${version} (mark ${formatInstant(mark)}), but version ${last.version} (mark ${formatInstant(last.mark)}) was written: its last writes are lost, or an older copy was put in its place.`,
      mark: last.mark,
    };
  };

  /** The chunk of a column `pending`. */
  const pendingOf = (text: unknown): Chunk => {
    const { messages, ...chunk } = readStored(where, recordedChunkSchema, text, unpackText);
    return orDamaged(where, RESTORE, () => ({ messages: recorded.messages(messages), ...chunk }));
  };

  /** Null where no poll has begun, or a chunk is recorded that is perhaps not published. */
  const atRest = (): Position | null => {
    const found = select.get(catalogue);
    return found && found.pending === null ? positionIn(found) : null;
  };

  return {
    atRest,
    isBegun: (): boolean => selectVersion.get(catalogue) !== undefined,
    noteLast: (position: Position): void => lastWrite.save(position),
    load() {
      const found = select.get(catalogue);
      if (found) {
        const position = positionIn(found);
        const pending = found.pending === null ? null : pendingOf(found.pending);
        return { position, pending, rollback: rollbackOf(position) };
      }
      if (!lastWrite.read()) return null;
      throw new StateError(
        'STATE_LOST',
        `Reading ${where}: this catalogue was read before, but its position is gone. Nothing was published. Restore a copy of the directory, or remove it and begin again with --from and the time of the last event.`,
      );
    },
    write(before: Position | null, after: Position, pending: string | null = null): void {
      const there = selectVersion.get(catalogue)?.version;
      if (there !== before?.version) {
        throw new StateError(
          'STATE_CONFLICT',
          `Writing ${where}: another run has moved it from version ${before?.version ?? 0} to ${there ?? 'nothing'}. This run stops; nothing is lost, because the other one continues.`,
        );
      }
      upsert.run(catalogue, after.version, toJson(after), pending);
      if (pending === null) recorded.end();
      place.settle();
    },
    /** A poll that has read what was known before stops before it records anything, and begins again. */
    outdateReaders(): void {
      const position = atRest();
      if (!position) return;
      const version = position.version + 1;
      upsert.run(catalogue, version, toJson({ ...position, version }), null);
    },
  };
}

const lastWriteSchema = z.object({ version: z.number(), mark: instantSchema });

/** Bytes that each version and mark fit into: the file is overwritten in place, so that it is never empty. */
const FILE_BYTES = 80;

/**
 * The version and mark of the last write of one catalogue, in a file beside the state file. SQLite silently drops what it cannot
 * read of its write-ahead log. This file then shows that a later version was written.
 * @param file null where the state is kept in memory
 */
function lastWriteIn(file: string | null) {
  return {
    read(): Pick<Position, 'version' | 'mark'> | null {
      if (file === null) return null;
      try {
        return lastWriteSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
      } catch {
        // Missing or damaged: then the last write is unknown.
        return null;
      }
    },
    save({ version, mark }: Position): void {
      if (file === null) return;
      try {
        const descriptor = openSync(file, constants.O_WRONLY | constants.O_CREAT, 0o600);
        writeSync(descriptor, JSON.stringify({ version, mark: String(mark) }).padEnd(FILE_BYTES), 0);
        closeSync(descriptor);
      } catch {
        // The state itself was written; this file only helps to find damage.
      }
    },
  };
}

const silentKey = (id: number): string => `silent#${id}`;
const silentSchema = z.lazy(() => z.object({ events: eventsSchema }));
const savedSchema = z.lazy(() => z.looseObject({ savedAt: z.number() }));

/** What rows stated of the entities and panels of one catalogue, in a state file. Who calls it opens the transaction. */
function createSqliteKnownStates({ database }: StateFile, { catalogue, where }: Part) {
  const select = database.prepare('SELECT value FROM entity_state WHERE catalogue = ? AND entity = ?');
  const insert = database.prepare(
    'INSERT INTO entity_state (catalogue, entity, value) VALUES (?, ?, ?) ON CONFLICT (catalogue, entity) DO UPDATE SET value = excluded.value',
  );
  // A panel's state has no rating at all.
  const forget = database.prepare(
    "DELETE FROM entity_state WHERE catalogue = ? AND json_type(value, '$.rating') = 'null' AND json_array_length(value, '$.unpaired') = 0 AND CAST(value ->> '$.at' AS INTEGER) < ?",
  );

  const known = <Shape extends z.ZodType>(
    keys: readonly string[],
    schema: Shape,
  ): Map<string, z.output<Shape>> => {
    const states = new Map<string, z.output<Shape>>();
    for (const key of keys) {
      const found = select.get(catalogue, key);
      if (found) states.set(key, readStored(where, schema, found.value));
    }
    return states;
  };

  const save = (key: string, value: object): void => void insert.run(catalogue, key, toJson(value));
  const silent = (ids: readonly number[]): Awaited<ReturnType<StateStore['silent']>> => {
    const events = known(ids.map(silentKey), silentSchema);
    return new Map(ids.map((id) => [id, events.get(silentKey(id))?.events ?? []]));
  };

  return {
    /** @param savedAt the version of the position that saves the states */
    save({ entities, panels }: KnownStates, savedAt: number) {
      for (const [key, state] of entities) save(key, { ...state, savedAt });
      for (const [id, state] of panels) save(panelKey(id), { ...state, savedAt });
    },
    silent,
    /** Takes over what was found without a row. */
    learn(learnt: Learnt) {
      const savedOf = (key: string): SavedState | undefined => {
        const state = known([key], savedSchema).get(key);
        return state && { state, savedAt: state.savedAt };
      };
      const after = orDamaged(where, RESTORE, () => statesAfter(learnt, savedOf));
      for (const [key, state] of after) save(key, { ...state, savedAt: learnt.asOf });
      const kept = silent([...learnt.silent.keys()]);
      for (const [id, events] of learnt.silent)
        save(silentKey(id), { events: silentAfter(kept.get(id) ?? [], events) });
    },
    entities: (keys: readonly string[]) => known(keys, entitySchema),
    panels: (ids: readonly number[]) =>
      new Map([...known(ids.map(panelKey), panelSchema)].map(([key, state]) => [panelIdOf(key), state])),
    /** Forgets what rows before an instant stated of entities that have no rating and no row that waits for its pair. */
    forgetBefore: (at: Instant) => void forget.run(catalogue, Number(at)),
  };
}

/** The rows of the ledger since an instant, and those without a usable time. */
export const ledgerQueries = [
  'SELECT key, at FROM ledger WHERE catalogue = ? AND at >= ?',
  'SELECT key FROM unplaced_row WHERE catalogue = ?',
] as const;

/** The ledger of one catalogue in a state file. Who calls it opens the transaction. */
function createSqliteLedger({ database }: StateFile, catalogue: string) {
  const addUnplaced = (keys: readonly string[]): void => {
    if (keys.length === 0) return;
    const add = database.prepare('INSERT OR IGNORE INTO unplaced_row (catalogue, key) VALUES (?, ?)');
    for (const key of keys) add.run(catalogue, key);
    database
      .prepare(
        'DELETE FROM unplaced_row WHERE catalogue = ? AND seq NOT IN (SELECT seq FROM unplaced_row WHERE catalogue = ? ORDER BY seq DESC LIMIT ?)',
      )
      .run(catalogue, catalogue, MOST_UNPLACED_ROWS);
  };

  return {
    since(instant: Instant) {
      const rows = new Map<string, Instant | null>();
      const [placed, unplaced] = [database.prepare(ledgerQueries[0]), database.prepare(ledgerQueries[1])];
      for (const { key, at } of placed.iterate(catalogue, Number(instant)))
        rows.set(String(key), BigInt(at as number));
      for (const { key } of unplaced.iterate(catalogue)) rows.set(String(key), null);
      return rows;
    },
    add(rows: readonly LedgerRow[]) {
      const add = database.prepare('INSERT OR IGNORE INTO ledger (catalogue, at, key) VALUES (?, ?, ?)');
      for (const { key, at } of rows) if (at !== null) add.run(catalogue, Number(at), key);
      addUnplaced(rows.filter(({ at }) => at === null).map(({ key }) => key));
    },
    forgetAfter: (at: Instant) =>
      void database.prepare('DELETE FROM ledger WHERE catalogue = ? AND at > ?').run(catalogue, Number(at)),
    forgetBefore: (at: Instant) =>
      void database.prepare('DELETE FROM ledger WHERE catalogue = ? AND at < ?').run(catalogue, Number(at)),
  };
}

/** The listing of the panels of one catalogue in a state file. Who calls it opens the transaction. */
function createSqliteListing({ database }: StateFile, { catalogue, where }: Part) {
  // A sweep, a poll and a proof read the same one again and again.
  const listingIn = onceForText(1, (text): Listing => readStored(where, listingSchema, text));
  const read = (): Listing | null => {
    const found = database.prepare('SELECT listing FROM listing WHERE catalogue = ?').get(catalogue);
    return found ? listingIn(String(found.listing)) : null;
  };
  return {
    read,
    /** Saves a listing, unless a newer one is there. */
    save(listing: Listing) {
      if (!mayReplace(read(), listing)) return;
      const json = toJson(listing);
      const before = database.prepare('SELECT listing FROM listing WHERE catalogue = ?').get(catalogue);
      database
        .prepare('INSERT INTO listing_before (until, catalogue, listing) VALUES (recording_time(), ?, ?)')
        // Two listings differ in a few lines.
        .run(catalogue, before ? packAgainst(Buffer.from(String(before.listing)), Buffer.from(json)) : null);
      database
        .prepare(
          'INSERT INTO listing (catalogue, listing) VALUES (?, ?) ON CONFLICT (catalogue) DO UPDATE SET listing = excluded.listing',
        )
        .run(catalogue, json);
    },
  };
}

/** What to do where a state file is damaged. */
const RESTORE =
  'Restore a copy of the directory, or remove it and begin again with --from and the time of the last event.';

/**
 * Reads a JSON text that a state file holds.
 * @param unpack makes JSON of what is kept, where that is compressed
 * @throws {StateError} `STATE_CORRUPT` when it is not what the schema says
 */
function readStored<Shape extends z.ZodType>(
  where: string,
  schema: Shape,
  text: unknown,
  unpack: (text: string) => string = (text) => text,
): z.output<Shape> {
  return orDamaged(where, RESTORE, () => schema.parse(JSON.parse(unpack(String(text)))));
}
