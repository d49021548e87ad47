import type * as z from 'zod';
import type { Message } from '../publishing/message.ts';
import type { Clock } from '../run/clock.ts';
import { inGroups } from '../run/in-groups.ts';
import type { Instant } from '../run/instant.ts';
import { createShapes } from './documents.ts';
import {
  beganItem,
  createDynamoLedger,
  createDynamoPosition,
  type DynamoPosition,
  isOfThisBeginning,
  isRecordable,
  type ReadPosition,
} from './dynamodb-position.ts';
import {
  ABSENT,
  asRead,
  createStateTable,
  type DynamoTable,
  type Item,
  keyItem,
  number,
  orCorrupt,
  type StateTableOptions,
} from './dynamodb-table.ts';
import { packedBody, packedIn } from './items.ts';
import { createDynamoItems, createDynamoListing } from './items-dynamodb.ts';
import {
  type EntityState,
  entitySchema,
  type KnownStates,
  type Learnt,
  type PanelState,
  panelIdOf,
  panelKey,
  panelSchema,
  type SavedState,
  silentAfter,
  statesAfter,
} from './known-states.ts';
import { packJson, unpack } from './packed.ts';
import { firstPosition, mayForget, movedPosition, movesBack, nextPosition } from './position.ts';
import {
  eventsJson,
  eventsSchema,
  type MovableStore,
  PUBLISHED_SECONDS,
  type Published,
  type PublishedEvent,
  type Rollback,
  type StateStore,
} from './store.ts';
import { partitionOf } from './table-keys.ts';

/** The state of one catalogue in DynamoDB (`items.ts` shows the keys). */
export function createStateStore(options: StateTableOptions): MovableStore {
  const { catalogue, runId, clock } = options;
  const table = createStateTable(options);
  const pk = partitionOf(catalogue);
  const positions = createDynamoPosition(table, { pk, options });
  const ledger = createDynamoLedger(table, pk);
  const knownStates = createDynamoKnownStates(table, `${pk}#known`, positions);
  const publications = createDynamoPublished(table, `${pk}#published`, clock);

  return {
    async load(overlap) {
      const items = await positions.load(overlap);
      if (!items) return null;
      const { position, pending } = items.read;
      return { position, pending, seen: ledger.load(items), rollback: rollbackOf(items.read, options.table) };
    },

    async begin(at, rows, known = { entities: new Map(), panels: new Map() }) {
      await ledger.begin(rows, runId);
      await knownStates.save(known, 1, runId);
      return positions.begin(firstPosition(at));
    },

    chunkRows: 100,
    canRecord: isRecordable,

    record: (position, chunk) => positions.write(position, nextPosition(position, {}), chunk),

    async advance(position, chunk) {
      const replaced = await ledger.add(chunk.rows, position.version);
      await knownStates.save(chunk, position.version);
      await publications.keep(chunk.messages, position.version);
      const after = await positions.write(position, nextPosition(position, chunk.next));
      await table.removeAll(replaced.map((sk) => ({ pk, sk })));
      return after;
    },

    update: (position, change) => positions.write(position, nextPosition(position, change)),

    // One write, so that a poll that begins meanwhile sees all of the move or none of it.
    moveMark: (position, mark) =>
      positions.write(position, movedPosition(position, mark, movesBack(position, mark))),

    async forgetBefore(instant) {
      const read = await positions.read();
      if (!read || read.pending) return;
      const { position } = read;
      if (!mayForget(position, instant)) return;
      // From this write on no poll reads what is deleted then; where a run dies between, the next one deletes it.
      await positions.write(position, nextPosition(position, { ledgerSince: instant }));
      await ledger.forgetBefore(instant);
      await knownStates.forgetBefore(instant);
    },

    ledger: ledger.since,
    entities: knownStates.entities,
    panels: knownStates.panels,
    published: publications.published,
    silent: knownStates.silent,
    learn: knownStates.learn,
    ...createShapes(
      createDynamoItems({ ...options, what: `the wordings of catalogue "${catalogue}"` }),
      catalogue,
    ),
    ...createDynamoListing(options),
  };
}

/** A position that was written to another table was restored from a backup, or copied. */
const rollbackOf = ({ table: before }: ReadPosition, table: string): Rollback | null =>
  before === table
    ? null
    : {
        found: `It was written to table "${before}" and is read from table "${table}": this table was restored from a backup, or copied.`,
        mark: null,
      };

const versionKey = (version: number): string => String(version).padStart(12, '0');

/** What the poller published, in a partition of its own: it is read from the table, never from an index. */
function createDynamoPublished(table: DynamoTable, pk: string, clock: Clock) {
  return {
    async keep(messages: readonly Message[], version: number): Promise<void> {
      if (messages.length === 0) return;
      const expires = Math.ceil(clock.now() / 1000) + PUBLISHED_SECONDS;
      await table.put({
        ...keyItem({ pk, sk: versionKey(version) }),
        events: packJson(eventsJson(messages)),
        expires: number(expires),
      });
    },

    async published(after: number): Promise<Published> {
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

/** A run that another has overtaken must not replace a newer state by an older one. */
const NOT_NEWER = 'attribute_not_exists(pk) OR version <= :version';

const PARALLEL = 8;

const silentKey = (id: number): string => `silent#${id}`;

/**
 * The attributes of a state, with the version of the position that saves it. `unratedSince` has those of an entity of which nothing is
 * known but that its rating is not.
 */
export function stateItem(state: EntityState | PanelState, version: number): Item {
  const isUnrated = 'rating' in state && state.rating === null && state.unpaired.length === 0;
  return {
    version: number(version),
    value: packedBody(state),
    ...(isUnrated && { unratedSince: number(state.at) }),
  };
}

/** The states of entities and panels, and the events without a row, in a partition of their own. */
function createDynamoKnownStates(
  table: DynamoTable,
  pk: string,
  { began, isBegun, outdateReaders }: Pick<DynamoPosition, 'began' | 'isBegun' | 'outdateReaders'>,
) {
  const itemsOf = (sks: readonly string[]) => table.getAll(sks.map((sk) => ({ pk, sk })));
  const valueIn = <Shape extends z.ZodType>({ value }: Item, schema: Shape): z.output<Shape> =>
    orCorrupt(table.where, () => schema.parse(packedIn(value)));
  const statesOf = async <Shape extends z.ZodType>(
    keys: readonly string[],
    schema: Shape,
  ): Promise<Map<string, z.output<Shape>>> => {
    const own = [...(await itemsOf(keys))].filter(([, item]) => isOfThisBeginning(item, began()));
    return new Map(own.map(([key, item]) => [key, valueIn(item, schema)]));
  };
  const silent: StateStore['silent'] = async (ids) => {
    const items = await itemsOf(ids.map(silentKey));
    return new Map(
      ids.map((id) => {
        const item = items.get(silentKey(id));
        return [id, item ? valueIn(item, eventsSchema) : []];
      }),
    );
  };

  return {
    /**
     * Saves states, unless a run with a later version of the position saved newer ones. `run` names the one that begins the
     * catalogue with them.
     */
    async save({ entities, panels }: KnownStates, version: number, run?: string): Promise<void> {
      const states = [...entities, ...[...panels].map(([id, state]) => [panelKey(id), state] as const)];
      const condition = {
        ConditionExpression: NOT_NEWER,
        ExpressionAttributeValues: { ':version': number(version) },
      };
      await inGroups(PARALLEL, states, ([sk, state]) =>
        table.putIf({ ...keyItem({ pk, sk }), ...stateItem(state, version), ...beganItem(run) }, condition),
      );
    },

    /** Deletes the states of entities that lost their rating before an instant. */
    async forgetBefore(instant: Instant): Promise<void> {
      const also = {
        FilterExpression: 'unratedSince < :before',
        ExpressionAttributeValues: { ':before': number(instant) },
      };
      for await (const { sk, version = number(0) } of table.query({ pk, also }))
        await table.remove({ pk, sk: sk?.S ?? '' }, asRead(version));
    },

    entities: (keys: readonly string[]) => statesOf(keys, entitySchema),
    panels: async (ids: readonly number[]) =>
      new Map(
        [...(await statesOf(ids.map(panelKey), panelSchema))].map(([key, state]) => [panelIdOf(key), state]),
      ),
    silent,

    async learn(learnt: Learnt): Promise<void> {
      // No poll has begun: what it begins with is for it to decide.
      if (!(await isBegun())) return;
      const { ratings, versions, asOf } = learnt;
      const items = await itemsOf([...ratings.keys(), ...[...versions.keys()].map(panelKey)]);
      const savedOf = (key: string): SavedState | undefined => {
        const item = items.get(key);
        return item && { savedAt: Number(item.version?.N ?? 0), state: packedIn(item.value) };
      };
      for (const [sk, state] of orCorrupt(table.where, () => statesAfter(learnt, savedOf))) {
        const before = items.get(sk);
        await table.putIf(
          { ...keyItem({ pk, sk }), ...stateItem(state, asOf) },
          before ? asRead(before.version ?? number(0)) : ABSENT,
        );
      }
      const kept = await silent([...learnt.silent.keys()]);
      for (const [id, events] of learnt.silent) {
        const value = packedBody(silentAfter(kept.get(id) ?? [], events));
        await table.put({ ...keyItem({ pk, sk: silentKey(id) }), value });
      }
      if (ratings.size + versions.size > 0) await outdateReaders();
    },
  };
}
