import * as z from 'zod';

/** The environment variables of page; the deployment writes them under the same names (`lib/team-page.ts`). */
export const pageSettings = z.object({
  TABLE_NAME: z.string().min(1),
  HISTORY_TABLE_NAME: z.string().min(1),
  /** Absent where the settings have no worklist. */
  WORKLIST_TABLE_NAME: z.string().min(1).optional(),
  PEOPLE_TABLE_NAME: z.string().min(1),
  METRICS_NAMESPACE: z.string().min(1),
  /** The address of the page, as browsers see it. */
  PAGE_ADDRESS: z.url(),
  /** A folder with `page.json`, the `PagePlan`, and with what browsers load in `browser/`. */
  PAGE_FOLDER: z.string().startsWith('/'),
  /** The secret of the page at the identity provider; absent for a client without one. */
  CLIENT_SECRET_ID: z.string().min(1).optional(),
  /** The secret whose text seals sign-ins and forms. */
  SESSION_KEY_ID: z.string().min(1),
});

export type PageEnvironment = z.input<typeof pageSettings>;
