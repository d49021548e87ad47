import { byReceiver } from '../lambdas/channels/channel-settings.ts';
import type { NotifyPlan, ReaderHelp } from '../lambdas/notify/subscription.ts';
import type { Deployment } from './settings.ts';
import { channelsOf, type MessageSubscription, subscriptionOf } from './subscription-settings.ts';

/** The settings as the function that sends messages takes them. */
export function planOf(
  {
    prefix,
    catalogues,
    operations,
    messages: { relay, contact, page },
  }: Pick<Deployment, 'prefix' | 'catalogues' | 'operations' | 'messages'>,
  subscriptions: Readonly<Record<string, MessageSubscription>>,
): NotifyPlan {
  return {
    prefix,
    catalogues: Object.keys(catalogues),
    comparedWith: Object.fromEntries(
      Object.entries(catalogues).map(([name, { comparedWith }]) => [name, Object.keys(comparedWith)]),
    ),
    subscriptions: Object.entries(subscriptions).map(([name, each]) => {
      const subscription = subscriptionOf(name, each);
      return { ...subscription, channels: byReceiver(subscription.channels) };
    }),
    operations: { zone: operations.zone, channels: byReceiver(channelsOf(operations.channels)) },
    help: helpOf({ contact, page }),
    ...(relay && {
      mailRelay: {
        host: relay.host,
        port: relay.port,
        security: relay.security,
        from: relay.from,
        ...(relay.login !== undefined && { login: relay.login }),
      },
    }),
  };
}

/** What the settings offer to readers who want other messages, or none. */
export const helpOf = ({ contact, page }: Pick<Deployment['messages'], 'contact' | 'page'>): ReaderHelp => ({
  ...(contact !== undefined && { contact }),
  ...(page !== undefined && { page }),
});
