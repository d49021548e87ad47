import type { Instant } from '../../lambdas/clock/instant.ts';
import { holdsChunk } from '../../lambdas/state/items.ts';
import {
  type Chunk,
  type Known,
  type KnownEntities,
  type Listing,
  type Position,
  type ShapeCount,
  StateError,
  type StateStore,
} from '../../lambdas/state/store.ts';

/** The table as one object, for simulations: it outlives the runs that use it. */
export interface MemoryTable {
  position: Position | null;
  pending: Chunk | null;
  ledger: { newest: Instant; keys: readonly string[] }[];
  known: Map<string, { value: Known; version: number }>;
  shapes: Map<string, ShapeCount>;
  listing: Listing | null;
}

export const emptyTable = (): MemoryTable => ({
  position: null,
  pending: null,
  ledger: [],
  known: new Map(),
  shapes: new Map(),
  listing: null,
});

const waitless = ({ notBefore: _past, ...position }: Position): Position => position;

/**
 * A store that keeps everything in memory and behaves as the table does. `step` is called before and after
 * each access, and may throw: before, nothing was done; after, it was done and the reply is lost.
 */
export function createMemoryStore(table: MemoryTable, step: (name: string) => Promise<void>): StateStore {
  const access = async <Value>(name: string, act: () => Value): Promise<Value> => {
    await step(`${name} before`);
    const value = act();
    await step(`${name} after`);
    return value;
  };
  const move = (
    before: Position | null,
    after: Omit<Position, 'version'>,
    pending: Chunk | null,
  ): Position => {
    if (before?.version !== table.position?.version) {
      throw new StateError('STATE_CONFLICT', 'another run has moved it');
    }
    table.position = { ...after, version: (before?.version ?? 0) + 1 };
    table.pending = pending;
    return table.position;
  };
  const settle = (rows: Chunk['rows'], known: KnownEntities, version: number): void => {
    if (rows.keys.length > 0) table.ledger.push({ newest: rows.newest, keys: rows.keys });
    for (const [key, value] of known) {
      if ((table.known.get(key)?.version ?? 0) <= version) table.known.set(key, { value, version });
    }
  };
  return {
    load: (overlap) =>
      access('load', () => {
        const { position, pending } = table;
        if (!position) return null;
        const live = table.ledger.filter(({ newest }) => newest >= position.mark - overlap);
        return { position, pending, seen: new Set(live.flatMap(({ keys }) => keys)) };
      }),
    begin: (position, seen, known = new Map()) =>
      access('begin', () => {
        settle(seen, known, 1);
        return move(null, position, null);
      }),
    holds: holdsChunk,
    record: (position, chunk) => access('record', () => move(position, waitless(position), chunk)),
    async advance(position, chunk) {
      await access('settle', () => settle(chunk.rows, chunk.known, position.version));
      return access('advance', () => move(position, { ...waitless(position), ...chunk.next }, null));
    },
    postpone: (position, notBefore) =>
      access('postpone', () => move(position, { ...position, notBefore }, null)),
    known: (keys) =>
      access(
        'known',
        () =>
          new Map(
            keys.flatMap((key) => {
              const found = table.known.get(key);
              return found ? [[key, found.value] as const] : [];
            }),
          ),
      ),
    countShapes: (shapes, at) =>
      access('countShapes', () => {
        for (const [shape, count] of shapes) {
          table.shapes.set(shape, {
            shape,
            count: count + (table.shapes.get(shape)?.count ?? 0),
            lastAt: at,
          });
        }
      }),
    shapes: () => access('shapes', () => [...table.shapes.values()]),
    listing: () => access('listing', () => table.listing),
    saveListing: (listing) =>
      access('saveListing', () => {
        table.listing = listing;
      }),
  };
}
