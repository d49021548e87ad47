import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../../lambdas/clock/clock.ts';

/** What may be used once only, such as a sign-in that has begun or a token of the provider. */
export interface OneTimeUses {
  /** Whether it was used already. */
  isUsed(id: string): Promise<boolean>;
  /**
   * Uses it up, and returns whether this is its first use.
   * @param ends when it can no longer be used anyway, in milliseconds since the epoch: it is forgotten then
   */
  use(id: string, ends: number): Promise<boolean>;
}

const table = `
CREATE TABLE IF NOT EXISTS one_time_use (
  id TEXT PRIMARY KEY,
  ends INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`;

/** Creates the uses in the file of people: what was used stays used when the page is started again. */
export function createOneTimeUses(database: DatabaseSync, clock: Pick<Clock, 'now'>): OneTimeUses {
  database.exec(table);
  const select = database.prepare('SELECT 1 FROM one_time_use WHERE id = ?');
  const insert = database.prepare('INSERT OR IGNORE INTO one_time_use (id, ends) VALUES (?, ?)');
  const forget = database.prepare('DELETE FROM one_time_use WHERE ends < ?');
  return {
    isUsed: async (id) => select.get(id) !== undefined,
    async use(id, ends) {
      forget.run(clock.now());
      return insert.run(id, ends).changes === 1;
    },
  };
}
