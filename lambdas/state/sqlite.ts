import { dirname, join } from 'node:path';
import type * as z from 'zod';
import { formatInstant, type Instant } from '../clock/instant.ts';
import { damagedState } from './damaged-state.ts';
import { chunkSchema, entitySchema, listingSchema, panelSchema, positionSchema } from './json-schemas.ts';
import type { KnownStates } from './known-states.ts';
import { lastWriteIn } from './last-write.ts';
import type { LedgerRow } from './ledger.ts';
import { MOST_UNPLACED_ROWS, mayForget } from './ledger.ts';
import { type Listing, mayReplace } from './listing.ts';
import { firstPosition, movedPosition, nextPosition } from './next-position.ts';
import { panelIdOf, panelKey } from './panel-key.ts';
import type { Position } from './position.ts';
import type { StateFile } from './sqlite-file.ts';
import { placeOf } from './sqlite-place.ts';
import { sqliteProblem } from './sqlite-problem.ts';
import { createSqlitePublished } from './sqlite-published.ts';
import { StateError } from './state-error.ts';
import type { Chunk, MovableStore, Rollback } from './store.ts';
import { toJson } from './to-json.ts';

/** The rows of the ledger since an instant, and those without a usable time: as one query, all rows are read. */
export const ledgerQueries = [
  'SELECT key, at FROM ledger WHERE catalogue = ? AND at >= ?',
  'SELECT key FROM ledger WHERE catalogue = ? AND at IS NULL',
] as const;

/** The state of one catalogue in the file of a local run. Each write is one transaction. */
export function createSqliteStore(file: StateFile, catalogue: string): MovableStore {
  const { database, path, transaction } = file;
  const where = `the state of catalogue "${catalogue}" in ${path}`;
  const lastWrite = lastWriteIn(path === ':memory:' ? null : join(dirname(path), `${catalogue}.last-write`));

  const attempt = <Value>(action: 'Reading' | 'Writing', work: () => Value): Value => {
    try {
      return work();
    } catch (cause) {
      if (cause instanceof StateError) throw cause;
      const { code, seen, remedy } = sqliteProblem(cause);
      throw new StateError(code, `${action} ${where}: ${seen}. The mark is unchanged. ${remedy}`, { cause });
    }
  };

  const statements = {
    position: database.prepare('SELECT position, pending FROM position WHERE catalogue = ?'),
    version: database.prepare('SELECT version FROM position WHERE catalogue = ?'),
    write: database.prepare(
      'INSERT INTO position (catalogue, version, position, pending) VALUES (?, ?, ?, ?) ON CONFLICT (catalogue) DO UPDATE SET version = excluded.version, position = excluded.position, pending = excluded.pending',
    ),
    placedRows: database.prepare(ledgerQueries[0]),
    unplacedRows: database.prepare(ledgerQueries[1]),
    addRow: database.prepare(
      'INSERT INTO ledger (catalogue, key, at) VALUES (?, ?, ?) ON CONFLICT (catalogue, key) DO UPDATE SET at = excluded.at',
    ),
    pruneUnplaced: database.prepare(
      'DELETE FROM ledger WHERE catalogue = ?1 AND at IS NULL AND seq NOT IN (SELECT seq FROM ledger WHERE catalogue = ?1 AND at IS NULL ORDER BY seq DESC LIMIT ?2)',
    ),
    forgetAfter: database.prepare('DELETE FROM ledger WHERE catalogue = ? AND at > ?'),
    forgetBefore: database.prepare('DELETE FROM ledger WHERE catalogue = ? AND at < ?'),
    // A panel's state has no rating at all.
    forgetEntities: database.prepare(
      "DELETE FROM entity_state WHERE catalogue = ? AND json_type(value, '$.rating') = 'null' AND json_array_length(value, '$.unpaired') = 0 AND CAST(value ->> '$.at' AS INTEGER) < ?",
    ),
    entity: database.prepare('SELECT value FROM entity_state WHERE catalogue = ? AND entity = ?'),
    saveEntity: database.prepare(
      'INSERT INTO entity_state (catalogue, entity, value) VALUES (?, ?, ?) ON CONFLICT (catalogue, entity) DO UPDATE SET value = excluded.value',
    ),
  };

  const publications = createSqlitePublished(file, { catalogue, where });
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

  const write = (before: Position | null, after: Position, pending: Chunk | null): void => {
    const there = statements.version.get(catalogue)?.version;
    if (there !== before?.version) {
      throw new StateError(
        'STATE_CONFLICT',
        `Writing ${where}: another run has moved it from version ${before?.version ?? 0} to ${there ?? 'nothing'}. This run stops; nothing is lost, because the other one continues.`,
      );
    }
    statements.write.run(catalogue, after.version, toJson(after), pending && chunkJson(pending));
    place.settle();
  };

  const addToLedger = (rows: readonly LedgerRow[]): void => {
    for (const { key, at } of rows) statements.addRow.run(catalogue, key, at === null ? null : Number(at));
    if (rows.some(({ at }) => at === null)) statements.pruneUnplaced.run(catalogue, MOST_UNPLACED_ROWS);
  };

  /** `savedAt` is the version of the position that saves the states. */
  const saveKnown = ({ entities, panels }: KnownStates, savedAt: number): void => {
    const save = (key: string, state: object): void =>
      void statements.saveEntity.run(catalogue, key, toJson({ ...state, savedAt }));
    for (const [key, state] of entities) save(key, state);
    for (const [id, state] of panels) save(panelKey(id), state);
  };

  const ledgerSince = (since: Instant): ReadonlyMap<string, Instant | null> => {
    const rows = new Map<string, Instant | null>();
    for (const { key, at } of statements.placedRows.iterate(catalogue, Number(since)))
      rows.set(String(key), BigInt(at as number));
    for (const { key } of statements.unplacedRows.iterate(catalogue)) rows.set(String(key), null);
    return rows;
  };

  /** States by their keys. */
  const known = <Shape extends z.ZodType>(
    keys: readonly string[],
    schema: Shape,
  ): Map<string, z.output<Shape>> =>
    attempt('Reading', () => {
      const states = new Map<string, z.output<Shape>>();
      for (const key of keys) {
        const found = statements.entity.get(catalogue, key);
        if (!found) continue;
        states.set(
          key,
          orCorrupt(where, () => schema.parse(JSON.parse(String(found.value)))),
        );
      }
      return states;
    });

  const storedListing = (): Listing | null => {
    const found = database.prepare('SELECT listing FROM listing WHERE catalogue = ?').get(catalogue);
    return found ? orCorrupt(where, () => listingSchema.parse(JSON.parse(String(found.listing)))) : null;
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
        const { position, pending } = orCorrupt(where, () => ({
          position: positionSchema.parse(JSON.parse(String(found.position))),
          pending: found.pending === null ? null : chunkSchema.parse(JSON.parse(String(found.pending))),
        }));
        const seen = ledgerSince(position.mark - overlap);
        return { position, pending, seen, rollback: rollbackOf(position) };
      });
    },

    async begin(at, rows, given = { entities: new Map(), panels: new Map() }) {
      const first = firstPosition(at);
      return moveTo(first, () => {
        write(null, first, null);
        addToLedger(rows);
        saveKnown(given, first.version);
      });
    },

    canRecord: () => true,

    async record(position, chunk) {
      const after = nextPosition(position, {});
      attempt('Writing', () => transaction(() => write(position, after, chunk)));
      return after;
    },

    async advance(position, chunk) {
      const after = nextPosition(position, chunk.next);
      return moveTo(after, () => {
        write(position, after, null);
        addToLedger(chunk.rows);
        saveKnown(chunk, position.version);
        publications.keep(chunk.messages, { version: position.version, mark: after.mark });
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
        statements.forgetAfter.run(catalogue, Number(mark));
      });
    },

    async forgetBefore(instant) {
      attempt('Writing', () =>
        transaction(() => {
          const found = statements.position.get(catalogue);
          if (!found || found.pending !== null) return;
          const position = orCorrupt(where, () => positionSchema.parse(JSON.parse(String(found.position))));
          if (!mayForget(position, instant)) return;
          const after = nextPosition(position, { ledgerSince: instant });
          write(position, after, null);
          statements.forgetBefore.run(catalogue, Number(instant));
          statements.forgetEntities.run(catalogue, Number(instant));
          lastWrite.save(after);
        }),
      );
    },

    ledger: async (since) => attempt('Reading', () => ledgerSince(since)),

    entities: async (keys) => known(keys, entitySchema),

    async panels(ids) {
      const states = known(ids.map(panelKey), panelSchema);
      return new Map([...states].map(([key, state]) => [panelIdOf(key), state]));
    },

    published: async (after) => attempt('Reading', () => publications.published(after)),
    silent: async (ids) => attempt('Reading', () => publications.silent(ids)),
    learn: async (learnt) => attempt('Writing', () => publications.learn(learnt)),

    async countShapes(shapes, at) {
      attempt('Writing', () =>
        transaction(() => {
          const count = database.prepare(
            'INSERT INTO shape (catalogue, shape, seen, last_at) VALUES (?, ?, ?, ?) ON CONFLICT (catalogue, shape) DO UPDATE SET seen = seen + excluded.seen, last_at = excluded.last_at',
          );
          for (const [shape, seen] of shapes) count.run(catalogue, shape, seen, Number(at));
        }),
      );
    },

    async shapes() {
      return attempt('Reading', () =>
        database
          .prepare('SELECT shape, seen, last_at FROM shape WHERE catalogue = ?')
          .all(catalogue)
          .map(({ shape, seen, last_at }) => ({
            shape: String(shape),
            count: Number(seen),
            lastAt: BigInt(last_at as number),
          })),
      );
    },

    listing: async () => attempt('Reading', storedListing),

    async saveListing(listing) {
      attempt('Writing', () =>
        transaction(() => {
          if (!mayReplace(storedListing(), listing)) return;
          database
            .prepare(
              'INSERT INTO listing (catalogue, listing) VALUES (?, ?) ON CONFLICT (catalogue) DO UPDATE SET listing = excluded.listing',
            )
            .run(catalogue, toJson(listing));
        }),
      );
    },
  };
}

const REMEDY =
  'Restore a copy of the directory, or remove it and begin again with --from and the time of the last event.';

/** @throws {StateError} `STATE_CORRUPT` when `read` throws */
function orCorrupt<Value>(where: string, read: () => Value): Value {
  try {
    return read();
  } catch (cause) {
    throw damagedState(where, cause, REMEDY);
  }
}

/** A chunk as JSON. Its messages are most of it, and need no replacer. */
function chunkJson({ messages, ...rest }: Chunk): string {
  return `{"messages":${JSON.stringify(messages)},${toJson(rest).slice(1)}`;
}
