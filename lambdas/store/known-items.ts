import * as z from 'zod';
import { ratingSchema } from '../events/changes.ts';
import { type Item, number, text } from './dynamodb-call.ts';
import { originSchema, statedSchema, unpairedSchema, wasSchema } from './json-schemas.ts';
import type { EntityState, PanelState } from './known-states.ts';
import { pack, unpack } from './packed.ts';
import { damagedState } from './state-error.ts';

/** The attributes of an entity state, with the version of the position that wrote it. */
export function entityItem(
  { rating, at, unpaired, origin, version: statedIn, isRemoved, was }: EntityState,
  version: number,
): Item {
  return {
    version: number(version),
    at: number(at),
    ...(rating && { rating: text(rating) }),
    ...(unpaired.length > 0 && { unpaired: pack(unpaired) }),
    ...(origin && { origin: text(origin) }),
    ...(statedIn !== undefined && { statedIn: text(statedIn) }),
    ...(isRemoved && { removed: { BOOL: true } }),
    ...(was && { was: pack(was) }),
  };
}

/** @throws {StateError} `STATE_CORRUPT`. */
export function readEntity(item: Item, where: string): EntityState {
  return orCorrupt(where, () => ({
    rating: item.rating ? ratingSchema.parse(item.rating.S) : null,
    at: BigInt(requiredNumber(item, 'at')),
    unpaired: item.unpaired ? unpack(item.unpaired, z.array(unpairedSchema)) : [],
    ...(item.origin && { origin: originSchema.parse(item.origin.S) }),
    ...(item.statedIn?.S !== undefined && { version: item.statedIn.S }),
    ...(item.removed?.BOOL && { isRemoved: true }),
    ...(item.was && { was: unpack(item.was, wasSchema) }),
  }));
}

/** The attributes of a panel state, with the version of the position that wrote it. */
export function panelItem({ version, at, stated, origin }: PanelState, position: number): Item {
  return {
    version: number(position),
    at: number(at),
    ...(version !== null && { panelVersion: text(version) }),
    ...(stated && { stated: pack(stated) }),
    ...(origin && { origin: text(origin) }),
  };
}

/** @throws {StateError} `STATE_CORRUPT`. */
export function readPanel(item: Item, where: string): PanelState {
  return orCorrupt(where, () => ({
    version: item.panelVersion?.S ?? null,
    at: BigInt(requiredNumber(item, 'at')),
    stated: item.stated ? unpack(item.stated, statedSchema) : null,
    ...(item.origin && { origin: originSchema.parse(item.origin.S) }),
  }));
}

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
