import type { Instant } from '../run/instant.ts';
import { isOfThisBeginning } from './began.ts';
import type { Item } from './dynamodb-call.ts';
import type { DynamoTable, ItemKey } from './dynamodb-table.ts';
import type { LedgerRow } from './ledger.ts';
import { MOST_UNPLACED_ROWS, seenRows } from './ledger.ts';
import { ledgerItems, ledgerKey, ledgerRowsOf, seenRowsOf, unplacedItem } from './ledger-items.ts';
import type { MovedMark } from './position.ts';

/** The items of the ledger that were read with the position. */
interface LoadedItems {
  /** Rows with a time, back to the mark less the overlap. */
  readonly placed: readonly Item[];
  /** All rows without a usable time. */
  readonly unplaced: readonly Item[];
  readonly moves: readonly MovedMark[];
  /** The run that began the catalogue, where it is known. */
  readonly began: string | undefined;
}

interface DynamoLedger {
  /** Keeps what the next calls need of the loaded items; gives their rows that count as seen. */
  load(items: LoadedItems): ReadonlyMap<string, Instant | null>;
  /** Adds the rows that a first run does not publish, before the position is there. */
  begin(rows: readonly LedgerRow[], run: string): Promise<void>;
  /** Adds rows. Returns the sort keys of items to delete after the next write of the position, which they replace. */
  add(rows: readonly LedgerRow[], version: number): Promise<readonly string[]>;
  /** The rows dated at or after an instant, and all rows without a usable time. */
  since(since: Instant): Promise<ReadonlyMap<string, Instant | null>>;
  /** Deletes the items whose rows are all dated before an instant. */
  forgetBefore(instant: Instant): Promise<void>;
}

/** The greatest number that a ledger key can have. */
const LAST_INSTANT = 10n ** 17n - 1n;

/** The ledger in the partition of the position. */
export function createDynamoLedger(table: DynamoTable, pk: string): DynamoLedger {
  /** All rows without a usable time, as loaded, and the items that hold them. */
  let unplaced: { readonly rows: readonly LedgerRow[]; readonly sks: readonly string[] } = {
    rows: [],
    sks: [],
  };
  let moves: readonly MovedMark[] = [];
  let began: string | undefined;

  return {
    load(items) {
      ({ moves, began } = items);
      const ownUnplaced = items.unplaced.filter((item) => isOfThisBeginning(item, began));
      unplaced = {
        rows: ownUnplaced.flatMap(ledgerRowsOf),
        sks: ownUnplaced.map(({ sk }) => sk?.S ?? ''),
      };
      const placed = items.placed.filter((item) => isOfThisBeginning(item, began));
      return seenRows([...placed.flatMap((item) => seenRowsOf(item, moves)), ...unplaced.rows]);
    },

    async begin(rows, run) {
      const without = rows.filter(({ at }) => at === null).slice(-MOST_UNPLACED_ROWS);
      await table.putAll([
        ...ledgerItems(pk, rows, 1, run),
        ...(without.length > 0 ? [unplacedItem(pk, without, 1, run)] : []),
      ]);
    },

    async add(rows, version) {
      const items = ledgerItems(pk, rows, version);
      const added = rows.filter(
        ({ at, key }) => at === null && !unplaced.rows.some((row) => row.key === key),
      );
      if (added.length === 0) {
        await table.putAll(items);
        return [];
      }
      const replaced = unplaced.sks;
      const all = [...unplaced.rows, ...added].slice(-MOST_UNPLACED_ROWS);
      const item = unplacedItem(pk, all, version);
      await table.putAll([...items, item]);
      unplaced = { rows: all, sks: [item.sk?.S ?? ''] };
      return replaced;
    },

    async since(since) {
      const rows: LedgerRow[] = [];
      const range = { pk, from: ledgerKey(since), to: ledgerKey(LAST_INSTANT) };
      for await (const item of table.query(range)) {
        if (!isOfThisBeginning(item, began)) continue;
        rows.push(...seenRowsOf(item, moves).filter(({ at }) => at !== null && at >= since));
      }
      return seenRows([...rows, ...unplaced.rows]);
    },

    async forgetBefore(instant) {
      const range = { pk, from: ledgerKey(0n), to: ledgerKey(instant), also: { ProjectionExpression: 'sk' } };
      const old: ItemKey[] = [];
      for await (const { sk } of table.query(range)) old.push({ pk, sk: sk?.S ?? '' });
      await table.removeAll(old);
    },
  };
}
