import type { Message } from '../publishing/message.ts';
import type { Clock } from '../run/clock.ts';
import { number, orCorrupt } from './dynamodb-call.ts';
import { type DynamoTable, keyItem } from './dynamodb-table.ts';
import { pack, unpack } from './packed.ts';
import { eventsIn, eventsSchema, PUBLISHED_SECONDS, type PublishedEvent } from './published.ts';
import type { StateStore } from './store.ts';

interface DynamoPublished extends Pick<StateStore, 'published'> {
  /** Keeps the events of a chunk under the version of the position that recorded it. */
  keep(messages: readonly Message[], version: number): Promise<void>;
}

const versionKey = (version: number): string => String(version).padStart(12, '0');

/** What the poller published, in a partition of its own: it is read from the table, never from an index. */
export function createDynamoPublished(
  table: DynamoTable,
  { pk, clock }: { readonly pk: string; readonly clock: Clock },
): DynamoPublished {
  return {
    async keep(messages, version) {
      const events = eventsIn(messages);
      if (events.length === 0) return;
      const expires = Math.ceil(clock.now() / 1000) + PUBLISHED_SECONDS;
      await table.put({
        ...keyItem({ pk, sk: versionKey(version) }),
        events: pack(events),
        expires: number(expires),
      });
    },

    async published(after) {
      const events: PublishedEvent[] = [];
      let last = after;
      for await (const item of table.query({ pk, from: versionKey(after + 1) })) {
        const version = Number(item.sk?.S);
        last = version;
        const own = orCorrupt(`the published events in ${table.where}`, () =>
          unpack(item.events, eventsSchema),
        );
        events.push(...own.map((event) => ({ version, event })));
      }
      return { version: last, events };
    },
  };
}
