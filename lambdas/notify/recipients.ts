import type { ChannelMemory } from '../channels/channel.ts';
import { type Channel, channelId } from '../channels/channel-settings.ts';
import { DAY_SECONDS } from '../run/clock.ts';
import type { Log } from '../run/log.ts';
import type { ItemStore } from '../store/items.ts';
import { createOutbox, type Outbox, outboxPartition } from './outbox.ts';
import { type NotifyPlan, OPERATIONS, type Subscription } from './subscription.ts';

/** A subscription and one of its channels, as `channelId` names it: `slack:lab`. */
export interface Place {
  readonly subscription: string;
  readonly channel: string;
}

/** One channel of one subscription, with the outbox of its messages. */
export interface Recipient {
  readonly subscription: Subscription;
  readonly channel: Channel;
  readonly outbox: Outbox;
  readonly memory: ChannelMemory;
}

/** Where what is kept lies; the time in milliseconds since the epoch. */
export interface KeptPlace {
  readonly store: ItemStore;
  readonly now: () => number;
}

/** What one channel of one subscription remembers, in the store of the outbox. */
export function channelMemory({ store, now }: KeptPlace, place: Place): ChannelMemory {
  const partition = outboxPartition(place);
  return {
    get: async (key) => (await store.get(partition, key))?.value,
    async set(key, value, { days } = {}) {
      const expires = days === undefined ? {} : { expires: Math.floor(now() / 1000) + days * DAY_SECONDS };
      await store.put({ partition, id: key, value, ...expires });
    },
  };
}

/** The channels of a subscription, each with its outbox. */
export const recipientsOf = (subscription: Subscription, kept: KeptPlace): readonly Recipient[] =>
  subscription.channels.map((channel) => {
    const place = { subscription: subscription.name, channel: channelId(channel) };
    const outbox = createOutbox(kept.store, { ...place, now: kept.now });
    return { subscription, channel, outbox, memory: channelMemory(kept, place) };
  });

/** The subscription of those who run the notifier: to its alarms. */
export const operationsOf = ({ operations }: Pick<NotifyPlan, 'operations'>): Subscription => ({
  ...{ name: OPERATIONS, filter: {}, when: { kind: 'at-once', settleMinutes: 0 } },
  ...operations,
});

/** The place of a recipient. */
export const placeOf = ({ subscription, channel }: Recipient): Place => ({
  subscription: subscription.name,
  channel: channelId(channel),
});

/** The partition with the name of each recipient that ever got an outbox. */
const REGISTER = 'notify#recipients';

/** The places that ever got an outbox, also those that the settings no longer name. */
export const registeredPlaces = async ({ store }: Pick<KeptPlace, 'store'>): Promise<readonly Place[]> =>
  (await store.list(REGISTER)).map(({ id }) => {
    const [subscription = '', ...channel] = id.split('#');
    return { subscription, channel: channel.join('#') };
  });

/** A recipient that the settings no longer have, with an outbox that is not empty. */
interface Orphan extends Place {
  readonly outbox: Outbox;
}

/** Which recipients have an outbox. */
export type Register = ReturnType<typeof createRegister>;

/** The register of the recipients in a store. */
export function createRegister(
  recipients: readonly Recipient[],
  { store, now, log }: KeptPlace & { readonly log: Log },
) {
  const names = new Set(recipients.map((recipient) => nameOf(placeOf(recipient))));
  let noted = false;
  let reported = false;

  async function orphans(): Promise<readonly Orphan[]> {
    const found: Orphan[] = [];
    for (const place of await registeredPlaces({ store })) {
      if (names.has(nameOf(place))) continue;
      const outbox = createOutbox(store, { ...place, now });
      const left = [await outbox.waiting(), await outbox.deliveries()].flat().length;
      if (left > 0) found.push({ ...place, outbox });
      else if ((await outbox.sent()).length === 0) await store.remove(REGISTER, nameOf(place));
    }
    return found;
  }

  async function note(): Promise<void> {
    if (noted) return;
    for (const name of names) await store.create({ partition: REGISTER, id: name, value: null });
    noted = true;
  }

  return {
    /** Recipients that were renamed, replaced or left out while messages waited for them. */
    orphans,
    /** Notes the recipients of the settings before anything is kept for them; once a process. */
    note,
    /** Notes the recipients, and logs those that the settings no longer have; once a process. */
    async report() {
      if (reported) return;
      await note();
      for (const { subscription, channel } of await orphans()) {
        log.warn(
          'Messages wait for a channel that the settings no longer have. "messages list" shows them; "messages move" hands them to another channel, "messages drop" drops them',
          { subscription, channel },
        );
      }
      reported = true;
    },
  };
}

const nameOf = ({ subscription, channel }: Place): string => `${subscription}#${channel}`;
