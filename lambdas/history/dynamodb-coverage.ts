import { earlier, type Instant, later } from '../clock/instant.ts';
import { type Item, number, text } from '../dynamodb/attribute-values.ts';
import type { HistoryTable } from './dynamodb-table.ts';
import type { Coverage } from './history.ts';
import { withPeriod } from './periods.ts';
import { COVERAGE } from './table-keys.ts';

/** What the history holds of one catalogue. */
interface CatalogueCoverage {
  /** The covered periods, oldest first. */
  readonly periods: readonly Coverage[];
  /** The times of the oldest and the newest event. */
  readonly oldest: Instant;
  readonly newest: Instant;
}

/** Keeps the periods that the history covers: one item for each catalogue. */
interface DynamoCoverage {
  /** The coverage of each catalogue, by its name. */
  read(): Promise<ReadonlyMap<string, CatalogueCoverage>>;
  /** Adds a period, and the times of the events that were appended with it. */
  add(period: Coverage, times: readonly Instant[]): Promise<void>;
}

/** The covered periods in the history's table. */
export function createDynamoCoverage(table: HistoryTable): DynamoCoverage {
  /** As read or written last: one poller at a time writes. */
  let cached: Map<string, CatalogueCoverage> | undefined;

  const read = async (): Promise<Map<string, CatalogueCoverage>> => {
    const coverage = new Map<string, CatalogueCoverage>();
    const items = table.query({
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': text(COVERAGE) },
    });
    for await (const item of items) {
      const catalogue = item.sk?.S ?? '';
      coverage.set(catalogue, coverageIn(item, catalogue));
    }
    return coverage;
  };

  return {
    read,
    async add({ catalogue, since, until }, times) {
      // A sweep adds events and no period, while a poller may write: it takes what is there now.
      if (since === until) cached = undefined;
      cached ??= await read();
      const before = cached.get(catalogue);
      const periods = withPeriod(before?.periods ?? [], { since, until });
      const ends = [...times, ...(before ? [before.oldest, before.newest] : [since, until])];
      const after = {
        periods: periods.map((period) => ({ catalogue, ...period })),
        oldest: ends.reduce(earlier),
        newest: ends.reduce(later),
      };
      await table.put(coverageItem(catalogue, after));
      cached.set(catalogue, after);
    },
  };
}

function coverageItem(catalogue: string, { periods, oldest, newest }: CatalogueCoverage): Item {
  return {
    pk: text(COVERAGE),
    sk: text(catalogue),
    periods: {
      L: periods.map(({ since, until }) => ({ M: { since: number(since), until: number(until) } })),
    },
    oldest: number(oldest),
    newest: number(newest),
  };
}

function coverageIn({ periods, oldest, newest }: Item, catalogue: string): CatalogueCoverage {
  return {
    periods: (periods?.L ?? []).map(({ M: period }) => ({
      catalogue,
      since: BigInt(period?.since?.N ?? 0),
      until: BigInt(period?.until?.N ?? 0),
    })),
    oldest: BigInt(oldest?.N ?? 0),
    newest: BigInt(newest?.N ?? 0),
  };
}
