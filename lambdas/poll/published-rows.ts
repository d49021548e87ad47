import type { LogRow } from '../catalogue/log-row.ts';
import { rowKey } from '../catalogue/log-row.ts';
import type { Instant } from '../run/instant.ts';

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
