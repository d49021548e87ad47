import * as z from 'zod';
import { topics } from '../events/kinds.ts';
import { followedPanelsSchema } from '../filters/followed-panels.ts';
import { panelStateSettings } from '../panels/settings.ts';
import { minutes, parseInstant } from '../run/instant.ts';
import { longestOverlapMinutes } from '../store/overlap.ts';

/**
 * The environment variables of the functions. The deployment writes them under the same names (`lib`). Each schema is made when it
 * is needed: a function reads one of them, as it starts.
 */

/** An environment variable of the function is missing or wrong. */
class EnvironmentError extends Error {
  override readonly name = 'EnvironmentError';
  readonly code = 'SETTINGS_WRONG';
}

/**
 * The function's settings, read from its environment variables.
 *
 * @throws {EnvironmentError} when a variable is missing or wrong; the message names each one and what it must hold
 */
export function readEnvironment<Schema extends z.ZodType>(
  schema: Schema,
  environment: Readonly<Record<string, string | undefined>>,
): z.output<Schema> {
  // Compiled code of a schema pays where it reads more than one value.
  const settings = schema.safeParse(environment, { jitless: true });
  if (settings.success) return settings.data;
  const wrong = settings.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new EnvironmentError(
    `Reading the function's environment variables: ${wrong.join('; ')}. Deploy the stack again: it sets them all.`,
  );
}

const text = z.string().min(1);

/** A variable that holds JSON. `what` is what it holds, such as `a JSON object of topic names and ARNs`. */
const jsonVariable = (what: string) =>
  z.string().transform((value, context) => {
    try {
      return JSON.parse(value) as unknown;
    } catch {
      context.addIssue({ code: 'custom', message: `must be ${what}` });
      return z.NEVER;
    }
  });

const common = () => ({
  CATALOGUE_NAME: text,
  CATALOGUE_URL: z.url(),
  /** The address of the catalogue that is relayed at `CATALOGUE_URL`. */
  CATALOGUE_ORIGINAL: z.url().optional(),
  TABLE_NAME: text,
  HISTORY_TABLE_NAME: text,
  /** Days for which events are kept in the history; without end where absent. */
  HISTORY_DAYS: z
    .string()
    .regex(/^[1-9]\d*$/, 'must be a whole number of days')
    .transform(Number)
    .optional(),
  TOPIC_ARNS: jsonVariable('a JSON object of topic names and ARNs').pipe(
    z.record(z.enum(topics), z.string().startsWith('arn:')),
  ),
  /** How the states of panels are read and kept. */
  PANEL_STATES: jsonVariable('a JSON object of the settings of panel states')
    .pipe(panelStateSettings)
    .prefault('{}'),
  METRICS_NAMESPACE: text,
  /** The last day of the credential, such as `2027-03-31`. */
  CREDENTIAL_EXPIRES: z.string().optional(),
});

/** The variables of a function that reads one catalogue: those that all such functions share, and the function's own. */
const catalogueSettings = <const Own extends z.core.$ZodLooseShape>(own: Own) => {
  const shared = { ...common(), ...own };
  return z.discriminatedUnion('ACCESS', [
    z.object({ ...shared, ACCESS: z.literal('none') }),
    z.object({ ...shared, ACCESS: z.literal('header'), SECRET_ID: text }),
    z.object({
      ...shared,
      ACCESS: z.literal('client-credentials'),
      SECRET_ID: text,
      AUTH_URL: z.url(),
      TENANT_ID: text,
      AUTH_RESOURCE: z.string().optional(),
      AUTH_SCOPE: z.string().optional(),
      AUTH_BASIC: z.enum(['form', 'raw']).optional(),
    }),
  ]);
};

type Shared = ReturnType<typeof catalogueSettings<Record<never, never>>>;
/** The shared variables, as read. */
export type CatalogueSettings = z.output<Shared>;
/** The shared variables, as the deployment has to write them. */
export type CatalogueEnvironment = z.input<Shared>;

/** How many minutes before its mark a poll looks for rows that show up late, unless configured. */
export const defaultOverlapMinutes = 15;

const overlapWanted = `must be a whole number of minutes from 0 to ${longestOverlapMinutes}`;

/** An overlap in whole minutes, as an instant's difference. */
const overlapMinutes = z
  .string()
  .regex(/^\d{1,4}$/, overlapWanted)
  .transform(Number)
  .refine((count) => count <= longestOverlapMinutes, overlapWanted)
  .transform(minutes);

const instant = z.string().transform((value, context) => {
  const at = parseInstant(value);
  if (at !== null) return at;
  context.addIssue({ code: 'custom', message: 'must be a time such as 2026-01-31T00:00:00Z' });
  return z.NEVER;
});

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
export type PollEnvironment = z.input<typeof pollSettings>;

/** A listing that lost more of its panels or regions than this, in percent, is not trusted, unless configured. */
export const defaultShrunkenPercent = 20;

/** Where more of the panels than this, in percent, have the same kind of change, it waits, unless configured. */
export const defaultSameChangePercent = 20;

export const sweepSettings = z.lazy(() =>
  catalogueSettings({
    OVERLAP_MINUTES: overlapMinutes,
    SHRUNKEN_PERCENT: z.coerce.number().min(0).max(100),
    SAME_CHANGE_PERCENT: z.coerce.number().min(0).max(100),
  }),
);
export type SweepEnvironment = z.input<typeof sweepSettings>;

export const proveSettings = z.lazy(() =>
  catalogueSettings({
    OVERLAP_MINUTES: overlapMinutes,
    /** The panels that subscriptions name: they are read first. */
    FOLLOWED_PANELS: jsonVariable('a JSON object of panels').pipe(followedPanelsSchema),
    /** The catalogues that this one is compared with, and the path of the file of pairs where one is given. */
    COMPARED_WITH: jsonVariable('a JSON list of catalogues')
      .pipe(z.array(z.object({ catalogue: text, pairs: z.string().optional() })))
      .prefault('[]'),
  }),
);
export type ProveEnvironment = z.input<typeof proveSettings>;

export const notifySettings = z.lazy(() =>
  z.object({
    TABLE_NAME: text,
    HISTORY_TABLE_NAME: text,
    /** A JSON file with the `NotifyPlan`. */
    PLAN_FILE: text,
    TOPIC_PREFIX: z.string().startsWith('arn:'),
    ALARM_EMAIL: text.optional(),
    DEAD_LETTER_QUEUE: z.url(),
    METRICS_NAMESPACE: text,
    SECRET_ID: text.optional(),
    FEED_BUCKET: text.optional(),
  }),
);
export type NotifyEnvironment = z.input<typeof notifySettings>;

export const eventBusSettings = z.lazy(() =>
  z.object({
    EVENT_BUS_ARN: z.string().regex(/^arn:[\w-]+:events:[\w-]+:\d{12}:event-bus\/[\w./-]{1,256}$/),
    /** The `source` of every entry: the deployment's prefix, by which a rule distinguishes stages. */
    EVENT_SOURCE: text,
  }),
);
export type EventBusEnvironment = z.input<typeof eventBusSettings>;

export const relaySettings = z.lazy(() =>
  z.object({
    /** The configured names of the catalogues; the first one's part of the table holds the lease. */
    CATALOGUES: jsonVariable('a JSON list of catalogues').pipe(z.tuple([text]).rest(text)),
    TABLE_NAME: text,
    HISTORY_TABLE_NAME: text,
    RELAY_BUCKET: text,
    /** Where the bucket is served: `https://relay.example.org`. */
    RELAY_ADDRESS: z.url(),
    /** Whether the ended versions of each panel are files, too. */
    RELAY_VERSIONS: z.enum(['true', 'false']).transform((value) => value === 'true'),
    /** The secret with the private Ed25519 key. */
    SIGNING_KEY_ID: text,
  }),
);
export type RelayEnvironment = z.input<typeof relaySettings>;

export const pageSettings = z.lazy(() =>
  z.object({
    TABLE_NAME: text,
    HISTORY_TABLE_NAME: text,
    /** Absent where the settings have no worklist. */
    WORKLIST_TABLE_NAME: text.optional(),
    PEOPLE_TABLE_NAME: text,
    METRICS_NAMESPACE: text,
    /** The address of the page, as browsers see it. */
    PAGE_ADDRESS: z.url(),
    /** A folder with `page.json`, the `PagePlan`, and with what browsers load in `browser/`. */
    PAGE_FOLDER: z.string().startsWith('/'),
    /** The secret of the page at the identity provider; absent for a client without one. */
    CLIENT_SECRET_ID: text.optional(),
    /** The secret whose text seals sign-ins and forms. */
    SESSION_KEY_ID: text,
  }),
);
export type PageEnvironment = z.input<typeof pageSettings>;
