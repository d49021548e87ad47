import * as z from 'zod';
import { followedPanelsSchema } from '../../filters/followed-panels.ts';
import { catalogueSettings, jsonVariable } from '../catalogue-settings.ts';
import { overlapMinutes } from '../poll/settings.ts';

/** The environment variables of the `prove` function. */
export const proveSettings = catalogueSettings({
  OVERLAP_MINUTES: overlapMinutes,
  /** The panels that subscriptions name: they are read first. */
  FOLLOWED_PANELS: jsonVariable('a JSON object of panels').pipe(followedPanelsSchema),
  /** The catalogues that this one is compared with, and the path of the file of pairs where one is given. */
  COMPARED_WITH: jsonVariable('a JSON list of catalogues')
    .pipe(z.array(z.object({ catalogue: z.string().min(1), pairs: z.string().optional() })))
    .prefault('[]'),
});

/** The variables by name, as the deployment has to write them. */
export type ProveEnvironment = z.input<typeof proveSettings>;

/** What a person may invoke the function with, instead of its schedule. */
export const proveEvent = z.lazy(() => z.object({ askAgain: z.boolean().optional() }).catch({}));
