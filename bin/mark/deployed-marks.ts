import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Documents } from '../../lambdas/store/documents.ts';
import { createStateStore } from '../../lambdas/store/dynamodb.ts';
import { createDynamoHistory } from '../../lambdas/store/history/dynamodb.ts';
import type { History } from '../../lambdas/store/history/history.ts';
import { createDynamoDocuments } from '../../lambdas/store/items-dynamodb.ts';
import type { MovableStore } from '../../lambdas/store/store.ts';
import type { Io } from '../command.ts';

/** The marks of several catalogues, of one machine or of a deployed stage. */
export interface MarkedState {
  /** What a person calls it: `the state in .gene-panel-notifier`. */
  readonly place: string;
  /** Names of the catalogues, in order. */
  readonly catalogues: readonly string[];
  store(catalogue: string): MovableStore;
  documents(catalogue: string): Documents;
  /** Undefined where only the table of marks was named. */
  readonly history: History | undefined;
  /** The options with which `replay` reads that history. */
  readonly replayOptions: string;
  close(): void;
}

/** Where the marks of a deployed stage are kept. */
export interface DeployedMarks {
  /** Name of the table of marks. */
  readonly table: string;
  readonly historyTable?: string | undefined;
  readonly catalogues: readonly string[];
  /** The region of the environment where absent. */
  readonly region?: string | undefined;
  readonly replayOptions: string;
}

/** The marks in a deployed table, with the AWS credentials of the environment. */
export function deployedMarks(
  { table, historyTable, catalogues, region, replayOptions }: DeployedMarks,
  { clock }: Pick<Io, 'clock'>,
): MarkedState {
  const dynamodb = new DynamoDBClient({ ...(region !== undefined && { region }) });
  const runId = `mark-${clock.now()}-${Math.floor(clock.random() * 1e9)}`;
  return {
    place: `table "${table}"`,
    catalogues: catalogues.toSorted(),
    store: (catalogue) => createStateStore({ dynamodb, table, catalogue, runId, clock }),
    documents: (catalogue) => createDynamoDocuments({ dynamodb, table, catalogue, runId, clock }),
    history:
      historyTable === undefined ? undefined : createDynamoHistory({ dynamodb, table: historyTable, clock }),
    replayOptions,
    close: () => dynamodb.destroy(),
  };
}
