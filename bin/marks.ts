import type { Documents } from '../lambdas/store/documents.ts';
import type { History } from '../lambdas/store/history/history.ts';
import { createSqliteHistory } from '../lambdas/store/history/sqlite.ts';
import { createSqliteDocuments } from '../lambdas/store/items-sqlite.ts';
import { createSqliteStore } from '../lambdas/store/sqlite.ts';
import { cataloguesIn, type StateFile } from '../lambdas/store/sqlite-file.ts';
import type { MovableStore } from '../lambdas/store/store.ts';
import { type Io, UsageError } from './command.ts';
import { checkPlace, type PlaceValues } from './history-options.ts';
import { defaultState, openAlone, openForReading } from './local/open-state.ts';

type MarkPlace = PlaceValues & { readonly name?: string | undefined };

/**
 * Opens the marks that the options name.
 * @throws {UsageError | LocalStateError | StateError | SettingsError | DeployedStageError} when they cannot be opened
 */
export async function openMarks(values: MarkPlace, io: Io): Promise<MarkedState> {
  checkPlace(values);
  const { state = defaultState, stage, config, table, name } = values;
  if (stage !== undefined) {
    const { findStage } = await import('./deployed/find-stage.ts');
    const { stateTable, historyTable, catalogues, region } = await findStage({ stage, config }, io);
    const replayOptions = `--stage ${stage}${config === undefined ? '' : ` --config ${config}`}`;
    return deployedMarks({ table: stateTable, historyTable, catalogues, region, replayOptions }, io);
  }
  if (table !== undefined) {
    if (name === undefined)
      throw new UsageError('--table needs --name, the configured name of the catalogue');
    return deployedMarks({ table, catalogues: [name], replayOptions: '--table HISTORY' }, io);
  }
  return localMarks(openForReading(state), state);
}

/**
 * Opens the same marks to move one. In a state directory no poll can begin meanwhile; in a table, the write of the mark
 * fails where a poll wrote first.
 * @throws {LocalStateError | StateError} when a poll is running
 */
export async function openMarksToMove(values: MarkPlace, io: Io): Promise<MarkedState> {
  const { state = defaultState, stage, table } = values;
  if (stage !== undefined || table !== undefined) return openMarks(values, io);
  const polling = openAlone(state, io.clock);
  return { ...localMarks(polling.file, state), close: () => polling.close() };
}

function localMarks(file: StateFile, directory: string): MarkedState {
  return {
    place: `the state in ${directory}`,
    catalogues: cataloguesIn(file),
    store: (catalogue) => createSqliteStore(file, catalogue),
    documents: (catalogue) => createSqliteDocuments(file, catalogue),
    history: createSqliteHistory(file),
    replayOptions: `--state ${directory}`,
    close: () => file.close(),
  };
}

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

interface DeployedMarks {
  readonly table: string;
  readonly historyTable?: string | undefined;
  readonly catalogues: readonly string[];
  /** The region of the environment where absent. */
  readonly region?: string | undefined;
  readonly replayOptions: string;
}

async function deployedMarks(
  { table, historyTable, catalogues, region, replayOptions }: DeployedMarks,
  { clock }: Pick<Io, 'clock'>,
): Promise<MarkedState> {
  const [{ DynamoDBClient }, { createStateStore }, { createDynamoHistory }, { createDynamoDocuments }] =
    await Promise.all([
      import('@aws-sdk/client-dynamodb'),
      import('../lambdas/store/dynamodb.ts'),
      import('../lambdas/store/history/dynamodb.ts'),
      import('../lambdas/store/items-dynamodb.ts'),
    ]);
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
