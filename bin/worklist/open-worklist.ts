import { existsSync } from 'node:fs';
import { createSqlitePanelStates } from '../../lambdas/panels/sqlite-panel-states.ts';
import { createSqliteWorklist } from '../../lambdas/questions/worklist/kept-changes.ts';
import type { WorklistPlace } from '../../lambdas/questions/worklist/read-worklist.ts';
import {
  defaultWorklist,
  type WorklistSettings,
} from '../../lambdas/questions/worklist/worklist-settings.ts';
import {
  createWorklistStore,
  WORKLIST,
  worklistUntil,
} from '../../lambdas/questions/worklist/worklist-store.ts';
import { namedPlaceOf } from '../../lambdas/store/history/sqlite-named-place.ts';
import { worklistSettingsOf } from '../../lib/worklist-settings.ts';
import { type Io, UsageError } from '../command.ts';
import { DeployedStageError } from '../deployed/aws-problem.ts';
import { defaultState, openForReading } from '../local/open-state.ts';
import { readStage } from '../settings-stage.ts';
import type { WorklistValues } from './worklist-options.ts';

/** A worklist of this machine or of a deployed stage, and the settings that say what it has. */
export interface OpenWorklist {
  readonly place: WorklistPlace;
  readonly settings: WorklistSettings;
  close(): void;
}

const DEFAULT_CONFIG = 'notifier.config.ts';

/**
 * Opens the worklist that the options name. Without a settings file, its settings are the defaults.
 * @throws {UsageError | SettingsError | LocalStateError | StateError | DeployedStageError} when it cannot be opened
 */
export async function openWorklist(values: WorklistValues, io: Io): Promise<OpenWorklist> {
  const { stage, config, state } = values;
  if (stage !== undefined && state !== undefined)
    throw new UsageError('--state and --stage name different places; give one of them');
  const settings = await worklistSettingsIn(config, stage, io);
  if (stage !== undefined) return openStage({ stage, config }, settings, io);
  const file = openForReading(state ?? defaultState, io.asOf);
  return {
    settings,
    place: {
      ...namedPlaceOf(file),
      worklist: worklistUntil(createSqliteWorklist(file, io.clock), io.asOf),
      statesOf: (catalogue) => createSqlitePanelStates({ file, catalogue, now: io.clock.now }),
    },
    close: () => file.close(),
  };
}

/**
 * The settings of the worklist; the defaults without a settings file.
 * @throws {UsageError | SettingsError} when the settings cannot be read, or have no such stage
 */
export async function worklistSettingsIn(
  config: string | undefined,
  stage: string | undefined,
  io: Io,
): Promise<WorklistSettings> {
  if (config === undefined && !existsSync(DEFAULT_CONFIG)) return defaultWorklist;
  const read = await readStage(config ?? DEFAULT_CONFIG, { stage, now: io.clock.now() });
  return worklistSettingsOf(read.stage.worklist);
}

async function openStage(
  { stage, config }: { readonly stage: string; readonly config: string | undefined },
  settings: WorklistSettings,
  io: Io,
): Promise<OpenWorklist> {
  const [
    { findStage },
    { DynamoDBClient },
    { createDynamoHistory },
    { createDynamoPanelStates },
    { createDynamoItems },
  ] = await Promise.all([
    import('../deployed/find-stage.ts'),
    import('@aws-sdk/client-dynamodb'),
    import('../../lambdas/store/history/dynamodb.ts'),
    import('../../lambdas/panels/dynamodb-panel-states.ts'),
    import('../../lambdas/store/items-dynamodb.ts'),
  ]);
  const [{ readListingsOfStage }, { heldByStates }] = await Promise.all([
    import('../deployed/read-listings.ts'),
    import('../../lambdas/panels/held-by-states.ts'),
  ]);
  const found = await findStage({ stage, config }, io);
  const { historyTable, worklistTable, region, catalogues } = found;
  if (worklistTable === undefined) {
    throw new DeployedStageError(
      `Reading the worklist of stage "${stage}": the stage has none. Add worklist: {} to its settings and deploy it.`,
    );
  }
  const { clock } = io;
  const dynamodb = new DynamoDBClient({ region });
  // A listing only helps to check names: without the right to read it, the worklist is shown all the same.
  const listings: WorklistPlace['listings'] = () => readListingsOfStage(found, io).catch(() => []);
  const statesOf = (catalogue: string) =>
    createDynamoPanelStates({ dynamodb, table: historyTable, catalogue, clock });
  return {
    settings,
    place: {
      history: createDynamoHistory({ dynamodb, table: historyTable, clock }),
      isLocal: false,
      listings,
      held: async () => heldByStates({ catalogues, statesOf, listings: await listings() }),
      worklist: createWorklistStore(
        createDynamoItems({ dynamodb, table: worklistTable, what: WORKLIST, clock }),
      ),
      statesOf,
    },
    close: () => dynamodb.destroy(),
  };
}
