import type { StateFile } from '../state/sqlite-file.ts';
import { publishRecorded } from '../state/sqlite-recorded.ts';
import type { History } from './history.ts';
import { attemptOn } from './sqlite-attempt.ts';
import { createSqliteCoverage } from './sqlite-coverage.ts';
import { createSqliteFind, wholeJson } from './sqlite-find.ts';
import { createSqliteInsert } from './sqlite-insert.ts';
import { createSqliteNames } from './sqlite-names.ts';
import { createSqliteStatedValues } from './sqlite-stated-values.ts';

/** The history of a local run, in its state file. */
export function createSqliteHistory(file: StateFile): History {
  const { database, transaction } = file;
  const attempt = attemptOn(file);
  const insert = createSqliteInsert(file);
  const coverage = createSqliteCoverage(file);
  const names = createSqliteNames(file);
  const stated = createSqliteStatedValues(file);
  const selectBody = database.prepare(
    `SELECT ${wholeJson} AS body FROM event LEFT JOIN event_rows USING (seq) WHERE id = ?`,
  );

  return {
    ...createSqliteFind(file, names),
    async append(records, period) {
      attempt('Writing', () =>
        transaction(() => {
          insert(publishRecorded(file, records), period.until);
          coverage.cover(period);
        }),
      );
    },
    bodiesOf: async (records) =>
      attempt('Reading', () => {
        const bodies = new Map<string, string>();
        for (const { id } of records) {
          const kept = selectBody.get(id);
          if (kept) bodies.set(id, String(kept.body));
        }
        return bodies;
      }),
    names: async () => attempt('Reading', names),
    entityKeys: async () =>
      attempt('Reading', () =>
        database
          .prepare('SELECT DISTINCT name FROM event_name')
          .all()
          .map(({ name }) => String(name)),
      ),
    states: async (key, value, catalogue) => attempt('Reading', () => stated.has(key, value, catalogue)),
    coverage: async () => attempt('Reading', coverage.all),
  };
}
