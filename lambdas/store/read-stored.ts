import type * as z from 'zod';
import { damagedState } from './damaged-state.ts';

/** What to do where a state file is damaged. */
export const RESTORE =
  'Restore a copy of the directory, or remove it and begin again with --from and the time of the last event.';

/**
 * Reads a JSON text that a state file holds.
 * @param unpack makes JSON of what is kept, where that is compressed
 * @throws {StateError} `STATE_CORRUPT` when it is not what the schema says
 */
export function readStored<Shape extends z.ZodType>(
  where: string,
  schema: Shape,
  text: unknown,
  unpack: (text: string) => string = (text) => text,
): z.output<Shape> {
  try {
    return schema.parse(JSON.parse(unpack(String(text))));
  } catch (cause) {
    throw damagedState(where, cause, RESTORE);
  }
}
