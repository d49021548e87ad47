import * as z from 'zod';
import { deployedSignInSchema } from '../../../page/sign-in/access-settings.ts';
import { filterSchema } from '../../filters/filter-schema.ts';
import type { WorklistSettings } from '../../questions/worklist/worklist-settings.ts';

/** What the settings say of a deployed page. It is a file of the function: environment variables hold 4 KB. */
export interface PagePlan {
  /** The stage, as the page names it. */
  readonly stage: string;
  readonly catalogues: readonly string[];
  /** The readers' time zone. */
  readonly zone: string;
  readonly signIn: z.output<typeof deployedSignInSchema>;
  /** Null where the stage keeps no decisions. */
  readonly worklist: WorklistSettings | null;
}

const pagePlanSchema: z.ZodType<PagePlan> = z.object({
  stage: z.string(),
  catalogues: z.array(z.string()),
  zone: z.string(),
  signIn: deployedSignInSchema,
  worklist: z
    .object({
      filter: filterSchema,
      counts: z.enum(['working', 'signed-off']),
      overdueDays: z.number(),
      since: z.string().nullable(),
    })
    .nullable(),
});
/** The plan that the deployment wrote is not one that this version knows. */
class PlanError extends Error {
  override readonly name = 'PlanError';
  readonly code = 'SETTINGS_WRONG';
}

/**
 * The plan in a file that the deployment wrote.
 * @throws {PlanError} when it is not a plan that this version knows; the message names the place
 */
export function readPagePlan(text: string, file: string): PagePlan {
  const read = z
    .string()
    .transform((json, { addIssue }) => {
      try {
        return JSON.parse(json) as unknown;
      } catch {
        addIssue('it is not JSON');
        return z.NEVER;
      }
    })
    .pipe(pagePlanSchema)
    .safeParse(text);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new PlanError(
    `Reading the plan of the page in ${file}: ${issue?.path.join('.') || 'the whole'}: ${issue?.message}. Deploy the stack again with this version: it writes the plan.`,
  );
}
