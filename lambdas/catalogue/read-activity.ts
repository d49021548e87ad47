import { problemOf } from './http/problem.ts';
import { type Activity, activitySchema } from './schemas.ts';

/** A valid row of the log, or the reason in words why it is invalid. */
type ReadActivity =
  | { readonly ok: true; readonly activity: Activity }
  | { readonly ok: false; readonly problem: string };

/**
 * Checks the types of a row's fields. Nothing is normalised: a version sent as the number 3.10 is a problem and never
 * the version 3.1. The activity is the row itself, unknown fields included. Source: docs/interfaces.md, "Activity".
 */
export function readActivity(row: unknown): ReadActivity {
  const read = activitySchema.safeParse(row);
  if (read.success) return { ok: true, activity: row as Activity };
  return { ok: false, problem: problemOf(row, read.error) };
}
