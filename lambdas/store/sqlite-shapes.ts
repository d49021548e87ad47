import type { Instant } from '../run/instant.ts';
import type { StateFile } from './sqlite-file.ts';
import type { StateStore } from './store.ts';

interface SqliteShapes {
  count(shapes: ReadonlyMap<string, number>, at: Instant): void;
  read(): Awaited<ReturnType<StateStore['shapes']>>;
}

/** The shapes of unrecognised texts of one catalogue in a state file. Who calls it opens the transaction. */
export function createSqliteShapes({ database }: StateFile, catalogue: string): SqliteShapes {
  return {
    count(shapes, at) {
      const count = database.prepare(
        'INSERT INTO shape (catalogue, shape, seen, last_at) VALUES (?, ?, ?, ?) ON CONFLICT (catalogue, shape) DO UPDATE SET seen = seen + excluded.seen, last_at = excluded.last_at',
      );
      for (const [shape, seen] of shapes) count.run(catalogue, shape, seen, Number(at));
    },
    read: () =>
      database
        .prepare('SELECT shape, seen, last_at FROM shape WHERE catalogue = ?')
        .all(catalogue)
        .map(({ shape, seen, last_at }) => ({
          shape: String(shape),
          count: Number(seen),
          lastAt: BigInt(last_at as number),
        })),
  };
}
