import type { ItemStore } from '../../lambdas/store/items.ts';
import { expiry, partitions } from './people-file.ts';

/** What may be used once only, such as a sign-in that has begun or a token of the provider. */
export interface OneTimeUses {
  /** Whether it was used already. */
  isUsed(id: string): Promise<boolean>;
  /**
   * Uses it up, and returns whether this is its first use.
   * @param ends when it can no longer be used anyway, in milliseconds since the epoch: it is forgotten then
   */
  use(id: string, ends: number): Promise<boolean>;
}

/** What was used stays used when the page is started again; of two that use the same thing at once, one is first. */
export function createOneTimeUses(items: ItemStore): OneTimeUses {
  return {
    isUsed: async (id) => (await items.get(partitions.used, id)) !== null,
    use: (id, ends) => items.create({ partition: partitions.used, id, expires: expiry(ends), value: null }),
  };
}
