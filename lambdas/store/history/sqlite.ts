import type { StateFile } from '../sqlite-file.ts';
import { publishRecorded } from '../sqlite-recorded.ts';
import type { History } from './history.ts';
import { attemptOn } from './sqlite-attempt.ts';
import { createSqliteCoverage } from './sqlite-coverage.ts';
import { hasKey, indexManyEvents, namesOfEntities } from './sqlite-event-index.ts';
import { createSqliteFind, wholeJson } from './sqlite-find.ts';
import { createSqliteInsert } from './sqlite-insert.ts';
import { createSqliteNames } from './sqlite-names.ts';
import { createSqliteStatedValues } from './sqlite-stated-values.ts';

/**
 * The history of a local run, in its state file.
 * @param indexStep how many events of a backlog are indexed together; a number of them where absent
 */
export function createSqliteHistory(file: StateFile, indexStep?: number): History {
  const { database, transaction } = file;
  const attempt = attemptOn(file);
  const insert = createSqliteInsert(file);
  const coverage = createSqliteCoverage(file);
  const names = createSqliteNames(file);
  const stated = createSqliteStatedValues(file);
  const selectBodies = database.prepare(
    `SELECT id, ${wholeJson} AS body FROM event LEFT JOIN event_rows USING (seq) WHERE ${hasKey('id', 'SELECT value FROM json_each(?1)')}`,
  );

  return {
    ...createSqliteFind(file, names),
    async append(records, period) {
      attempt('Writing', () =>
        transaction(() => {
          insert(publishRecorded(file, records), period.until);
          indexManyEvents(file, indexStep);
          coverage.cover(period);
        }),
      );
    },
    bodiesOf: async (records) =>
      attempt('Reading', () => {
        const kept = selectBodies.all(JSON.stringify(records.map(({ id }) => id)));
        return new Map(kept.map(({ id, body }) => [String(id), String(body)]));
      }),
    names: async (whose) => attempt('Reading', () => names(whose)),
    entityKeys: async () =>
      attempt('Reading', () =>
        database
          .prepare(namesOfEntities())
          .all()
          .map(({ name }) => String(name)),
      ),
    states: async (key, value, catalogue) => attempt('Reading', () => stated.has(key, value, catalogue)),
    coverage: async () => attempt('Reading', coverage.all),
  };
}
