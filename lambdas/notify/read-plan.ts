import * as z from 'zod';
import { type Channel, channelKinds, channelSettings } from '../channels/channel-settings.ts';
import { filterSchema } from '../filters/filter-schema.ts';
import { type NotifyPlan, weekdays } from './subscription.ts';

/** The plan that the deployment wrote is not one that this version knows. */
class PlanError extends Error {
  override readonly name = 'PlanError';
  readonly code = 'SETTINGS_WRONG';
}

const privacy = z.object({
  names: z.enum(['kept', 'initials', 'dropped']),
  comments: z.enum(['kept', 'dropped']),
});
const [first, ...others] = channelKinds.map((kind) =>
  z.object({ kind: z.literal(kind), privacy, ...channelSettings[kind].fields }),
);
if (!first) throw new Error('there is no kind of channel');
const channel = z.discriminatedUnion('kind', [first, ...others]);
/** Each kind is read with its own fields, of which the union's type keeps none. */
const channels = z.array(channel).transform((read) => read as unknown as readonly Channel[]);

const when = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('at-once'), settleMinutes: z.number() }),
  z.object({
    kind: z.literal('digest'),
    every: z.enum(['daily', 'weekly', 'monthly']),
    hour: z.number().int().min(0).max(23),
    days: z.array(z.enum(weekdays)).exactOptional(),
    day: z.number().int().min(1).max(28).exactOptional(),
    ifNothing: z.boolean(),
    signOffLag: z.boolean().exactOptional(),
  }),
]);

const planSchema: z.ZodType<NotifyPlan> = z.object({
  prefix: z.string(),
  catalogues: z.array(z.string()),
  subscriptions: z.array(
    z.object({
      name: z.string(),
      filter: filterSchema,
      whenSignedOff: filterSchema.exactOptional(),
      zone: z.string(),
      when,
      channels,
    }),
  ),
  operations: z.object({ zone: z.string(), channels }),
  mailRelay: z
    .object({
      host: z.string(),
      port: z.number(),
      security: z.enum(['tls', 'starttls', 'none']),
      from: z.string(),
      login: z.string().exactOptional(),
    })
    .exactOptional(),
  help: z.object({ contact: z.string().exactOptional(), page: z.string().exactOptional() }).exactOptional(),
});

/**
 * The plan in a file that the deployment wrote.
 * @throws {PlanError} when it is not JSON, or not a plan that this version knows; the message names the place
 */
export function readPlan(text: string, file: string): NotifyPlan {
  const wrong = (seen: string, cause?: unknown): PlanError =>
    new PlanError(
      `Reading the plan of messages in ${file}: ${seen}. Nothing was sent, and nothing is lost. Deploy the stack again with this version: it writes the plan.`,
      { cause },
    );
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch (cause) {
    throw wrong('it is not JSON', cause);
  }
  const read = planSchema.safeParse(given, { jitless: true });
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw wrong(`${issue?.path.join('.') || 'the whole'}: ${issue?.message ?? 'unknown'}`);
}
