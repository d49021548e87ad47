import * as z from 'zod';
import { topics } from '../events/topics.ts';
import { panelStateSettings } from '../panels/settings.ts';

/** A variable that holds JSON. `what` is what it holds, such as `a JSON object of topic names and ARNs`. */
export const jsonVariable = (what: string) =>
  z.string().transform((text, context) => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      context.addIssue({ code: 'custom', message: `must be ${what}` });
      return z.NEVER;
    }
  });

const topicArns = jsonVariable('a JSON object of topic names and ARNs').pipe(
  z.record(z.enum(topics), z.string().startsWith('arn:')),
);

const common = {
  CATALOGUE_NAME: z.string().min(1),
  CATALOGUE_URL: z.url(),
  /** The address of the catalogue that is relayed at `CATALOGUE_URL`. */
  CATALOGUE_ORIGINAL: z.url().optional(),
  TABLE_NAME: z.string().min(1),
  HISTORY_TABLE_NAME: z.string().min(1),
  /** Days for which events are kept in the history; without end where absent. */
  HISTORY_DAYS: z
    .string()
    .regex(/^[1-9]\d*$/, 'must be a whole number of days')
    .transform(Number)
    .optional(),
  TOPIC_ARNS: topicArns,
  /** How the states of panels are read and kept. */
  PANEL_STATES: jsonVariable('a JSON object of the settings of panel states')
    .pipe(panelStateSettings)
    .prefault('{}'),
  METRICS_NAMESPACE: z.string().min(1),
  /** The last day of the credential, such as `2027-03-31`. */
  CREDENTIAL_EXPIRES: z.string().optional(),
};

/**
 * The environment variables of a function that reads one catalogue: those that all such functions share, and
 * the function's own. The deployment writes them under the same names (`lib/catalogue-reader.ts`).
 */
export const catalogueSettings = <const Own extends z.core.$ZodLooseShape>(own: Own) =>
  z.discriminatedUnion('ACCESS', [
    z.object({ ...common, ...own, ACCESS: z.literal('none') }),
    z.object({ ...common, ...own, ACCESS: z.literal('header'), SECRET_ID: z.string().min(1) }),
    z.object({
      ...common,
      ...own,
      ACCESS: z.literal('client-credentials'),
      SECRET_ID: z.string().min(1),
      AUTH_URL: z.url(),
      TENANT_ID: z.string().min(1),
      AUTH_RESOURCE: z.string().optional(),
      AUTH_SCOPE: z.string().optional(),
      AUTH_BASIC: z.enum(['form', 'raw']).optional(),
    }),
  ]);

type Shared = ReturnType<typeof catalogueSettings<Record<never, never>>>;

/** The shared variables, as read. */
export type CatalogueSettings = z.output<Shared>;

/** The shared variables, as the deployment has to write them. */
export type CatalogueEnvironment = z.input<Shared>;
