import type { Message } from '../publishing/message.ts';
import type { Clock } from '../run/clock.ts';
import { type Item, number } from './dynamodb-call.ts';
import { ABSENT, asRead, type DynamoTable, keyItem } from './dynamodb-table.ts';
import { entityItem, panelItem, readEntity, readPanel } from './known-items.ts';
import { entityAfter, panelAfter, silentAfter } from './learnt.ts';
import { pack, unpack } from './packed.ts';
import { panelKey } from './panel-key.ts';
import { POSITION } from './position-item.ts';
import { eventsIn, eventsSchema, PUBLISHED_SECONDS, type PublishedEvent } from './published.ts';
import { damagedState } from './state-error.ts';
import type { StateStore } from './store.ts';

interface DynamoPublished extends Pick<StateStore, 'published' | 'silent' | 'learn'> {
  /** Keeps the events of a chunk under the version of the position that recorded it. */
  keep(messages: readonly Message[], version: number): Promise<void>;
}

interface Partitions {
  /** Where the position is. */
  readonly pk: string;
  readonly clock: Clock;
}

const PREFIX = 'silent#';
/** Nothing is recorded that is perhaps not published. */
const AT_REST = 'attribute_exists(pk) AND attribute_not_exists(pending)';

const versionKey = (version: number): string => String(version).padStart(12, '0');

/** What the poller published, and what was found without a row: both are read from the table, never from an index. */
export function createDynamoPublished(table: DynamoTable, { pk, clock }: Partitions): DynamoPublished {
  const publishedPk = `${pk}#published`;
  const knownPk = `${pk}#known`;

  const orDamaged = <Value>(read: () => Value): Value => {
    try {
      return read();
    } catch (cause) {
      throw damagedState(
        `the published events in ${table.where}`,
        cause,
        'Restore the table to an earlier time (point-in-time recovery).',
      );
    }
  };

  /** Writes an item unless another run has written it since it was read. */
  const putAsRead = async (sk: string, item: Item, before: Item | undefined): Promise<void> =>
    void (await table.putIf(
      { ...keyItem({ pk: knownPk, sk }), ...item },
      before ? asRead(before.version ?? number(0)) : ABSENT,
    ));

  /** A poll that has read what was known before stops before it records anything, and begins again. */
  const outdateReaders = (): Promise<void> =>
    table.update(
      { pk, sk: POSITION },
      {
        UpdateExpression: 'ADD version :one',
        ConditionExpression: AT_REST,
        ExpressionAttributeValues: { ':one': number(1) },
      },
    );

  const knownItems = (sks: readonly string[]): Promise<ReadonlyMap<string, Item>> =>
    table.getAll(sks.map((sk) => ({ pk: knownPk, sk })));
  const silentItems = (ids: readonly number[]) => knownItems(ids.map((id) => PREFIX + id));
  const silentIn = (item: Item | undefined) =>
    item?.events ? orDamaged(() => unpack(item.events, eventsSchema)) : [];

  return {
    async keep(messages, version) {
      const events = eventsIn(messages);
      if (events.length === 0) return;
      const expires = Math.ceil(clock.now() / 1000) + PUBLISHED_SECONDS;
      await table.put({
        ...keyItem({ pk: publishedPk, sk: versionKey(version) }),
        events: pack(events),
        expires: number(expires),
      });
    },

    async published(after) {
      const events: PublishedEvent[] = [];
      let last = after;
      for await (const item of table.query({ pk: publishedPk, from: versionKey(after + 1) })) {
        const version = Number(item.sk?.S);
        last = version;
        for (const event of orDamaged(() => unpack(item.events, eventsSchema)))
          events.push({ version, event });
      }
      return { version: last, events };
    },

    async silent(ids) {
      const items = await silentItems(ids);
      return new Map(ids.map((id) => [id, silentIn(items.get(PREFIX + id))]));
    },

    async learn(learnt) {
      // No poll has begun: what it begins with is for it to decide.
      if (!(await table.get({ pk, sk: POSITION }))) return;
      const { ratings, versions, silent, asOf } = learnt;
      const isOld = (item: Item | undefined): boolean => Number(item?.version?.N ?? 0) <= asOf;
      const panelIds = [...versions.keys()];
      const known = await knownItems([...ratings.keys(), ...panelIds.map(panelKey)]);
      for (const [key, rating] of ratings) {
        const before = known.get(key);
        if (!isOld(before)) continue;
        const state = entityAfter(before && readEntity(before, table.where), [key, rating], learnt);
        await putAsRead(key, entityItem(state, asOf), before);
      }
      for (const [id, version] of versions) {
        const before = known.get(panelKey(id));
        if (!isOld(before)) continue;
        const state = panelAfter(before && readPanel(before, table.where), version, learnt);
        await putAsRead(panelKey(id), panelItem(state, asOf), before);
      }
      const kept = await silentItems([...silent.keys()]);
      for (const [id, events] of silent) {
        const all = silentAfter(silentIn(kept.get(PREFIX + id)), events);
        await table.put({ ...keyItem({ pk: knownPk, sk: PREFIX + id }), events: pack(all) });
      }
      if (ratings.size + versions.size > 0) await outdateReaders();
    },
  };
}
