import type { Message } from '../publishing/message.ts';
import type { Clock } from '../run/clock.ts';
import { number, orCorrupt } from './dynamodb-call.ts';
import { createDynamoKnownStates } from './dynamodb-known-states.ts';
import { createDynamoListing } from './dynamodb-listing.ts';
import { createDynamoPosition, isRecordable, type ReadPosition } from './dynamodb-position.ts';
import { createStateTable, type DynamoTable, keyItem, type StateTableOptions } from './dynamodb-table.ts';
import { createDynamoItems } from './items-dynamodb.ts';
import { mayForget } from './ledger.ts';
import { createDynamoLedger } from './ledger-items.ts';
import { packJson, unpack } from './packed.ts';
import { firstPosition, movedPosition, movesBack, nextPosition } from './position.ts';
import { eventsJson, eventsSchema, PUBLISHED_SECONDS, type PublishedEvent } from './published.ts';
import { createShapes } from './shapes.ts';
import type { MovableStore, Rollback, StateStore } from './store.ts';
import { partitionOf } from './table-keys.ts';

/** The state of one catalogue in DynamoDB (`items.ts` shows the keys). */
export function createStateStore(options: StateTableOptions): MovableStore {
  const { catalogue, runId, clock } = options;
  const table = createStateTable(options);
  const pk = partitionOf(catalogue);
  const positions = createDynamoPosition(table, { pk, options });
  const ledger = createDynamoLedger(table, pk);
  const knownStates = createDynamoKnownStates(table, `${pk}#known`, positions);
  const publications = createDynamoPublished(table, { pk: `${pk}#published`, clock });

  return {
    async load(overlap) {
      const items = await positions.load(overlap);
      if (!items) return null;
      const { read, placed, unplaced } = items;
      const { position } = read;
      const seen = ledger.load({ placed, unplaced, moves: position.moves ?? [], began: positions.began() });
      const rollback = rollbackOf(read, options.table);
      return { position, pending: read.pending, seen, rollback };
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
function rollbackOf({ table: before }: ReadPosition, table: string): Rollback | null {
  if (before === table) return null;
  return {
    found: `It was written to table "${before}" and is read from table "${table}": this table was restored from a backup, or copied.`,
    mark: null,
  };
}

interface DynamoPublished extends Pick<StateStore, 'published'> {
  keep(messages: readonly Message[], version: number): Promise<void>;
}

const versionKey = (version: number): string => String(version).padStart(12, '0');

/** What the poller published, in a partition of its own: it is read from the table, never from an index. */
function createDynamoPublished(
  table: DynamoTable,
  { pk, clock }: { readonly pk: string; readonly clock: Clock },
): DynamoPublished {
  return {
    async keep(messages, version) {
      if (messages.length === 0) return;
      const expires = Math.ceil(clock.now() / 1000) + PUBLISHED_SECONDS;
      await table.put({
        ...keyItem({ pk, sk: versionKey(version) }),
        events: packJson(eventsJson(messages)),
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
