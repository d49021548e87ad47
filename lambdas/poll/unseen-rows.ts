import { type LogRow, rowKey } from '../catalogue/log-row.ts';
import { type Instant, later } from '../run/instant.ts';
import type { Position } from '../store/position.ts';
import type { LogPage } from './log-page.ts';
import type { Batch } from './read-back.ts';

interface AlreadyPublished {
  /** Keys of the rows that were published, as far back as batches reach. */
  readonly seen: ReadonlyMap<string, Instant | null>;
  readonly mark: Instant;
  /** The catalogue's own time: a row that is stamped later makes no other one late. */
  readonly now: Instant;
  /** The newest page of the log. */
  readonly first: Pick<LogPage, 'rows'>;
}

/**
 * The rows of batches that were not published yet. A row is late if it is older than a row that was read before: the mark may stay
 * before rows that were published.
 */
export async function* unseenRows(
  batches: AsyncIterable<Batch>,
  { seen, mark, now, first }: AlreadyPublished,
): AsyncGenerator<Batch> {
  let newest = mark;
  for (const at of seen.values()) if (at !== null && at <= now) newest = later(newest, at);
  const published = publishedRows(seen);
  published.show(first.rows);
  for await (const { rows, ...batch } of batches) {
    published.show(rows);
    const newestRead = newest;
    const unseen = rows
      .filter((row) => !published.has(row))
      .map((row) => ({ ...row, late: row.at < newestRead }));
    newest = unseen.map(({ at }) => at).reduce(later, newest);
    yield { ...batch, rows: unseen };
  }
}

interface Examined {
  readonly first: LogPage;
  readonly position: Position;
  readonly floor: Instant;
  readonly seen: ReadonlyMap<string, Instant | null>;
}

/** This many polls read the rows of a gap again; later ones wait until the log changes. */
const SEARCHED_GAP_POLLS = 2;

/**
 * Whether page 1 is all that needs to be read: the log has as many rows as at the last poll, and no row of page 1 is
 * new. A late row stays unseen where another row vanished at the same time. But the mark does not advance meanwhile, so
 * the poll that finds the next new row finds the late one too.
 */
export function isQuiet({ first, position, floor, seen }: Examined): boolean {
  if (first.count === null || first.count !== position.count) return false;
  if (position.gap && position.gap.polls < SEARCHED_GAP_POLLS) return false;
  return first.rows.every(({ key, at }) => at < floor || seen.has(key));
}

/** How many rows the log is expected to have since the floor; null where it was never counted. */
export function expectedRows({ first, position, floor, seen }: Examined): number | null {
  if (first.count === null || position.count === null) return null;
  const inOverlap = [...seen.values()].filter((at) => at !== null && at >= floor).length;
  return first.count - position.count + inOverlap;
}

/** Which rows were published. */
interface PublishedRows {
  /** To call with the rows that the log shows, before `has` is asked about those near them. */
  show(rows: readonly Pick<LogRow, 'key'>[]): void;
  has(row: LogRow): boolean;
}

/** Digits that a catalogue may stop or begin to write: with or without microseconds, with or without a fraction. */
const SECOND: Instant = 1_000_000n;
const MILLISECOND: Instant = 1_000n;

/**
 * The rows of the ledger. A row whose time lost digits, or got some, has another key. It is the same row if it agrees in
 * all else: then its key with the time of a published row of that second is the key of that row. Where the log still shows
 * the published row, they are two.
 */
export function publishedRows(seen: ReadonlyMap<string, Instant | null>): PublishedRows {
  /** Published rows that the log still shows. A backlog shows a hundred thousand that were not: they are not kept. */
  const shown = new Set<string>();
  let bySecond: Map<Instant, Instant[]> | undefined;
  const timesIn = (second: Instant): readonly Instant[] => {
    bySecond ??= Map.groupBy(
      [...seen.values()].filter((at) => at !== null),
      (at) => at / SECOND,
    );
    return bySecond.get(second) ?? [];
  };
  return {
    show: (rows) => {
      for (const { key } of rows) if (seen.has(key)) shown.add(key);
    },
    has(row) {
      if (seen.has(row.key)) return true;
      if (row.kind !== 'activity' || seen.size === 0) return false;
      const { at, activity } = row;
      // A catalogue may round: the other time may lie in the next second.
      const near = [at / SECOND - 1n, at / SECOND, at / SECOND + 1n].flatMap(timesIn);
      return near.some((other) => {
        if (!haveOtherDigits(at, other)) return false;
        const key = rowKey(activity, other);
        return seen.has(key) && !shown.has(key);
      });
    },
  };
}

/** Whether one of two times may be the other one with fewer digits. */
function haveOtherDigits(one: Instant, other: Instant): boolean {
  const distance = one > other ? one - other : other - one;
  const isShort = (unit: Instant): boolean => one % unit === 0n || other % unit === 0n;
  return (distance < MILLISECOND && isShort(MILLISECOND)) || (distance < SECOND && isShort(SECOND));
}
