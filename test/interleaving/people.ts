import type { Outgoing } from '../../lambdas/channels/channel.ts';
import { type Channel, channelId, channelKinds } from '../../lambdas/channels/channel-settings.ts';
import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import type { Sender, Senders } from '../../lambdas/notify/deliver.ts';
import { createOutbox } from '../../lambdas/notify/outbox.ts';
import type { NotifyPlan } from '../../lambdas/notify/subscription.ts';
import { planOf, subscriptionOf, webhook } from '../notify/notify-harness.ts';
import type { OpenStores } from './kept-stores.ts';
import { createLife, type Life } from './processes.ts';

/** A message that reached its receiver. */
export interface Arrival {
  /** `subscription/channel`. */
  readonly place: string;
  readonly id: string;
  /** Ids of the events that it is about. */
  readonly events: readonly string[];
  /** Whether it says that an earlier attempt may have arrived. */
  readonly saysAgain: boolean;
}

const [people] = planOf().operations.channels;
if (!people) throw new Error('the plan of operations has no channel');

/** A program that gets every event, people who get a message for each panel, and a digest each day. */
export const planNamed = (name: string): NotifyPlan =>
  planOf(
    subscriptionOf({
      name: 'pipeline',
      filter: {},
      channels: [webhook],
      when: { kind: 'at-once', settleMinutes: 0 },
    }),
    subscriptionOf({ name, filter: {}, channels: [people], when: { kind: 'at-once', settleMinutes: 10 } }),
    subscriptionOf({
      name: 'digest',
      filter: {},
      when: { kind: 'digest', every: 'daily', hour: 13, ifNothing: false },
    }),
  );

interface ReceiverOptions {
  readonly stores: { open(life: Life, runId: string): Pick<OpenStores, 'outbox'> };
  readonly life: Life;
  readonly random: () => number;
  /** How likely a receiver refuses a message, or its reply is lost. */
  readonly rate: () => number;
  readonly now: () => number;
  readonly arrived: Arrival[];
}

/** Senders whose receivers refuse messages, and take messages without a reply. */
export function receivers({ stores, life, random, rate, now, arrived }: ReceiverOptions): Senders {
  // What a message is about is looked up beside the process, without a fault.
  const { outbox: store } = stores.open(
    createLife(() => 0),
    'receiver',
  );
  const send = async (message: Outgoing, channel: Channel): Promise<string> => {
    await life.step();
    const kind = random() / (5 * rate());
    if (kind < 0.5) throw new Error('The webhook answered 503');
    const place = { subscription: message.subscription, channel: channelId(channel) };
    const outbox = createOutbox(store, { ...place, now });
    const delivery = (await outbox.deliveries()).find(({ id }) => id === message.id);
    const events = delivery ? await outbox.events(delivery) : [];
    arrived.push({
      place: `${place.subscription}/${place.channel}`,
      id: message.id,
      events: events.map(({ id }: PanelEvent) => id),
      saysAgain: message.notice.footer.some((line) => JSON.stringify(line).includes('Sent again')),
    });
    await life.step();
    if (kind < 1) throw Object.assign(new Error('socket hang up'), { $metadata: {} });
    return 'HTTP 200';
  };
  const sender: Sender = { pauseMs: 100, send };
  return Object.fromEntries(channelKinds.map((kind) => [kind, sender])) as Senders;
}
