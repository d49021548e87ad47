import * as z from 'zod';
import { deployedSignInSchema } from '../../../page/sign-in/access-settings.ts';
import { filterSchema } from '../../filters/filter-schema.ts';
import type { WorklistSettings } from '../../questions/worklist/worklist-settings.ts';
import { readPlan } from '../../run/read-plan.ts';

/** What the settings say of a deployed page. It is a file of the function: environment variables hold 4 KB. */
export interface PagePlan {
  /** The stage, as the page names it. */
  readonly stage: string;
  readonly catalogues: readonly string[];
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

/**
 * The plan in a file that the deployment wrote.
 * @throws {PlanError} when it is not a plan that this version knows; the message names the place
 */
export const readPagePlan = (text: string, file: string): PagePlan =>
  readPlan(text, { what: 'the plan of the page', file, schema: pagePlanSchema });
