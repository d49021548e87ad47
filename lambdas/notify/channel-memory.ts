import type { ChannelMemory } from '../channels/channel.ts';
import type { ItemStore } from '../store/items.ts';

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
