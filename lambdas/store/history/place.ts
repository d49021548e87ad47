import type { Instant } from '../../run/instant.ts';

/** The place of an event in the order of the history. */
export interface Place {
  readonly at: Instant;
  readonly id: string;
}

/** A place as an address states it: `1732180442000000-99987885d4e6…`. */
export const placeText = ({ at, id }: Place): string => `${at}-${id}`;

/** Null for a text that is no place. */
export function placeIn(text: string): Place | null {
  const [, at, id] = /^(\d{1,17})-([\w.-]{1,200})$/.exec(text) ?? [];
  return at === undefined || id === undefined ? null : { at: BigInt(at), id };
}
