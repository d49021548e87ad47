import * as z from 'zod';
import { type MessageSubscription, messageSubscriptionSchema } from './message-subscription-settings.ts';
import { type QueueSubscription, queueSubscriptionSchema } from './queue-subscription-settings.ts';

/** A subscription of people or of a queue, with every default filled in. */
export type Subscription = MessageSubscription | QueueSubscription;
type Input = z.input<typeof messageSubscriptionSchema> | z.input<typeof queueSubscriptionSchema>;

/**
 * A subscription of either form: with `channels`, to readable messages; with `topics`, of a queue (or an address) to
 * the events of some topics as JSON. An error refers to the form whose keys are present.
 */
export const subscriptionSchema = z.unknown().transform((value, context): Subscription => {
  const meant = isQueueForm(value) ? queueSubscriptionSchema : messageSubscriptionSchema;
  const result = meant.safeParse(value);
  if (result.success) return result.data;
  for (const issue of result.error.issues) context.issues.push({ ...issue, input: value } as never);
  return z.NEVER;
}) as z.ZodType<Subscription, Input>;

const isQueueForm = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  !('channels' in value) &&
  ('topics' in value || 'queue' in value || 'email' in value);

/** Whether a subscription sends messages to people. */
export const hasChannels = (subscription: Subscription): subscription is MessageSubscription =>
  'channels' in subscription;
