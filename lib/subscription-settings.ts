import type * as z from 'zod';
import type { Filter } from '../lambdas/filters/filter.ts';
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

/** The filters of subscriptions, as far as they name panels: of the policy of a queue, its plain values. */
export const filtersOf = (subscriptions: Readonly<Record<string, Subscription>>): readonly Filter[] =>
  Object.values(subscriptions).map((each) => (hasChannels(each) ? each.filter : panelsOfPolicy(each.filter)));

function panelsOfPolicy({ catalogue, panelId = [], panelTypes = [] }: QueueSubscription['filter']): Filter {
  const texts = (values: readonly unknown[]): string[] => values.filter((value) => typeof value === 'string');
  return {
    // A matcher may let any catalogue pass.
    ...(catalogue?.every((value) => typeof value === 'string') && { catalogues: texts(catalogue) }),
    panels: panelId.filter((value) => typeof value === 'number'),
    panelTypes: texts(panelTypes),
  };
}
