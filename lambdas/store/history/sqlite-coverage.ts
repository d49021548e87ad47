import type { Instant } from '../../run/instant.ts';
import type { StateFile } from '../sqlite-file.ts';
import type { Coverage } from './history.ts';
import { withPeriod } from './periods.ts';

interface SqliteCoverage {
  /** Joins a period to those of its catalogue, in the transaction of its events. */
  cover(period: Coverage): void;
  all(): readonly Coverage[];
}

/** The periods that the history of a state file covers. */
export function createSqliteCoverage({ database }: Pick<StateFile, 'database'>): SqliteCoverage {
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
