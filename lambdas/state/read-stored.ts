import type * as z from 'zod';
import { damagedState } from './damaged-state.ts';

const REMEDY =
  'Restore a copy of the directory, or remove it and begin again with --from and the time of the last event.';

/**
 * Reads a JSON text that a state file holds.
 * @throws {StateError} `STATE_CORRUPT` when it is not what the schema says
 */
export function readStored<Shape extends z.ZodType>(
  where: string,
  schema: Shape,
  text: unknown,
): z.output<Shape> {
  try {
    return schema.parse(JSON.parse(String(text)));
  } catch (cause) {
    throw damagedState(where, cause, REMEDY);
  }
}
