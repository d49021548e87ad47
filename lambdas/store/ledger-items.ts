import type { Instant } from '../run/instant.ts';
import { type Item, text } from './dynamodb-call.ts';
import type { DynamoTable, ItemKey } from './dynamodb-table.ts';
import { type LedgerRow, MOST_UNPLACED_ROWS, seenRows } from './ledger.ts';
import type { MovedMark } from './position.ts';

/**
 * The ledger's items. Their sort keys order the rows of chunks by time; rows without a usable time have one item
 * of their own, which holds them all and is written anew when one is added:
 *
 *     ledger#<newest row>#<version>#<part>   rows with a time
 *     unplaced#<version>                     rows without
 *
 * Those that a first run writes, before there is a position, also end with the name of that run.
 */
export const LEDGER = 'ledger#';
export const UNPLACED = 'unplaced#';

/** An item may have 400 kB; a row has 24 bytes. */
const ROWS_PER_ITEM = 10_000;

const KEY_BYTES = 16;
const INSTANT_BYTES = 8;

/** The sort key of a ledger item. Instants have 16 digits until the year 2286. */
export function ledgerKey(newest: Instant, version = 0, part = 0): string {
  const numbers = [
    [newest, 17],
    [version, 10],
    [part, 4],
  ] as const;
  return LEDGER + numbers.map(([number, digits]) => String(number).padStart(digits, '0')).join('#');
}

/** Rows with a time as items under a partition key; none for no rows. `began` names the run that begins with them. */
export function ledgerItems(pk: string, rows: readonly LedgerRow[], version: number, began?: string): Item[] {
  const placed = rows.filter((row): row is LedgerRow & { at: Instant } => row.at !== null);
  const newest = placed.reduce((latest, { at }) => (at > latest ? at : latest), 0n);
  return partsOf(placed).map((part, index) => ({
    pk: text(pk),
    sk: text(ledgerKey(newest, version, index) + suffixOf(began)),
    ...beganItem(began),
    keys: packKeys(part),
    instants: { B: packInstants(part.map(({ at }) => at)) },
  }));
}

function partsOf<Row>(rows: readonly Row[]): (readonly Row[])[] {
  const parts: (readonly Row[])[] = [];
  for (let from = 0; from < rows.length; from += ROWS_PER_ITEM)
    parts.push(rows.slice(from, from + ROWS_PER_ITEM));
  return parts;
}

/** All rows without a usable time as one item. */
export function unplacedItem(pk: string, rows: readonly LedgerRow[], version: number, began?: string): Item {
  const sk = UNPLACED + String(version).padStart(10, '0') + suffixOf(began);
  return { pk: text(pk), sk: text(sk), ...beganItem(began), keys: packKeys(rows) };
}

const suffixOf = (began: string | undefined): string => (began === undefined ? '' : `#${began}`);

/** The rows of a ledger item. Rows without a usable time have none. */
export function ledgerRowsOf(item: Item): LedgerRow[] {
  const keys = keysOf(item);
  const instants = Buffer.from(item.instants?.B ?? []);
  return keys.map((key, index) => ({
    key,
    at: instants.length > 0 ? instants.readBigInt64LE(index * INSTANT_BYTES) : null,
  }));
}

/** The rows of a ledger item that count as seen: those that no moved mark made unseen again. */
export function seenRowsOf(item: Item, moves: readonly MovedMark[]): readonly LedgerRow[] {
  const concerned = moves.filter(({ version }) => versionOf(item) <= version);
  return ledgerRowsOf(item).filter(({ at }) => at === null || concerned.every(({ after }) => at <= after));
}

function versionOf(item: Item): number {
  return Number(item.sk?.S?.split('#')[2]);
}

function packKeys(rows: readonly LedgerRow[]): { B: Uint8Array } {
  return { B: Buffer.from(rows.map(({ key }) => key).join(''), 'hex') };
}

function keysOf({ keys }: Item): string[] {
  const packed = Buffer.from(keys?.B ?? []);
  return Array.from({ length: packed.length / KEY_BYTES }, (_, index) =>
    packed.toString('hex', index * KEY_BYTES, (index + 1) * KEY_BYTES),
  );
}

function packInstants(instants: readonly Instant[]): Uint8Array {
  const packed = Buffer.alloc(instants.length * INSTANT_BYTES);
  for (const [index, at] of instants.entries()) packed.writeBigInt64LE(at, index * INSTANT_BYTES);
  return packed;
}

interface LoadedItems {
  /** Rows with a time, back to the mark less the overlap. */
  readonly placed: readonly Item[];
  readonly unplaced: readonly Item[];
  readonly moves: readonly MovedMark[];
  readonly began: string | undefined;
}

/** The greatest number that a ledger key can have. */
const LAST_INSTANT = 10n ** 17n - 1n;

/** The ledger in the partition of the position. */
export function createDynamoLedger(table: DynamoTable, pk: string) {
  /** All rows without a usable time, as loaded, and the items that hold them. */
  let unplaced: { readonly rows: readonly LedgerRow[]; readonly sks: readonly string[] } = {
    rows: [],
    sks: [],
  };
  let moves: readonly MovedMark[] = [];
  let began: string | undefined;

  return {
    /** Keeps what the next calls need of the loaded items; returns their rows that count as seen. */
    load(items: LoadedItems): ReadonlyMap<string, Instant | null> {
      ({ moves, began } = items);
      const ownUnplaced = items.unplaced.filter((item) => isOfThisBeginning(item, began));
      unplaced = {
        rows: ownUnplaced.flatMap(ledgerRowsOf),
        sks: ownUnplaced.map(({ sk }) => sk?.S ?? ''),
      };
      const placed = items.placed.filter((item) => isOfThisBeginning(item, began));
      return seenRows([...placed.flatMap((item) => seenRowsOf(item, moves)), ...unplaced.rows]);
    },

    /** Adds the rows that a first run does not publish, before the position is there. */
    async begin(rows: readonly LedgerRow[], run: string): Promise<void> {
      const without = rows.filter(({ at }) => at === null).slice(-MOST_UNPLACED_ROWS);
      await table.putAll([
        ...ledgerItems(pk, rows, 1, run),
        ...(without.length > 0 ? [unplacedItem(pk, without, 1, run)] : []),
      ]);
    },

    /** Adds rows. Returns the sort keys of items to delete after the next write of the position, which they replace. */
    async add(rows: readonly LedgerRow[], version: number): Promise<readonly string[]> {
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

    async since(since: Instant): Promise<ReadonlyMap<string, Instant | null>> {
      const rows: LedgerRow[] = [];
      const range = { pk, from: ledgerKey(since), to: ledgerKey(LAST_INSTANT) };
      for await (const item of table.query(range)) {
        if (!isOfThisBeginning(item, began)) continue;
        rows.push(...seenRowsOf(item, moves).filter(({ at }) => at !== null && at >= since));
      }
      return seenRows([...rows, ...unplaced.rows]);
    },

    /** Deletes the items whose rows are all dated before an instant. */
    async forgetBefore(instant: Instant): Promise<void> {
      const range = { pk, from: ledgerKey(0n), to: ledgerKey(instant), also: { ProjectionExpression: 'sk' } };
      const old: ItemKey[] = [];
      for await (const { sk } of table.query(range)) old.push({ pk, sk: sk?.S ?? '' });
      await table.removeAll(old);
    },
  };
}

/**
 * A first run writes what it read of the log before it writes the position, because no poll may begin without it. The
 * items carry the run's name, and so does the position: what a run wrote that died between is never read.
 */
export const beganItem = (began: string | undefined): Item =>
  began === undefined ? {} : { began: text(began) };

/** Whether an item was written since the catalogue began, or by the run that began it. */
export function isOfThisBeginning(item: Item, began: string | undefined): boolean {
  return item.began?.S === undefined || began === undefined || item.began.S === began;
}
