import { formatInstant, type Instant, instantOf } from '../lambdas/clock/instant.ts';
import type { History } from '../lambdas/history/history.ts';
import { createSqliteHistory } from '../lambdas/history/sqlite.ts';
import { readName, readTime } from './arguments.ts';
import { type Io, UsageError } from './command.ts';
import { defaultState, openForReading } from './local/open-state.ts';

/** The options that say which history a command reads. */
export const historyOptions = {
  state: { type: 'string' },
  table: { type: 'string' },
  name: { type: 'string' },
  since: { type: 'string' },
  until: { type: 'string' },
} as const;

export const historyUsage = `  --state DIR          the state that poll or watch filled (default: ${defaultState})
  --table NAME         instead of a state, the deployed history table, with the AWS credentials of the environment
                       (output HistoryTable of the stack)
  --name NAME          only the catalogue of that name`;

export const periodUsage = `  --since TIME         events at or after this time: 2026-01-31, 2026-01-31T12:00:00Z, or 90d for the last 90 days
  --until TIME         events before this time`;

export interface HistoryValues {
  readonly state?: string | undefined;
  readonly table?: string | undefined;
  readonly name?: string | undefined;
}

export interface OpenHistory {
  readonly history: History;
  close(): void;
}

/**
 * Opens the history that the options name.
 * @throws {UsageError | LocalStateError | StateError} when it cannot be opened
 */
export async function openHistory(values: HistoryValues, io: Io): Promise<OpenHistory> {
  const { state, table } = values;
  if (table === undefined) {
    const file = openForReading(state ?? defaultState);
    return { history: createSqliteHistory(file), close: () => file.close() };
  }
  if (state !== undefined) throw new UsageError('--state and --table name two histories; give one of them');
  const [{ DynamoDBClient }, { createDynamoHistory }] = await Promise.all([
    import('@aws-sdk/client-dynamodb'),
    import('../lambdas/history/dynamodb.ts'),
  ]);
  const dynamodb = new DynamoDBClient({});
  return {
    history: createDynamoHistory({ dynamodb, table, clock: io.clock }),
    close: () => dynamodb.destroy(),
  };
}

/** The catalogue that `--name` states. */
export function readCatalogueName({ name }: HistoryValues): { catalogue?: string } {
  return name === undefined ? {} : { catalogue: readName('--name', name) };
}

/**
 * A day, a time, or how long ago: `90d`, `12h`.
 * @throws {UsageError} when it is none
 */
export function readMoment(option: string, text: string, { clock }: Pick<Io, 'clock'>): Instant {
  const [, count, unit] = /^(\d{1,6})([dh])$/.exec(text) ?? [];
  if (count === undefined) return readTime(option, text);
  return instantOf(clock.now() - Number(count) * (unit === 'd' ? 86_400_000 : 3_600_000));
}

export interface Period {
  readonly since?: Instant;
  readonly until?: Instant;
}

/** @throws {UsageError} when a time is none, or `--until` is not after `--since` */
export function readPeriod(
  values: { readonly since?: string | undefined; readonly until?: string | undefined },
  io: Io,
): Period {
  const since = values.since === undefined ? undefined : readMoment('--since', values.since, io);
  const until = values.until === undefined ? undefined : readMoment('--until', values.until, io);
  if (since !== undefined && until !== undefined && until <= since) {
    throw new UsageError(`--until ${dayOf(until)} is not after --since ${dayOf(since)}`);
  }
  return { ...(since !== undefined && { since }), ...(until !== undefined && { until }) };
}

/** `2026-01-31`, or with the time of day where it is not midnight. */
export function dayOf(at: Instant): string {
  const text = formatInstant(at);
  return text.endsWith('T00:00:00.000000Z') ? text.slice(0, 10) : `${text.slice(0, 16).replace('T', ' ')}Z`;
}
