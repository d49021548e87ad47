import * as z from 'zod';
import { catalogueSettings } from '../catalogue-settings.ts';
import { overlapMinutes } from '../poll/settings.ts';

/** A listing that lost more of its panels or regions than this, in percent, is not trusted, unless configured. */
export const defaultShrunkenPercent = 20;

/** Where more of the panels than this, in percent, have the same kind of change, it waits, unless configured. */
export const defaultSameChangePercent = 20;

/** The environment variables of the `sweep` function. */
export const sweepSettings = catalogueSettings({
  OVERLAP_MINUTES: overlapMinutes,
  SHRUNKEN_PERCENT: z.coerce.number().min(0).max(100),
  SAME_CHANGE_PERCENT: z.coerce.number().min(0).max(100),
});

/** The variables by name, as the deployment has to write them. */
export type SweepEnvironment = z.input<typeof sweepSettings>;

/** What a person may invoke the function with, instead of its schedule. */
export const sweepEvent = z.object({ accept: z.boolean().optional() }).catch({});
