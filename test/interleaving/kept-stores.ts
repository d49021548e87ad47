import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { createDynamoPanelStates } from '../../lambdas/panels/dynamodb-panel-states.ts';
import type { PanelStateStore } from '../../lambdas/panels/panel-state-store.ts';
import { createSqlitePanelStates } from '../../lambdas/panels/sqlite-panel-states.ts';
import type { Clock } from '../../lambdas/run/clock.ts';
import type { Documents } from '../../lambdas/store/documents.ts';
import { createStateStore } from '../../lambdas/store/dynamodb.ts';
import { createDynamoHistory } from '../../lambdas/store/history/dynamodb.ts';
import type { History } from '../../lambdas/store/history/history.ts';
import { createSqliteHistory } from '../../lambdas/store/history/sqlite.ts';
import { createSqliteInsert } from '../../lambdas/store/history/sqlite-event-index.ts';
import type { ItemStore } from '../../lambdas/store/items.ts';
import { createDynamoDocuments, createDynamoItems } from '../../lambdas/store/items-dynamodb.ts';
import { createSqliteDocuments, createSqliteItems } from '../../lambdas/store/items-sqlite.ts';
import { createLease, type Lease } from '../../lambdas/store/lease.ts';
import { createSqliteStore } from '../../lambdas/store/sqlite.ts';
import { openStateFile } from '../../lambdas/store/sqlite-file.ts';
import type { MovableStore } from '../../lambdas/store/store.ts';
import { createTable, untilActive } from '../store/create-table.ts';
import { historyTable } from '../store/history/create-history-table.ts';
import { tableKeys } from '../store/table-keys.ts';
import { tableSuffix } from '../store/table-suffix.ts';
import { dynamoDbAt, openDynamoDbInProcess } from './dynamodb-in-process.ts';
import { type FaultCounts, faultyClient } from './faulty-dynamodb.ts';
import { laggingWire } from './lagging-wire.ts';
import { createLife, type Life } from './processes.ts';
import { stepping } from './stepping.ts';

/** The configured name of the catalogue. */
export const CATALOGUE = 'uk';

/** What one process opens. */
export interface OpenStores {
  readonly state: MovableStore;
  readonly documents: Documents;
  readonly history: History;
  readonly states: PanelStateStore;
  readonly outbox: ItemStore;
  /** Null on one machine, where one process reads the log. */
  readonly lease: Lease | null;
}

/** A place that keeps everything between the processes that use it. */
export interface KeptStores {
  open(life: Life, runId: string): OpenStores;
  /** Lets the replica show some of what it does not show yet; all where `count` is absent. */
  catchUp(count?: number): Promise<void>;
  readonly faults: Readonly<FaultCounts>;
  close(): void;
}

interface KeptOptions {
  readonly clock: Clock;
  readonly random: () => number;
  /** How likely a request to the place has a fault. */
  readonly rate: () => number;
}

const noFaults = (): FaultCounts => ({ throttled: 0, unanswered: 0, 'half done': 0, 'replica read': 0 });

/** Creates a table of states and one of events, and waits for them; `replica` where each has one. */
export async function createTables(
  dynamodb: DynamoDBClient,
  kind: 'replica' | 'years',
): Promise<readonly [string, string]> {
  const suffix = tableSuffix();
  const names = [`state${suffix}`, `history${suffix}`] as const;
  for (const [TableName, keys] of [
    [names[0], tableKeys],
    [names[1], historyTable],
  ] as const) {
    await createTable(dynamodb, TableName, keys);
    if (kind === 'replica') await untilActive(dynamodb, `${TableName}-replica`);
  }
  return names;
}

/**
 * Two tables of DynamoDB, whose requests fail below the SDK and whose weak reads lag: in this process, or on the server that
 * DYNAMODB_TEST_ENDPOINT names.
 */
export async function keepInDynamoDb({ clock, random, rate }: KeptOptions): Promise<KeptStores> {
  const faults = noFaults();
  const server = process.env.DYNAMODB_TEST_ENDPOINT;
  const inner = server === undefined ? openDynamoDbInProcess() : dynamoDbAt(server);
  const { wire, catchUp } = laggingWire(inner, faults);
  const setUp = faultyClient({
    wire,
    life: createLife(() => 0),
    random: () => 1,
    rate: () => 0,
    counts: faults,
  });
  const [stateTable, events] = await createTables(setUp, 'replica');
  return {
    faults,
    catchUp,
    open(life, runId) {
      const dynamodb = faultyClient({ wire, life, random, rate, counts: faults });
      const table = { dynamodb, table: stateTable, catalogue: CATALOGUE, runId, clock };
      return {
        state: createStateStore(table),
        documents: createDynamoDocuments(table),
        history: createDynamoHistory({ dynamodb, table: events, clock }),
        states: createDynamoPanelStates({ dynamodb, table: events, catalogue: CATALOGUE, clock }),
        outbox: createDynamoItems({ dynamodb, table: stateTable, what: 'the messages', clock }),
        lease: createLease(table),
      };
    },
    close: () => setUp.destroy(),
  };
}

/** A file of SQLite: its writes are whole, so that a process dies between them. */
export async function keepInSqlite({ clock }: KeptOptions): Promise<KeptStores> {
  const file = openStateFile();
  return {
    faults: noFaults(),
    catchUp: async () => {},
    open: (life) => ({
      state: stepping(createSqliteStore(file, CATALOGUE, createSqliteInsert(file)), life),
      documents: stepping(createSqliteDocuments(file, CATALOGUE), life),
      history: stepping(createSqliteHistory(file), life),
      states: stepping(createSqlitePanelStates({ file, catalogue: CATALOGUE, now: clock.now }), life),
      outbox: stepping(createSqliteItems(file, { what: 'the messages', now: clock.now }), life),
      lease: null,
    }),
    close: () => file.close(),
  };
}
