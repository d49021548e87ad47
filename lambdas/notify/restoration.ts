import type { ItemStore } from '../store/items.ts';
import { type DeliveryContent, itemValue, outboxValues } from './delivery.ts';

const PLACE = { partition: 'notify#place', id: 'place' } as const;
const RESTORED = { partition: 'notify#place', id: 'restored' } as const;

/** Days after a restore for which messages about what is older say that they may come again. */
const SAID_DAYS = 30;

/** When what the outbox keeps was restored from a backup, or copied: it may lack that messages were sent. */
interface Restoration {
  /** Notes a restore that was found elsewhere: in the state of the same file. */
  note(): Promise<void>;
  /** Notes the place, once a process; where another one is noted already, the outbox was restored or copied. */
  notePlace(): Promise<void>;
  /** When the last restore was noticed, in milliseconds since the epoch; null where none was, or long ago. */
  at(): Promise<number | null>;
}

/**
 * What is known of restores in a store.
 * @param place names the table; null where the state of the file knows of a restore itself
 */
export function createRestoration(
  store: ItemStore,
  { place, now }: { readonly place: string | null; readonly now: () => number },
): Restoration {
  let noted = false;

  async function note(): Promise<void> {
    const expires = Math.floor(now() / 1000) + SAID_DAYS * 86_400;
    const item = { ...RESTORED, expires, value: { at: now() } };
    const before = await store.get(RESTORED.partition, RESTORED.id);
    if (before) await store.replace({ ...before, ...item });
    else await store.create(item);
  }

  return {
    note,
    async notePlace() {
      if (noted || place === null) return;
      const before = await store.get(PLACE.partition, PLACE.id);
      if (!before) await store.create({ ...PLACE, value: { place } });
      else if (itemValue(before, outboxValues.place).place !== place) {
        // Noted first: a run that dies between notes it again.
        await note();
        await store.replace({ ...before, value: { place } });
      }
      noted = true;
    },
    async at() {
      const item = await store.get(RESTORED.partition, RESTORED.id);
      return item ? itemValue(item, outboxValues.digest).at : null;
    },
  };
}

/**
 * Whether a message may have been sent before what the outbox keeps was restored.
 * @param times when the events of the message came about, as ISO 8601
 * @param restoredAt milliseconds since the epoch
 */
export function mayHaveBeenSent(
  content: DeliveryContent,
  times: readonly (string | undefined)[],
  restoredAt: number,
): boolean {
  const isBefore = (time: string | undefined): boolean => time !== undefined && Date.parse(time) < restoredAt;
  switch (content.kind) {
    case 'events':
      return times.some(isBefore);
    case 'digest':
      return isBefore(content.period.until);
    case 'alarm':
      return isBefore(content.alarm.at);
    default:
      return content satisfies never;
  }
}
