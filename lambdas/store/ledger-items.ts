import type { Instant } from '../run/instant.ts';
import { beganItem } from './began.ts';
import { type Item, text } from './dynamodb-call.ts';
import type { LedgerRow } from './ledger.ts';
import type { MovedMark } from './position.ts';

/**
 * The ledger's items. Their sort keys order the rows of chunks by time; rows without a usable time have one item
 * of their own, which holds them all and is written anew when one is added:
 *
 *     ledger#<newest row>#<version>#<part>   rows with a time
 *     unplaced#<version>                     rows without
 *
 * Those that a first run writes, before there is a position, also end with the name of that run (`began.ts`).
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

/** The version of the position with which a ledger item was written. */
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
