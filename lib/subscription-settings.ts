import type * as z from 'zod';
import { type MessageSubscription, messageSubscriptionSchema } from './message-subscription-settings.ts';
import { type QueueSubscription, queueSubscriptionSchema } from './queue-subscription-settings.ts';
import { formMeant } from './setting-kinds.ts';

/** A subscription of people or of a queue, with every default filled in. */
export type Subscription = MessageSubscription | QueueSubscription;
type Input = z.input<typeof messageSubscriptionSchema> | z.input<typeof queueSubscriptionSchema>;

/**
 * A subscription of either form: with `channels`, to readable messages; with `topics`, of a queue (or an address) to
 * the events of some topics as JSON. An error refers to the form whose keys are present.
 */
export const subscriptionSchema = formMeant<Subscription, Input>((value) =>
  isQueueForm(value) ? queueSubscriptionSchema : messageSubscriptionSchema,
);

const isQueueForm = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  !('channels' in value) &&
  ('topics' in value || 'queue' in value || 'email' in value);

/** Whether a subscription sends messages to people. */
export const hasChannels = (subscription: Subscription): subscription is MessageSubscription =>
  'channels' in subscription;
