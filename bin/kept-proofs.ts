import { findPanels, type ListedPanel } from '../lambdas/panels/find-panels.ts';
import type { PanelStateStore } from '../lambdas/panels/panel-state-store.ts';
import { createSqlitePanelStates } from '../lambdas/panels/sqlite-panel-states.ts';
import type { Documents } from '../lambdas/store/documents.ts';
import type { History } from '../lambdas/store/history/history.ts';
import { createSqliteHistory } from '../lambdas/store/history/sqlite.ts';
import { createSqliteDocuments } from '../lambdas/store/items-sqlite.ts';
import { createSqliteStore } from '../lambdas/store/sqlite.ts';
import type { StateFile } from '../lambdas/store/sqlite-file.ts';
import type { StateStore } from '../lambdas/store/store.ts';
import { readName } from './arguments.ts';
import { type Io, UnknownNameError, UsageError } from './command.ts';

interface KeptProofs {
  readonly catalogue: string;
  readonly states: PanelStateStore;
  readonly documents: Documents;
  readonly state: Pick<StateStore, 'listing'>;
  readonly history: History;
}

/** The proofs in the state file of a notifier on this machine. */
export function keptInFile(
  { file, catalogue }: { readonly file: StateFile; readonly catalogue: string },
  { clock }: Pick<Io, 'clock'>,
): KeptProofs {
  return {
    catalogue,
    states: createSqlitePanelStates({ file, catalogue, now: clock.now }),
    documents: createSqliteDocuments(file, catalogue),
    state: createSqliteStore(file, catalogue),
    history: createSqliteHistory(file),
  };
}

interface StagePlace {
  readonly stage: string;
  readonly config?: string | undefined;
  readonly name?: string | undefined;
}

/**
 * Opens the proofs of a deployed notifier.
 * @throws {UsageError} when the stage has several catalogues and none is named
 * @throws {SettingsError | DeployedStageError} when the stage cannot be found
 */
export async function openStageProofs(
  { stage, config, name }: StagePlace,
  { clock }: Io,
): Promise<KeptProofs & { close(): void }> {
  const [
    { findStage },
    { DynamoDBClient },
    { createDynamoHistory },
    { createDynamoPanelStates },
    { createDynamoDocuments },
    { createStateStore },
  ] = await Promise.all([
    import('./deployed/find-stage.ts'),
    import('@aws-sdk/client-dynamodb'),
    import('../lambdas/store/history/dynamodb.ts'),
    import('../lambdas/panels/dynamodb-panel-states.ts'),
    import('../lambdas/store/items-dynamodb.ts'),
    import('../lambdas/store/dynamodb.ts'),
  ]);
  const { historyTable, stateTable, catalogues, region } = await findStage({ stage, config }, { clock });
  const catalogue = chosenCatalogue(name, catalogues, `stage ${stage}`);
  const dynamodb = new DynamoDBClient({ region });
  // Nothing is written, so that no run needs a name.
  const inStateTable = { dynamodb, table: stateTable, catalogue, runId: 'verify', clock };
  return {
    catalogue,
    states: createDynamoPanelStates({ dynamodb, table: historyTable, catalogue, clock }),
    documents: createDynamoDocuments(inStateTable),
    state: createStateStore(inStateTable),
    history: createDynamoHistory({ dynamodb, table: historyTable, clock }),
    close: () => dynamodb.destroy(),
  };
}

/**
 * Ids of the panels with these numbers or names: of those that were read, and of those that are listed.
 * @throws {UnknownNameError} when there is no such panel
 * @throws {StateError | HistoryError} when they cannot be read
 */
export async function panelsCalled(
  panels: readonly string[],
  { catalogue, states, state, history }: KeptProofs,
): Promise<number[]> {
  const read = await states.panels();
  const listed = [...((await state.listing())?.panels ?? [])].flatMap(
    ([panelId, { name: panelName, hashId = null, facts }]): readonly ListedPanel[] =>
      panelName === undefined || read.some((one) => one.panelId === panelId)
        ? []
        : [{ panelId, panelName, hashId, relevantDisorders: [...facts.relevantDisorders] }],
  );
  const known = { catalogue, panels: [...read, ...listed], names: await history.names() };
  return panels.flatMap((panel) => {
    const found = findPanels({ panel }, known);
    if ('notFound' in found) throw new UnknownNameError(found.notFound());
    return found.map(({ id }) => id);
  });
}

/** Ids of the panels that were read, and of those that are listed. */
export async function panelsListed({ states, state }: KeptProofs): Promise<number[]> {
  const read = (await states.panels()).map(({ panelId }) => panelId);
  return [...new Set([...read, ...((await state.listing())?.panels.keys() ?? [])])];
}

function chosenCatalogue(name: string | undefined, known: readonly string[], place: string): string {
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
