import type { ItemStore, KeptItem } from '../store/items.ts';
import type { AlarmChange } from '../words/alarm.ts';
import { itemValue, outboxValues } from './outbox-values.ts';

/** What is noted of one channel of one subscription beside its deliveries. Times in milliseconds since the epoch. */
export interface OutboxNotes {
  /** The last change of an alarm that was taken in; null where there was none. */
  lastAlarm(
    alarm: Pick<AlarmChange, 'alarm' | 'catalogue'>,
  ): Promise<Pick<AlarmChange, 'state' | 'at'> | null>;
  saveAlarm(change: AlarmChange): Promise<void>;
  /** The end of the last digest's period; null before the first one. */
  lastDigest(): Promise<number | null>;
  saveLastDigest(at: number): Promise<void>;
  /** When the last messages were begun: as they were saved. */
  recentlyBegun(): Promise<readonly number[]>;
  saveRecentlyBegun(at: readonly number[]): Promise<void>;
  /** Reserves the outbox until a time, so that only `holder` sends; false where another holder has it. */
  lease(holder: string, until: number, now: number): Promise<boolean>;
  release(holder: string): Promise<void>;
}

/** Opens the notes in a partition of the store. */
export function createOutboxNotes(store: ItemStore, partition: string): OutboxNotes {
  const read = <Value>(id: string, parse: (item: KeptItem) => Value): Promise<Value | null> =>
    store.get(partition, id).then((item) => (item ? parse(item) : null));
  const save = (id: string, value: unknown): Promise<void> => store.put({ partition, id, value });

  return {
    lastAlarm: (alarm) => read(alarmKey(alarm), (item) => itemValue(item, outboxValues.alarm)),
    saveAlarm: (change) => save(alarmKey(change), { state: change.state, at: change.at }),
    lastDigest: () => read('digest', (item) => itemValue(item, outboxValues.digest).at),
    saveLastDigest: (at) => save('digest', { at }),
    recentlyBegun: async () =>
      (await read('recent', (item) => itemValue(item, outboxValues.recent).at)) ?? [],
    saveRecentlyBegun: (at) => save('recent', { at }),
    async lease(holder, until, at) {
      const value = { holder, until };
      if (await store.create({ partition, id: 'lease', value })) return true;
      const item = await store.get(partition, 'lease');
      if (!item) return false;
      const held = itemValue(item, outboxValues.lease);
      if (held.until > at && held.holder !== holder) return false;
      return store.replace({ ...item, value });
    },
    async release(holder) {
      const held = await read('lease', (item) => itemValue(item, outboxValues.lease));
      if (held?.holder === holder) await store.remove(partition, 'lease');
    },
  };
}

const alarmKey = ({ alarm, catalogue }: Pick<AlarmChange, 'alarm' | 'catalogue'>): string =>
  `alarm#${catalogue ?? ''}#${alarm}`;
