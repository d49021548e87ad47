import * as z from 'zod';
import { deployedSignInSchema } from '../../../page/sign-in/access-settings.ts';
import { filterSchema } from '../../filters/filter-schema.ts';
import type { WorklistSettings } from '../../questions/worklist/worklist-settings.ts';
import { readPlan } from '../../run/read-plan.ts';

const pagePlanSchema = z.object({
  /** The stage, as the page names it. */
  stage: z.string(),
  catalogues: z.array(z.string()).readonly(),
  zone: z.string(),
  signIn: deployedSignInSchema,
  /** Null where the stage keeps no decisions. */
  worklist: z
    .object({
      filter: filterSchema,
      counts: z.enum(['working', 'signed-off']),
      overdueDays: z.number(),
      since: z.string().nullable(),
    })
    .transform((read): WorklistSettings => read)
    .nullable(),
});
/** What the settings say of a deployed page. It is a file of the function: environment variables hold 4 KB. */
export type PagePlan = z.output<typeof pagePlanSchema>;

/**
 * The plan in a file that the deployment wrote.
 * @throws {PlanError} when it is not a plan that this version knows; the message names the place
 */
export const readPagePlan = (text: string, file: string): PagePlan =>
  readPlan(text, { what: 'the plan of the page', file, schema: pagePlanSchema });
