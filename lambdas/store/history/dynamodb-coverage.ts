import * as z from 'zod';
import { DAY_MS } from '../../run/clock.ts';
import { earlier, formatInstant, type Instant, instantOf, later } from '../../run/instant.ts';
import { ABSENT, asRead, type DynamoTable, type Item, keyItem, number, text } from '../dynamodb-table.ts';
import { toJson } from '../packed.ts';
import { COVERAGE, historyPartitions, timeKey } from '../table-keys.ts';
import type { DynamoHistoryOptions } from './dynamodb-items.ts';
import { type Coverage, HistoryError } from './history.ts';
import { withPeriod } from './read-part.ts';

/** What the history holds of one catalogue. */
interface CatalogueCoverage {
  readonly periods: readonly Coverage[];
  readonly oldest: Instant;
  readonly newest: Instant;
}

/** A coverage with the version of its item: 0 where there is none. */
interface StoredCoverage extends CatalogueCoverage {
  readonly version: number;
  /** Days for which the run that wrote last keeps events; without end where undefined. */
  readonly retentionDays?: number | undefined;
  /** Events before this instant may have expired by then. */
  readonly forgotten: Instant;
}

const instant = z.string().transform(BigInt);
const storedSchema = z.lazy(() =>
  z.object({
    periods: z.array(z.object({ catalogue: z.string(), since: instant, until: instant })),
    ...{ oldest: instant, newest: instant, forgotten: instant },
    retentionDays: z.number().optional(),
  }),
);

const readPartition = (catalogue: string): string => `${historyPartitions(catalogue)}read`;
const instantIn = ({ recorded }: Item): Instant => BigInt(recorded?.N ?? 0);

/** How often to write again after another run was first: a sweep and a poll are two. */
const MOST_WRITES = 20;

interface CoverageOptions extends Omit<DynamoHistoryOptions, 'dynamodb'> {
  /** Periods whose events expired are not read as of an earlier time: some may be deleted. */
  readonly isExpired: (item: Item) => boolean;
}

/** The periods that the history covers, in its table: one item for each catalogue. */
export function createDynamoCoverage(
  table: DynamoTable,
  { table: name, clock, retentionDays, asOf, isExpired }: CoverageOptions,
) {
  const forgottenOf = ({ forgotten, retentionDays: days }: StoredCoverage): Instant =>
    days === undefined ? forgotten : later(forgotten, instantOf(clock.now() - days * DAY_MS));

  const coverageIn = ({ version, value }: Item): StoredCoverage => {
    try {
      return { version: Number(version?.N ?? 0), ...storedSchema.parse(JSON.parse(value?.S ?? '')) };
    } catch (cause) {
      throw new HistoryError(
        `Reading the covered periods in table "${name}": another version of the notifier wrote them, or they are damaged. Deploy that version again, or restore the table to an earlier time.`,
        { cause },
      );
    }
  };

  /** As this run read or wrote them last. Another run may have added a period since: the write then reads again. */
  const cached = new Map<string, StoredCoverage | null>();

  /** What was covered at an earlier time: each period is added once more, as an item of its own. */
  const periodsAt = async (catalogue: string, at: Instant): Promise<readonly Coverage[]> => {
    let periods: readonly Pick<Coverage, 'since' | 'until'>[] = [];
    const range = { pk: readPartition(catalogue), to: timeKey(at + 1n), consistent: false };
    for await (const item of table.query(range)) {
      const [, since, until] = (item.sk?.S ?? '').split('#');
      if (!isExpired(item))
        periods = withPeriod(periods, { since: BigInt(since ?? 0), until: BigInt(until ?? 0) });
    }
    return periods.map((period) => ({ catalogue, ...period }));
  };

  return {
    async read(): Promise<ReadonlyMap<string, CatalogueCoverage>> {
      const coverage = new Map<string, CatalogueCoverage>();
      for await (const item of table.query({ pk: COVERAGE })) {
        const catalogue = item.sk?.S ?? '';
        const present = coverageIn(item);
        const periods =
          asOf === undefined
            ? keptSince(forgottenOf(present), present.periods)
            : await periodsAt(catalogue, asOf);
        coverage.set(catalogue, { ...present, periods });
      }
      if (asOf !== undefined && [...coverage.values()].every(({ periods }) => periods.length === 0))
        throw new HistoryError(
          `Answering as of ${formatInstant(asOf)} from table "${name}": nothing is kept there of that time. Ask as of a later one.`,
        );
      return coverage;
    },
    /** Adds a period, and the times of the events that were appended with it. */
    async add(period: Coverage, times: readonly Instant[], marks: Item): Promise<void> {
      const { catalogue, since, until } = period;
      for (let writes = 0; writes < MOST_WRITES; writes += 1) {
        const known = writes === 0 ? cached.get(catalogue) : undefined;
        const item = known === undefined ? await table.get({ pk: COVERAGE, sk: catalogue }) : undefined;
        const before = known ?? (item ? coverageIn(item) : null);
        const after = {
          ...withAdded(before, period, times),
          ...{ retentionDays, forgotten: before === null ? 0n : forgottenOf(before) },
        };
        const { version, ...stored } = after;
        const key = keyItem({ pk: COVERAGE, sk: catalogue });
        const written = await table.putIf(
          { ...key, version: number(version), value: text(toJson(stored)) },
          version === 1 ? ABSENT : asRead(number(version - 1)),
        );
        if (!written) continue;
        cached.set(catalogue, after);
        const sk = [instantIn(marks), since, until].map(timeKey).join('#');
        if (since < until)
          await table.putIf({ pk: text(readPartition(catalogue)), sk: text(sk), ...marks }, ABSENT);
        return;
      }
      throw new HistoryError(
        `Writing the covered period of catalogue "${catalogue}": ${MOST_WRITES} times another run wrote first. Nothing is lost; the next run tries again.`,
      );
    },
  };
}

/** The parts of periods whose events cannot have expired. */
const keptSince = (oldest: Instant, periods: readonly Coverage[]): readonly Coverage[] =>
  periods
    .filter(({ until }) => until > oldest)
    .map((period) => ({ ...period, since: later(period.since, oldest) }));

function withAdded(
  before: StoredCoverage | null,
  { catalogue, since, until }: Coverage,
  times: readonly Instant[],
): Omit<StoredCoverage, 'retentionDays' | 'forgotten'> {
  const periods = withPeriod(before?.periods ?? [], { since, until });
  const ends = [...times, ...(before ? [before.oldest, before.newest] : [since, until])];
  return {
    version: (before?.version ?? 0) + 1,
    periods: periods.map((period) => ({ catalogue, ...period })),
    oldest: ends.reduce(earlier),
    newest: ends.reduce(later),
  };
}
