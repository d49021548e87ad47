import { dirname, join } from 'node:path';
import { formatInstant } from '../run/instant.ts';
import { damagedState } from './damaged-state.ts';
import { positionSchema, recordedChunkSchema } from './json-schemas.ts';
import { lastWriteIn } from './last-write.ts';
import { mayForget } from './ledger.ts';
import { firstPosition, movedPosition, nextPosition, settledUntil } from './next-position.ts';
import { packText, unpackText } from './packed-text.ts';
import type { Position } from './position.ts';
import { RESTORE, readStored } from './read-stored.ts';
import type { StateFile } from './sqlite-file.ts';
import { createSqliteKnownStates } from './sqlite-known-states.ts';
import { createSqliteLedger } from './sqlite-ledger.ts';
import { createSqliteListing } from './sqlite-listing.ts';
import { placeOf } from './sqlite-place.ts';
import { sqliteCall } from './sqlite-problem.ts';
import { createSqlitePublished } from './sqlite-published.ts';
import { createSqliteRecorded, type InsertEvents } from './sqlite-recorded.ts';
import { createSqliteShapes } from './sqlite-shapes.ts';
import { StateError } from './state-error.ts';
import type { Chunk, MovableStore, Rollback } from './store.ts';
import { toJson } from './to-json.ts';

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
  const { database, path, transaction } = file;
  const where = `the state of catalogue "${catalogue}" in ${path}`;
  const lastWrite = lastWriteIn(path === ':memory:' ? null : join(dirname(path), `${catalogue}.last-write`));

  const attempt = <Value>(action: 'Reading' | 'Writing', work: () => Value): Value =>
    sqliteCall(`${action} ${where}`, work, 'The mark is unchanged.');

  const statements = {
    position: database.prepare('SELECT position, pending FROM position WHERE catalogue = ?'),
    version: database.prepare('SELECT version FROM position WHERE catalogue = ?'),
    write: database.prepare(
      'INSERT INTO position (catalogue, version, position, pending) VALUES (?, ?, ?, ?) ON CONFLICT (catalogue) DO UPDATE SET version = excluded.version, position = excluded.position, pending = excluded.pending',
    ),
  };

  const ledger = createSqliteLedger(file, catalogue);
  const known = createSqliteKnownStates(file, { catalogue, where });
  const publications = createSqlitePublished(file, { catalogue, where });
  const listing = createSqliteListing(file, { catalogue, where });
  const shapes = createSqliteShapes(file, catalogue);
  const recorded = createSqliteRecorded(file, catalogue, insert);
  const place = attempt('Reading', () => placeOf(file, catalogue));

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

  const gone = (): StateError =>
    new StateError(
      'STATE_LOST',
      `Reading ${where}: this catalogue was read before, but its position is gone. Nothing was published. Restore a copy of the directory, or remove it and begin again with --from and the time of the last event.`,
    );

  /** The chunk of a column `pending`. */
  const pendingOf = (text: unknown): Chunk => {
    const { messages, ...chunk } = readStored(where, recordedChunkSchema, text, unpackText);
    try {
      return { messages: recorded.messages(messages), ...chunk };
    } catch (cause) {
      throw damagedState(where, cause, RESTORE);
    }
  };

  const write = (before: Position | null, after: Position, pending: string | null): void => {
    const there = statements.version.get(catalogue)?.version;
    if (there !== before?.version) {
      throw new StateError(
        'STATE_CONFLICT',
        `Writing ${where}: another run has moved it from version ${before?.version ?? 0} to ${there ?? 'nothing'}. This run stops; nothing is lost, because the other one continues.`,
      );
    }
    statements.write.run(catalogue, after.version, toJson(after), pending);
    if (pending === null) recorded.end();
    place.settle();
  };

  /** One transaction that ends at a new position with a new mark. */
  const moveTo = (after: Position, work: () => void): Position => {
    attempt('Writing', () => transaction(work));
    lastWrite.save(after);
    return after;
  };

  return {
    async load(overlap) {
      return attempt('Reading', () => {
        file.check();
        const found = statements.position.get(catalogue);
        if (!found) {
          if (lastWrite.read()) throw gone();
          return null;
        }
        const position = readStored(where, positionSchema, found.position);
        const pending = found.pending === null ? null : pendingOf(found.pending);
        const seen = ledger.since(position.mark - overlap);
        return { position, pending, seen, rollback: rollbackOf(position) };
      });
    },

    async begin(at, rows, given = { entities: new Map(), panels: new Map() }) {
      const first = firstPosition(at);
      return moveTo(first, () => {
        write(null, first, null);
        ledger.add(rows);
        known.save(given, first.version);
      });
    },

    chunkRows: CHUNK_ROWS,
    canRecord: () => true,

    async record(position, chunk) {
      const after = nextPosition(position, {});
      const { messages, ...others } = chunk;
      attempt('Writing', () =>
        transaction(() => {
          const kept = recorded.keep(messages, settledUntil(chunk.next));
          // The messages are most of the text, and need no replacer.
          const json = `{"messages":${JSON.stringify(kept)},${toJson(others).slice(1)}`;
          write(position, after, packText(json));
        }),
      );
      return after;
    },

    async advance(position, chunk) {
      const after = nextPosition(position, chunk.next);
      return moveTo(after, () => {
        const rows = recorded.rowsOf(chunk.messages);
        write(position, after, null);
        ledger.add(chunk.rows);
        known.save(chunk, position.version);
        publications.keep(chunk.messages, { version: position.version, mark: after.mark }, rows);
      });
    },

    async update(position, change) {
      const after = nextPosition(position, change);
      return moveTo(after, () => write(position, after, null));
    },

    async moveMark(position, mark) {
      const after = movedPosition(position, mark);
      return moveTo(after, () => {
        write(position, after, null);
        ledger.forgetAfter(mark);
      });
    },

    async forgetBefore(instant) {
      attempt('Writing', () =>
        transaction(() => {
          const found = statements.position.get(catalogue);
          if (!found || found.pending !== null) return;
          const position = readStored(where, positionSchema, found.position);
          if (!mayForget(position, instant)) return;
          const after = nextPosition(position, { ledgerSince: instant });
          write(position, after, null);
          ledger.forgetBefore(instant);
          known.forgetBefore(instant);
          lastWrite.save(after);
        }),
      );
    },

    ledger: async (since) => attempt('Reading', () => ledger.since(since)),

    entities: async (keys) => attempt('Reading', () => known.entities(keys)),
    panels: async (ids) => attempt('Reading', () => known.panels(ids)),

    published: async (after) => attempt('Reading', () => publications.published(after)),
    silent: async (ids) => attempt('Reading', () => publications.silent(ids)),
    learn: async (learnt) => attempt('Writing', () => publications.learn(learnt)),

    countShapes: async (seen, at) => attempt('Writing', () => transaction(() => shapes.count(seen, at))),
    shapes: async () => attempt('Reading', () => shapes.read()),

    listing: async () => attempt('Reading', () => listing.read()),
    saveListing: async (read) => attempt('Writing', () => transaction(() => listing.save(read))),
  };
}
