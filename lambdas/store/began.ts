import { type Item, text } from './dynamodb-call.ts';

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
