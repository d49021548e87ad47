import { problemOf } from '../http/problem.ts';
import { type Activity, activitySchema } from './schemas.ts';

/** A row of the log, or what is wrong with it, for a person to read. */
export type ReadActivity =
  | { readonly ok: true; readonly activity: Activity }
  | { readonly ok: false; readonly problem: string };

/**
 * Reads a row of `/activities/` by the types of its fields (interface specification, "Activity"): nothing is
 * normalised, so that a version sent as the number 3.10 is a problem and never the version 3.1. The activity
 * is the row itself, with whatever more it holds.
 */
export function readActivity(row: unknown): ReadActivity {
  const read = activitySchema.safeParse(row);
  if (read.success) return { ok: true, activity: row as Activity };
  return { ok: false, problem: problemOf(row, read.error) };
}
