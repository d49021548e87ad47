import type { ChannelMemory } from '../channels/channel.ts';
import { type Channel, channelId } from '../channels/channel-settings.ts';
import type { Log } from '../run/log.ts';
import type { ItemStore } from '../store/items.ts';
import { createOutbox, type Outbox } from './outbox.ts';
import type { Subscription } from './subscription.ts';

/** One channel of one subscription, with the outbox of its messages. */
export interface Recipient {
  readonly subscription: Subscription;
  readonly channel: Channel;
  readonly outbox: Outbox;
  readonly memory: ChannelMemory;
}

interface MemoryOptions {
  readonly subscription: string;
  /** As `channelId` names it. */
  readonly channel: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

const DAY_SECONDS = 86_400;

/** What one channel of one subscription remembers, in the store of the outbox. */
export function channelMemory(
  store: ItemStore,
  { subscription, channel, now }: MemoryOptions,
): ChannelMemory {
  const partition = `notify#${subscription}#${channel}`;
  return {
    get: async (key) => (await store.get(partition, key))?.value,
    async set(key, value, { days } = {}) {
      const expires = days === undefined ? {} : { expires: Math.floor(now() / 1000) + days * DAY_SECONDS };
      await store.put({ partition, id: key, value, ...expires });
    },
  };
}

/** The partition with the name of each recipient that ever got an outbox. */
const REGISTER = 'notify#recipients';

/** A recipient that the settings no longer have, with an outbox that is not empty. */
export interface Orphan {
  readonly subscription: string;
  /** As `channelId` names it. */
  readonly channel: string;
  readonly outbox: Outbox;
}

/** The channels of a subscription, each with its outbox. */
export function recipientsOf(
  subscription: Subscription,
  { store, now }: { readonly store: ItemStore; readonly now: () => number },
): readonly Recipient[] {
  return subscription.channels.map((channel) => {
    const place = { subscription: subscription.name, channel: channelId(channel), now };
    return {
      subscription,
      channel,
      outbox: createOutbox(store, place),
      memory: channelMemory(store, place),
    };
  });
}

/** Which recipients have an outbox, also those that the settings no longer name. */
interface Register {
  /** Notes the recipients of the settings before anything is kept for them; once a process. */
  note(): Promise<void>;
  /** Notes the recipients, and logs those that the settings no longer have; once a process. */
  report(): Promise<void>;
  /** Recipients that were renamed, replaced or left out while messages waited for them. */
  orphans(): Promise<readonly Orphan[]>;
}

/** The register of the recipients in a store. */
export function createRegister(
  recipients: readonly Recipient[],
  { store, now, log }: { readonly store: ItemStore; readonly now: () => number; readonly log: Log },
): Register {
  const names = new Set(recipients.map(nameOf));
  let noted = false;
  let reported = false;

  async function orphans(): Promise<readonly Orphan[]> {
    const found: Orphan[] = [];
    for (const { id } of await store.list(REGISTER, '')) {
      if (names.has(id)) continue;
      const [subscription = '', ...rest] = id.split('#');
      const channel = rest.join('#');
      const outbox = createOutbox(store, { subscription, channel, now });
      const left = [await outbox.waiting(), await outbox.deliveries(), await outbox.aside()].flat().length;
      if (left > 0) found.push({ subscription, channel, outbox });
      else await store.remove(REGISTER, id);
    }
    return found;
  }

  async function note(): Promise<void> {
    if (noted) return;
    for (const name of names) await store.create({ partition: REGISTER, id: name, value: null });
    noted = true;
  }

  return {
    orphans,
    note,
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

const nameOf = ({ subscription, channel }: Recipient): string => `${subscription.name}#${channelId(channel)}`;
