import type { Instant } from '../../run/instant.ts';
import type { StateFile } from '../sqlite-file.ts';
import { publishRecorded } from '../sqlite-recorded.ts';
import type { Coverage, History } from './history.ts';
import { withPeriod } from './read-part.ts';
import { attemptOn } from './sqlite-attempt.ts';
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
    `SELECT id, ${wholeJson} AS body FROM event LEFT JOIN event_rows USING (seq) WHERE ${hasKey('id', 'SELECT value FROM json_each(?)')}`,
  );

  return {
    ...createSqliteFind(file, names),
    async append(records, period) {
      attempt('Writing', () =>
        transaction(() => {
          insert(publishRecorded(file, records), period.until);
          indexManyEvents(file, indexStep);
          coverage.cover(period);
          noteAppended(file, period);
        }),
      );
    },
    bodiesOf: async (records) =>
      attempt('Reading', () => {
        const ids = JSON.stringify(records.map(({ id }) => id));
        const kept = selectBodies.all(ids, ids);
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

/** Notes what the history holds from now on, in the transaction of its events. */
function noteAppended(
  { database }: Pick<StateFile, 'database'>,
  { catalogue, since, until }: Coverage,
): void {
  database
    .prepare(
      `INSERT INTO appended (at, seq, catalogue, since, until)
       VALUES (recording_time(), (SELECT coalesce(max(seq), 0) FROM event), ?, ?, ?)`,
    )
    .run(catalogue, Number(since), Number(until));
}

interface SqliteCoverage {
  cover(period: Coverage): void;
  all(): readonly Coverage[];
}

function createSqliteCoverage({ database }: Pick<StateFile, 'database'>): SqliteCoverage {
  const selectPeriods = database.prepare(
    'SELECT since, until FROM coverage WHERE catalogue = ? ORDER BY since',
  );
  const deletePeriods = database.prepare('DELETE FROM coverage WHERE catalogue = ?');
  const insertPeriod = database.prepare('INSERT INTO coverage (catalogue, since, until) VALUES (?, ?, ?)');

  const periodsOf = (catalogue: string): readonly Coverage[] =>
    selectPeriods
      .all(catalogue)
      .map(({ since, until }) => ({ catalogue, since: instant(since), until: instant(until) }));

  const cover = ({ catalogue, since, until }: Coverage): void => {
    const periods = withPeriod(periodsOf(catalogue), { since, until });
    deletePeriods.run(catalogue);
    for (const period of periods) insertPeriod.run(catalogue, Number(period.since), Number(period.until));
  };

  return {
    cover,
    all: () =>
      database
        .prepare('SELECT catalogue, since, until FROM coverage ORDER BY since, catalogue')
        .all()
        .map(({ catalogue, since, until }) => ({
          catalogue: String(catalogue),
          since: instant(since),
          until: instant(until),
        })),
  };
}

const instant = (value: unknown): Instant => BigInt(value as number);
