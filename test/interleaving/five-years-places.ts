import { stat } from 'node:fs/promises';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { createDynamoPanelStates } from '../../lambdas/panels/dynamodb-panel-states.ts';
import type { PanelStateStore } from '../../lambdas/panels/panel-state-store.ts';
import { createSqlitePanelStates } from '../../lambdas/panels/sqlite-panel-states.ts';
import type { Clock } from '../../lambdas/run/clock.ts';
import { createStateStore } from '../../lambdas/store/dynamodb.ts';
import { createDynamoHistory } from '../../lambdas/store/history/dynamodb.ts';
import { createSqliteHistory } from '../../lambdas/store/history/sqlite.ts';
import { createSqliteInsert } from '../../lambdas/store/history/sqlite-event-index.ts';
import { forgetOldEvents } from '../../lambdas/store/history/sqlite-retention.ts';
import { createDynamoDocuments, createDynamoItems } from '../../lambdas/store/items-dynamodb.ts';
import { createSqliteDocuments, createSqliteItems } from '../../lambdas/store/items-sqlite.ts';
import { createSqliteStore } from '../../lambdas/store/sqlite.ts';
import { openStateFile, type StateFile } from '../../lambdas/store/sqlite-file.ts';
import { newFolder } from '../new-folder.ts';
import { openDynamoDbInProcess } from './dynamodb-in-process.ts';
import { faultyClient } from './faulty-dynamodb.ts';
import { CATALOGUE, createTables, type OpenStores } from './kept-stores.ts';
import { createLife } from './processes.ts';

/** How much of each kind is kept: rows of tables, or items by the end of their partition; and `bytes`. */
export type Measured = Readonly<Record<string, number>>;

/** Where five years are kept. */
export interface YearsPlace {
  begin(clock: Clock): void;
  open(): OpenStores & { readonly states: PanelStateStore };
  forget(days: number, now: number): Promise<void>;
  measure(): Promise<Measured>;
  /** Rows or requests read so far. */
  reads(): number;
  close(): Promise<void>;
}

/** A file of SQLite, with a restart at each measure; `reads` counts rows. */
export async function yearsInSqlite(days: number): Promise<YearsPlace> {
  const directory = newFolder();
  let rows = 0;
  const counting = (file: StateFile): StateFile => ({
    ...file,
    database: countingRows(file.database, (count) => {
      rows += count;
    }),
  });
  let plain = openStateFile(directory);
  let file = counting(plain);
  let clock: Clock;
  return {
    begin: (given) => {
      clock = given;
    },
    open: () => ({
      state: createSqliteStore(file, CATALOGUE, createSqliteInsert(file)),
      documents: createSqliteDocuments(file, CATALOGUE),
      history: createSqliteHistory(file),
      outbox: createSqliteItems(file, { what: 'the messages', now: clock.now }),
      lease: null,
      states: createSqlitePanelStates({ file, catalogue: CATALOGUE, now: clock.now, retentionDays: days }),
    }),
    forget: async (kept, now) => void forgetOldEvents(plain, { days: kept, now }),
    async measure() {
      plain.close();
      const bytes = (await stat(plain.path)).size;
      plain = openStateFile(directory);
      file = counting(plain);
      const tables = plain.database
        .prepare(
          "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'search%' AND name NOT LIKE 'sqlite%'",
        )
        .all();
      const count = (name: string): number =>
        Number(plain.database.prepare(`SELECT count(*) AS n FROM ${name}`).get()?.n);
      return { bytes, ...Object.fromEntries(tables.map(({ name }) => [name, count(String(name))])) };
    },
    reads: () => rows,
    close: async () => {
      plain.close();
    },
  };
}

/** A database whose statements count the rows that they give. */
function countingRows(database: DatabaseSync, count: (rows: number) => void): DatabaseSync {
  const counted = (statement: StatementSync): StatementSync =>
    new Proxy(statement, {
      get(target, name) {
        const value = Reflect.get(target, name) as unknown;
        if (typeof value !== 'function') return value;
        return (...given: readonly unknown[]) => {
          const reply: unknown = value.apply(target, given);
          count(Array.isArray(reply) ? reply.length : 1);
          return reply;
        };
      },
    });
  return new Proxy(database, {
    get(target, name) {
      const value = Reflect.get(target, name) as unknown;
      if (name === 'prepare') return (sql: string) => counted(target.prepare(sql));
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** Two tables of DynamoDB; `reads` counts requests. What has expired counts as gone. */
export async function yearsInDynamoDb(days: number): Promise<YearsPlace> {
  let requests = 0;
  let clock: Clock;
  const inner = openDynamoDbInProcess();
  const counts = { throttled: 0, unanswered: 0, 'half done': 0, 'replica read': 0 };
  const dynamodb = faultyClient({
    wire: (operation, body) => {
      requests += 1;
      return inner(operation, body);
    },
    life: createLife(() => 0),
    random: () => 1,
    rate: () => 0,
    counts,
  });
  const [table, events] = await createTables(dynamodb, 'years');
  return {
    begin: (given) => {
      clock = given;
    },
    open() {
      const state = { dynamodb, table, catalogue: CATALOGUE, runId: `run-${requests}`, clock };
      const history = { dynamodb, table: events, clock, retentionDays: days };
      return {
        state: createStateStore(state),
        documents: createDynamoDocuments(state),
        history: createDynamoHistory(history),
        outbox: createDynamoItems({ dynamodb, table, what: 'the messages', clock }),
        lease: null,
        states: createDynamoPanelStates({ ...history, catalogue: CATALOGUE }),
      };
    },
    forget: async () => {},
    async measure() {
      const sums: Record<string, number> = {};
      for (const TableName of [table, events]) {
        let ExclusiveStartKey: unknown;
        do {
          const { body } = await inner('Scan', JSON.stringify({ TableName, ExclusiveStartKey }));
          const page = JSON.parse(body) as {
            readonly Items: readonly { readonly expires?: { readonly N: string } }[];
            readonly LastEvaluatedKey?: unknown;
          };
          for (const { expires } of page.Items) {
            if (expires && Number(expires.N) * 1000 <= clock.now()) continue;
            const kind = TableName === table ? 'state' : 'history';
            sums[kind] = (sums[kind] ?? 0) + 1;
          }
          ExclusiveStartKey = page.LastEvaluatedKey;
        } while (ExclusiveStartKey);
      }
      return sums;
    },
    reads: () => requests,
    close: async () => dynamodb.destroy(),
  };
}
