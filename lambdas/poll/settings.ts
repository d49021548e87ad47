import * as z from 'zod';
import { minutes, parseInstant } from '../clock/instant.ts';
import { topics } from '../events/topics.ts';

/** What the environment of the `poll` function must hold; the deployment writes it under the same names. */
const arn = z.string().startsWith('arn:');

const topicArns = z
  .string()
  .transform((text, context) => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      context.addIssue({ code: 'custom', message: 'must be a JSON object of topic names and ARNs' });
      return z.NEVER;
    }
  })
  .pipe(z.record(z.enum(topics), arn));

const instant = z.string().transform((text, context) => {
  const at = parseInstant(text);
  if (at !== null) return at;
  context.addIssue({ code: 'custom', message: 'must be a time such as 2026-01-31T00:00:00Z' });
  return z.NEVER;
});

const common = z.object({
  CATALOGUE_NAME: z.string().min(1),
  CATALOGUE_URL: z.url(),
  TABLE_NAME: z.string().min(1),
  TOPIC_ARNS: topicArns,
  METRICS_NAMESPACE: z.string().min(1),
  OVERLAP_MINUTES: z.coerce.number().min(0).max(1440).default(15).transform(minutes),
  START_FROM: instant.optional(),
  CREDENTIAL_EXPIRES: z.string().optional(),
});

const settingsSchema = z.discriminatedUnion('ACCESS', [
  common.extend({ ACCESS: z.literal('none') }),
  common.extend({ ACCESS: z.literal('header'), SECRET_ID: z.string().min(1) }),
  common.extend({
    ACCESS: z.literal('client-credentials'),
    SECRET_ID: z.string().min(1),
    AUTH_URL: z.url(),
    TENANT_ID: z.string().min(1),
    AUTH_RESOURCE: z.string().optional(),
    AUTH_SCOPE: z.string().optional(),
    AUTH_BASIC: z.enum(['form', 'raw']).optional(),
  }),
]);

export type PollSettings = z.output<typeof settingsSchema>;

/** The names of all settings, as the deployment has to write them. */
export type PollEnvironment = z.input<typeof settingsSchema>;

/** A setting is missing or wrong. */
class SettingsError extends Error {
  override readonly name = 'SettingsError';
  readonly code = 'SETTINGS_WRONG';
}

/** The function's settings. Fails with a `SettingsError` that names each variable and what it must hold. */
export function readSettings(environment: Readonly<Record<string, string | undefined>>): PollSettings {
  const settings = settingsSchema.safeParse(environment);
  if (settings.success) return settings.data;
  const faults = settings.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new SettingsError(
    `Reading the settings of the function from its environment: ${faults.join('; ')}. Deploy it with the stack of this repository, which sets them all.`,
  );
}
