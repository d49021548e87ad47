import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { KeptStates } from '../../lambdas/panels/find-state.ts';
import { createSqlitePanelStates } from '../../lambdas/panels/sqlite-panel-states.ts';
import type { History } from '../../lambdas/store/history/history.ts';
import { createSqliteHistory } from '../../lambdas/store/history/sqlite.ts';
import { cataloguesIn } from '../../lambdas/store/sqlite-catalogues.ts';
import { FILE_NAME, openStateFile } from '../../lambdas/store/sqlite-file.ts';
import { readName } from '../arguments.ts';
import { type Io, UsageError } from '../command.ts';
import { text } from '../declare-command.ts';
import { checkPlace, isWritable, placeOptions } from '../history-options.ts';
import { followedName } from '../local/followed-catalogue.ts';
import { defaultState, openForReading } from '../local/open-state.ts';

/** The options that say whose panel states a command reads. */
export const panelStateOptions = {
  ...placeOptions,
  name: text('NAME', 'which catalogue, where the folder or stage has several'),
  catalogue: text('URL', 'ask this catalogue for a state that is not kept; without it, nothing is asked'),
};

/** The kept states of one catalogue, with the history beside them. */
export interface OpenPanelStates extends KeptStates {
  /** The events of every catalogue of the place. */
  readonly history: History;
  close(): void;
}

interface Place {
  readonly state?: string | undefined;
  readonly stage?: string | undefined;
  readonly config?: string | undefined;
  readonly name?: string | undefined;
}

/**
 * Opens the panel states that the options name.
 * @param url the address of the catalogue, where it may be asked
 * @throws {UsageError} when the place has several catalogues and none is named
 * @throws {LocalStateError | StateError | SettingsError | DeployedStageError} when it cannot be opened
 */
export async function openPanelStates(
  place: Place,
  url: string | undefined,
  io: Io,
): Promise<OpenPanelStates> {
  checkPlace(place);
  return place.stage === undefined ? openFolder(place, url, io) : openStage(place.stage, place, io);
}

async function openFolder(
  { state, name }: Place,
  url: string | undefined,
  { clock, asOf }: Io,
): Promise<OpenPanelStates> {
  const directory = state ?? defaultState;
  // A catalogue can be asked before anything is kept.
  const isNew = url !== undefined && !existsSync(join(directory, FILE_NAME));
  const file = isNew ? openStateFile() : openForReading(directory, asOf);
  try {
    const catalogue =
      url === undefined
        ? chosenCatalogue(name, cataloguesIn(file), directory)
        : await followedName(file, { name: name && readName('--name', name), url, state: directory });
    const history = createSqliteHistory(file);
    return {
      catalogue,
      keepsStates: !isNew && asOf === undefined && isWritable(directory),
      store: createSqlitePanelStates({ file, catalogue, now: clock.now }),
      history,
      names: (whose) => history.names(whose),
      close: () => file.close(),
    };
  } catch (error) {
    file.close();
    throw error;
  }
}

async function openStage(stage: string, { config, name }: Place, io: Io): Promise<OpenPanelStates> {
  const [{ findStage }, { DynamoDBClient }, { createDynamoHistory }, { createDynamoPanelStates }] =
    await Promise.all([
      import('../deployed/find-stage.ts'),
      import('@aws-sdk/client-dynamodb'),
      import('../../lambdas/store/history/dynamodb.ts'),
      import('../../lambdas/panels/dynamodb-panel-states.ts'),
    ]);
  const { historyTable: table, catalogues, region } = await findStage({ stage, config }, io);
  const catalogue = chosenCatalogue(name, catalogues, `stage ${stage}`);
  const { clock } = io;
  const dynamodb = new DynamoDBClient({ region });
  const history = createDynamoHistory({ dynamodb, table, clock });
  return {
    catalogue,
    keepsStates: false,
    store: createDynamoPanelStates({ dynamodb, table, catalogue, clock }),
    history,
    names: () => history.names(),
    close: () => dynamodb.destroy(),
  };
}

/**
 * The catalogue of a place that a person means: the named one, or the only one.
 * @throws {UsageError} when there is no such one, or several and none is named
 */
export function chosenCatalogue(name: string | undefined, known: readonly string[], place: string): string {
  if (name !== undefined) {
    const given = readName('--name', name);
    if (known.includes(given)) return given;
    throw new UsageError(
      `--name ${given}: ${place} has no such catalogue; it has ${known.join(', ') || 'none'}`,
    );
  }
  const [only, ...others] = known;
  if (only !== undefined && others.length === 0) return only;
  throw new UsageError(
    only === undefined
      ? `${place} follows no catalogue yet: run a poll or watch with it first`
      : `${place} has several catalogues, ${known.join(', ')}: give one with --name`,
  );
}
