import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import type { Message } from '../../lambdas/publishing/message.ts';
import { isRecordable } from '../../lambdas/store/dynamodb-position.ts';
import {
  type EntityState,
  entityAfter,
  type KnownStates,
  type PanelState,
  panelAfter,
  silentAfter,
} from '../../lambdas/store/known-states.ts';
import { type Listing, mayReplace } from '../../lambdas/store/listing.ts';
import {
  firstPosition,
  type LedgerRow,
  MOST_UNPLACED_ROWS,
  movedPosition,
  nextPosition,
  type Position,
  seenRows,
} from '../../lambdas/store/position.ts';
import { StateError } from '../../lambdas/store/state-error.ts';
import {
  type Chunk,
  eventsIn,
  type MovableStore,
  type Rollback,
  type ShapeCount,
  type StateStore,
} from '../../lambdas/store/store.ts';

/** The table as one object, for simulations: it is kept between the runs that use it. */
export interface MemoryTable {
  position: Position | null;
  pending: Chunk | null;
  /** By their keys: those that were added last come last. */
  ledger: Map<string, LedgerRow>;
  entities: Map<string, { state: EntityState; version: number }>;
  panels: Map<number, { state: PanelState; version: number }>;
  /** By the version of the position that recorded them. */
  published: Map<number, readonly Message[]>;
  silent: Map<number, readonly PanelEvent[]>;
  shapes: Map<string, ShapeCount>;
  listing: Listing | null;
  rollback: Rollback | null;
}

export const emptyTable = (): MemoryTable => ({
  position: null,
  pending: null,
  ledger: new Map(),
  entities: new Map(),
  panels: new Map(),
  published: new Map(),
  silent: new Map(),
  shapes: new Map(),
  listing: null,
  rollback: null,
});

/**
 * A store that keeps everything in memory and behaves as the table does. `step` is called before and after
 * each access, and may throw: before, nothing was done; after, it was done and the reply is lost.
 */
export function createMemoryStore(
  table: MemoryTable,
  step: (name: string) => Promise<void> = async () => {},
): StateStore & Pick<MovableStore, 'moveMark'> {
  const access = async <Value>(name: string, act: () => Value): Promise<Value> => {
    await step(`${name} before`);
    const value = act();
    await step(`${name} after`);
    return value;
  };
  const write = (before: Position | null, after: Position, pending: Chunk | null = null): Position => {
    if (before?.version !== table.position?.version) {
      throw new StateError('STATE_CONFLICT', 'another run has moved it');
    }
    Object.assign(table, { position: after, pending, rollback: null });
    return after;
  };
  const ledgerRows = (isWanted: (row: LedgerRow) => boolean): readonly LedgerRow[] =>
    [...table.ledger.values()].filter(isWanted);
  const save = (rows: readonly LedgerRow[], known: KnownStates, version: number): void => {
    for (const row of rows) {
      table.ledger.delete(row.key);
      table.ledger.set(row.key, row);
    }
    if (rows.some(({ at }) => at === null)) {
      for (const { key } of ledgerRows(({ at }) => at === null).slice(0, -MOST_UNPLACED_ROWS))
        table.ledger.delete(key);
    }
    for (const [key, state] of known.entities) {
      if ((table.entities.get(key)?.version ?? 0) <= version) table.entities.set(key, { state, version });
    }
    for (const [id, state] of known.panels) {
      if ((table.panels.get(id)?.version ?? 0) <= version) table.panels.set(id, { state, version });
    }
  };
  return {
    load: (overlap) =>
      access('load', () => {
        const { position, pending, rollback } = table;
        if (!position) return null;
        const seen = seenRows(ledgerRows(({ at }) => at === null || at >= position.mark - overlap));
        return { position, pending, seen, rollback };
      }),
    begin: (at, rows, known = { entities: new Map(), panels: new Map() }) =>
      access('begin', () => {
        save(rows, known, 1);
        return write(null, firstPosition(at));
      }),
    chunkRows: 100,
    canRecord: isRecordable,
    record: (position, chunk) => access('record', () => write(position, nextPosition(position, {}), chunk)),
    async advance(position, chunk) {
      await access('settle', () => {
        save(chunk.rows, chunk, position.version);
        if (chunk.messages.length > 0) table.published.set(position.version, chunk.messages);
      });
      return access('advance', () => {
        return write(position, nextPosition(position, chunk.next));
      });
    },
    update: (position, change) => access('update', () => write(position, nextPosition(position, change))),
    moveMark: (position, mark) =>
      access('moveMark', () => {
        const after = write(position, movedPosition(position, mark));
        for (const { key } of ledgerRows(({ at }) => at !== null && at > mark)) table.ledger.delete(key);
        return after;
      }),
    ledger: (since) => access('ledger', () => seenRows(ledgerRows(({ at }) => at === null || at >= since))),
    entities: (keys) =>
      access('entities', () => {
        const found = keys.map((key) => [key, table.entities.get(key)?.state] as const);
        return new Map(found.filter((entry): entry is [string, EntityState] => entry[1] !== undefined));
      }),
    panels: (ids) =>
      access('panels', () => {
        const found = ids.map((id) => [id, table.panels.get(id)?.state] as const);
        return new Map(found.filter((entry): entry is [number, PanelState] => entry[1] !== undefined));
      }),
    published: (after) =>
      access('published', () => {
        const events = [...table.published]
          .filter(([version]) => version > after)
          .flatMap(([version, messages]) => eventsIn(messages).map((event) => ({ version, event })));
        return { version: events.at(-1)?.version ?? after, events };
      }),
    silent: (ids) => access('silent', () => new Map(ids.map((id) => [id, table.silent.get(id) ?? []]))),
    learn: (learnt) =>
      access('learn', () => {
        const { asOf, ratings, versions, silent } = learnt;
        if (!table.position) return;
        for (const [key, rating] of ratings) {
          const before = table.entities.get(key);
          if ((before?.version ?? 0) > asOf) continue;
          table.entities.set(key, {
            state: entityAfter(before?.state, [key, rating], learnt),
            version: asOf,
          });
        }
        for (const [id, version] of versions) {
          const before = table.panels.get(id);
          if ((before?.version ?? 0) > asOf) continue;
          table.panels.set(id, { state: panelAfter(before?.state, version, learnt), version: asOf });
        }
        for (const [id, events] of silent) {
          table.silent.set(id, silentAfter(table.silent.get(id) ?? [], events));
        }
        const { position, pending } = table;
        if (position && !pending && ratings.size + versions.size > 0) {
          table.position = { ...position, version: position.version + 1 };
        }
      }),
    countShapes: (shapes, at) =>
      access('countShapes', () => {
        for (const [shape, count] of shapes) {
          const before = table.shapes.get(shape)?.count ?? 0;
          table.shapes.set(shape, { shape, count: count + before, lastAt: at });
        }
      }),
    shapes: () => access('shapes', () => [...table.shapes.values()]),
    listing: () => access('listing', () => table.listing),
    saveListing: (listing) =>
      access('saveListing', () => {
        if (mayReplace(table.listing, listing)) table.listing = listing;
      }),
  };
}
