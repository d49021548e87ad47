import * as z from 'zod';
import { minutes, parseInstant } from '../../run/instant.ts';
import { longestOverlapMinutes } from '../../store/overlap.ts';
import { catalogueSettings } from '../catalogue-settings.ts';

/** How many minutes before its mark a poll looks for rows that show up late, unless configured. */
export const defaultOverlapMinutes = 15;

const overlapWanted = `must be a whole number of minutes from 0 to ${longestOverlapMinutes}`;

/** An overlap in whole minutes, as an instant's difference. */
export const overlapMinutes = z
  .string()
  .regex(/^\d{1,4}$/, overlapWanted)
  .transform(Number)
  .refine((count) => count <= longestOverlapMinutes, overlapWanted)
  .transform(minutes);

const instant = z.string().transform((text, context) => {
  const at = parseInstant(text);
  if (at !== null) return at;
  context.addIssue({ code: 'custom', message: 'must be a time such as 2026-01-31T00:00:00Z' });
  return z.NEVER;
});

/** The environment variables of the `poll` function. */
export const pollSettings = z.lazy(() =>
  catalogueSettings({
    OVERLAP_MINUTES: overlapMinutes,
    /** A log that lost more of its rows than this has shrunk. */
    SHRUNKEN_LOG_PERCENT: z
      .string()
      .regex(/^\d{1,3}(\.\d+)?$/, 'must be a number from 0 to 100')
      .transform(Number)
      .optional(),
    /** Where the first poll starts; without it at the newest row. */
    START_FROM: instant.optional(),
    /** The catalogue's address before it moved. */
    MOVED_FROM: z.url().optional(),
  }),
);

/** The variables by name, as the deployment has to write them. */
export type PollEnvironment = z.input<typeof pollSettings>;
