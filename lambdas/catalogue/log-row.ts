import { hash } from 'node:crypto';
import { type Instant, parseInstant } from '../run/instant.ts';
import { problemOf } from './http/service-error.ts';
import { type Activity, activitySchema } from './schemas.ts';

/** What every row of the log has, of any wording. */
interface AnyRow {
  /** Its identity (`row-key.ts`). */
  readonly key: string;
  /** When it was written; a row without a usable time has the time of its neighbour. */
  readonly at: Instant;
  /** True where it appeared after newer rows had been read. */
  readonly late: boolean;
}

/** A row that is an activity. */
export interface ActivityRow extends AnyRow {
  readonly kind: 'activity';
  /** The row as received: fields that the schema does not name are still there. */
  readonly activity: Activity;
}

/** A row that is not an activity: a field is missing or has the wrong type. */
export interface InvalidRow extends AnyRow {
  readonly kind: 'invalid';
  readonly row: unknown;
  /** What is wrong with it, for a person. */
  readonly problem: string;
  /** False where it has no usable time of its own. */
  readonly placed: boolean;
}

/** A row of the log with its identity and its time. */
export type LogRow = ActivityRow | InvalidRow;

/** Rows as received, each once, in the order received. No row is late yet. */
export function readLogRows(received: readonly unknown[]): readonly LogRow[] {
  return withoutCopies(readEachLogRow(received));
}

/**
 * Rows as received, also those that are equal in every field. A row without a usable time gets that of the row
 * before it, or else of the one after it; 0 where no row has a time.
 */
export function readEachLogRow(received: readonly unknown[]): readonly LogRow[] {
  const read = received.map(readRow);
  let neighbour = read.find(({ at }) => at !== null)?.at ?? 0n;
  return read.map((row) => {
    neighbour = row.at ?? neighbour;
    return isTimed(row) ? row : { ...row, at: neighbour };
  });
}

/** Each row once, in the order in which the rows came first. */
export function withoutCopies(rows: readonly LogRow[]): readonly LogRow[] {
  const byKey = new Map<string, LogRow>();
  for (const row of rows) byKey.set(row.key, row);
  return [...byKey.values()];
}

/** Whether a row has a usable time of its own. */
export function isPlaced(row: { readonly kind: string } | InvalidRow): boolean {
  return !('placed' in row) || row.placed;
}

/** The order in which rows are published: by time, then by key, so that every run uses the same order. */
export function oldestFirst(one: AnyRow, other: AnyRow): number {
  if (one.at !== other.at) return one.at < other.at ? -1 : 1;
  if (one.key === other.key) return 0;
  return one.key < other.key ? -1 : 1;
}

/** A row before those without a time were placed. */
type Unplaced<Row extends LogRow> = Row extends LogRow
  ? Omit<Row, 'at'> & { readonly at: Instant | null }
  : never;

const isTimed = (row: Unplaced<LogRow>): row is LogRow => row.at !== null;

function readRow(row: unknown): Unplaced<LogRow> {
  const read = readActivity(row);
  if (!read.ok) return invalid(row, read.problem);
  const { activity } = read;
  const at = parseInstant(activity.created);
  if (at !== null) return { kind: 'activity', key: rowKey(activity, at), at, late: false, activity };
  return invalid(
    row,
    `created: ${JSON.stringify(activity.created).slice(0, 60)} is not an ISO 8601 time with Z or an offset in the years 2000 to 2099`,
  );
}

function invalid(row: unknown, problem: string): Unplaced<InvalidRow> {
  const at = timeOf(row);
  return { kind: 'invalid', key: rawRowKey(row), at, late: false, row, problem, placed: at !== null };
}

/** The time of a row that is otherwise invalid. */
function timeOf(row: unknown): Instant | null {
  return typeof row === 'object' && row !== null && 'created' in row ? parseInstant(row.created) : null;
}

/** A valid row of the log, or the reason in words why it is invalid. */
type ReadActivity =
  | { readonly ok: true; readonly activity: Activity }
  | { readonly ok: false; readonly problem: string };

/**
 * Checks the types of a row's fields. Nothing is normalised: a version sent as the number 3.10 is a problem and never
 * the version 3.1. The activity is the row itself, unknown fields included. Source: docs/interfaces.md, "Activity".
 */
export function readActivity(row: unknown): ReadActivity {
  const read = activitySchema.safeParse(row);
  if (read.success) return { ok: true, activity: row as Activity };
  return { ok: false, problem: problemOf(row, read.error) };
}

/**
 * The identity of a row: 32 hexadecimal digits over a fixed list of its fields, because the log gives its rows
 * no id. `created` counts as an instant, so that the same row served in another time zone has the same key.
 * Fields that the catalogue adds later do not change it. A change here changes the id of every event.
 */
export function rowKey(activity: Activity, created: Instant): string {
  const fields = [
    'row.v1',
    String(created),
    activity.panel_id,
    activity.panel_name,
    activity.panel_version,
    activity.user_name,
    activity.item_type,
    activity.text,
    activity.entity_name,
    activity.entity_type,
  ];
  return digest(fields);
}

/** The identity of a row that is not an activity: a digest of the row as received. */
function rawRowKey(row: unknown): string {
  return digest(['raw.v1', row]);
}

/** A text of its own: a part of the whole digest would keep that in memory, for each row of a backlog. */
function digest(fields: readonly unknown[]): string {
  return hash('sha256', JSON.stringify(fields), 'buffer').toString('hex', 0, 16);
}

/** A number, or nothing. */
const SHORT_FIELD = 8;

/** How long the texts of a row are together, in UTF-16 units. */
export function lengthOf(row: Pick<ActivityRow, 'activity'> | Pick<InvalidRow, 'row'>): number {
  if ('row' in row) return JSON.stringify(row.row)?.length ?? 0;
  let length = 0;
  const { activity } = row;
  for (const name in activity) {
    const value = activity[name as keyof typeof activity];
    if (typeof value === 'string') length += value.length;
    else length += typeof value === 'object' && value !== null ? JSON.stringify(value).length : SHORT_FIELD;
  }
  return length;
}
