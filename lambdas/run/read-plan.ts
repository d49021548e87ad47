import type * as z from 'zod';

/** The plan that the deployment wrote is not one that this version knows. */
class PlanError extends Error {
  override readonly name = 'PlanError';
  readonly code = 'SETTINGS_WRONG';
}

/**
 * The plan in a file that the deployment wrote.
 * @param what the plan, as the error names it: `the plan of messages`
 * @throws {PlanError} when it is not JSON, or not a plan that this version knows; the message names the place
 */
export function readPlan<Schema extends z.ZodType>(
  text: string,
  { what, file, schema }: { readonly what: string; readonly file: string; readonly schema: Schema },
): z.output<Schema> {
  const wrong = (seen: string, cause?: unknown): PlanError =>
    new PlanError(
      `Reading ${what} in ${file}: ${seen}. Nothing was done, and nothing is lost. Deploy the stack again with this version: it writes the plan.`,
      { cause },
    );
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch (cause) {
    throw wrong('it is not JSON', cause);
  }
  const read = schema.safeParse(given, { jitless: true });
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw wrong(`${issue?.path.join('.') || 'the whole'}: ${issue?.message ?? 'unknown'}`);
}
