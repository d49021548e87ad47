import type { Item } from './attribute-values.ts';
import { damagedState } from './damaged-state.ts';

/**
 * The digits of a number of an item.
 * @throws {Error} when the item has no number of that name
 */
export function requiredNumber(item: Item, name: string): string {
  const value = item[name]?.N;
  if (value === undefined) throw new Error(`the number "${name}" is missing`);
  return value;
}

/**
 * A text of an item.
 * @throws {Error} when the item has no text of that name
 */
export function requiredText(item: Item, name: string): string {
  const value = item[name]?.S;
  if (value === undefined) throw new Error(`the text "${name}" is missing`);
  return value;
}

const REMEDY =
  'Restore the table to an earlier time (point-in-time recovery), or begin again with a new state and --from.';

/** @throws {StateError} `STATE_CORRUPT` when `read` throws */
export function orCorrupt<Value>(where: string, read: () => Value): Value {
  try {
    return read();
  } catch (cause) {
    throw damagedState(where, cause, REMEDY);
  }
}
