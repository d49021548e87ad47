import { accessSync, constants, existsSync } from 'node:fs';
import { join } from 'node:path';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Topic } from '../lambdas/events/kinds.ts';
import type { Filter } from '../lambdas/filters/filter.ts';
import { FilterTextError, type FilterTexts, readFilterTexts } from '../lambdas/filters/filter-values.ts';
import type { PanelStateStore } from '../lambdas/panels/panel-state-store.ts';
import { filterOptions as declaredFilter } from '../lambdas/questions/filter-options.ts';
import { panelOptions, periodOf, periodOptions } from '../lambdas/questions/options.ts';
import type { WorklistStore } from '../lambdas/questions/worklist/worklist-record.ts';
import type { WorklistSettings } from '../lambdas/questions/worklist/worklist-settings.ts';
import type { History } from '../lambdas/store/history/history.ts';
import { namedPlaceOf } from '../lambdas/store/history/sqlite.ts';
import type { NamedPlace } from '../lambdas/store/history/unknown-names.ts';
import { cataloguesIn, FILE_NAME, openStateFile } from '../lambdas/store/sqlite-file.ts';
import { catalogueName, momentOf, orUsage, readInput } from './arguments.ts';
import { DeployedStageError, type Io, UsageError } from './command.ts';
import {
  asCommandOptions,
  flag,
  inSection,
  type OptionValues,
  readOptions,
  text,
  value,
} from './declare-command.ts';
import { defaultState, followedName, openAsOf, openForReading } from './local/open-state.ts';

/** The options that say what a command reads: a folder of this machine, or a deployed stage. */
export const placeOptions = {
  state: text('DIR', `the folder that poll or watch filled (default: ${defaultState})`),
  stage: text(
    'NAME',
    'instead of a folder, the deployed notifier: a stage of the settings; needs AWS credentials in the environment',
  ),
  config: text('FILE', 'the settings that the stage was deployed with (default: notifier.config.ts)'),
};

const period = periodOptions();

/** The options that say which history a command reads. */
export const historyOptions = {
  ...placeOptions,
  table: text('NAME', 'instead of a stage, the name of its history table (output HistoryTable of the stack)'),
  name: value('NAME', 'only the catalogue of that name', catalogueName),
  ...asCommandOptions(period),
};

/** The exit code of an answer that says nothing, in the help of a command. */
export const limitedExitUsage = '3 a name in the filter is unknown, or nothing of the period was read';

type HistoryValues = OptionValues<typeof historyOptions>;
/** What says which place a command reads. */
export type PlaceValues = Pick<HistoryValues, 'state' | 'stage' | 'table' | 'config'>;

interface OpenHistory extends NamedPlace {
  readonly history: History;
  /** The topics of the stage, where `--stage` names one. */
  readonly topicArns?: Readonly<Record<Topic, string>>;
  readonly statesOf: (catalogue: string) => PanelStateStore;
  /** Whether a state that a catalogue is asked for can be kept here. */
  readonly keepsStates?: boolean;
  /** @throws {UsageError | DeployedStageError} where no worklist is kept */
  worklist(): Promise<WorklistStore>;
  /** The catalogues that are followed, also before their first event. */
  catalogues(): Promise<readonly string[]>;
  close(): void;
}

interface Wanted {
  /** A catalogue that is asked too: it can be before anything is kept, and is then the only one that is asked about. */
  readonly url?: string | undefined;
  /** Whether events alone are read: then nothing of panel states is loaded. */
  readonly isOfEvents?: boolean | undefined;
}

/**
 * Opens the history that the options name.
 * @throws {UsageError | LocalStateError | StateError | SettingsError | DeployedStageError} when it cannot be opened
 */
export async function openHistory(
  values: HistoryValues,
  io: Io,
  { url, isOfEvents = false }: Wanted = {},
): Promise<OpenHistory> {
  checkPlace(values);
  const { state, stage, table, config } = values;
  if (stage !== undefined) {
    const { openStage, readListingsOfStage } = await import('./stage.ts');
    const opened = await openStage({ stage, config }, io);
    return openTable(
      {
        ...opened,
        table: opened.historyTable,
        // A listing only helps to check names: without the right to read it, the events are shown all the same.
        listings: () => readListingsOfStage(opened, io).catch(() => []),
      },
      io,
    );
  }
  if (table !== undefined) {
    const { openTables } = await import('./stage.ts');
    return openTable({ ...(await openTables()), table, listings: async () => [] }, io);
  }
  const directory = state ?? defaultState;
  const isNew = url !== undefined && !existsSync(join(directory, FILE_NAME));
  const { asOf, clock } = io;
  const open = asOf === undefined ? openForReading : (folder: string) => openAsOf(folder, asOf);
  const states = isOfEvents ? null : await import('../lambdas/panels/sqlite-panel-states.ts');
  const file = isNew ? openStateFile() : await open(directory);
  const { name } = values;
  return {
    ...namedPlaceOf(file),
    statesOf: (catalogue) =>
      states?.createSqlitePanelStates({ file, catalogue, now: clock.now }) ?? notOfEvents(),
    catalogues: async () =>
      url === undefined ? cataloguesIn(file) : [await followedName(file, { name, url, state: directory })],
    async worklist() {
      const [{ createSqliteWorklist }, { worklistUntil }] = await Promise.all([
        import('../lambdas/questions/worklist/kept-changes.ts'),
        import('../lambdas/questions/worklist/worklist-record.ts'),
      ]);
      return worklistUntil(createSqliteWorklist(file, clock), asOf);
    },
    keepsStates: !isNew && asOf === undefined && isWritable(directory),
    close: () => file.close(),
  };
}

function isWritable(directory: string): boolean {
  try {
    accessSync(join(directory, FILE_NAME), constants.W_OK);
    accessSync(directory, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** @throws {UsageError} when the options name several places, or settings without a stage */
export function checkPlace({ state, stage, table, config }: PlaceValues): void {
  const given = Object.entries({ state, stage, table }).filter(([, value]) => value !== undefined);
  if (given.length > 1) {
    const names = given.map(([name]) => `--${name}`).join(' and ');
    throw new UsageError(`${names} name different places; give one of them`);
  }
  if (config !== undefined && stage === undefined)
    throw new UsageError('--config goes with --stage NAME only');
}

interface HistoryTable extends Pick<NamedPlace, 'listings'>, Pick<OpenHistory, 'topicArns' | 'close'> {
  readonly dynamodb: DynamoDBClient;
  readonly table: string;
  /** The stage of the table, where one is named. */
  readonly name?: string;
  readonly worklistTable?: string | undefined;
  /** Those that the history covers, where absent. */
  readonly catalogues?: readonly string[];
}

async function openTable(
  { dynamodb, table, worklistTable, name: stage, catalogues, listings, topicArns, close }: HistoryTable,
  { clock, asOf, present = clock }: Io,
): Promise<OpenHistory> {
  const [{ createDynamoHistory }, { createDynamoPanelStates }, { heldByStates }] = await Promise.all([
    import('../lambdas/store/history/dynamodb.ts'),
    import('../lambdas/panels/dynamodb-panel-states.ts'),
    import('../lambdas/panels/held-at.ts'),
  ]);
  const history = createDynamoHistory({ dynamodb, table, clock: present, asOf });
  const covered = async (): Promise<readonly string[]> => [
    ...new Set((await history.coverage()).map(({ catalogue }) => catalogue)),
  ];
  const place = { history, isLocal: false, ...(topicArns && { topicArns }), close };
  // Listings and states are kept as they are now.
  if (asOf !== undefined)
    return {
      ...place,
      listings: async () => [],
      catalogues: covered,
      statesOf: notOfEvents,
      worklist: notOfEvents,
    };
  const followed = async (): Promise<readonly string[]> => catalogues ?? (await covered());
  const statesOf = (catalogue: string): PanelStateStore =>
    createDynamoPanelStates({ dynamodb, table, catalogue, clock });
  return {
    ...place,
    listings,
    statesOf,
    catalogues: followed,
    async worklist() {
      if (stage === undefined)
        throw new UsageError('--table is that of a history; give --stage for a worklist');
      if (worklistTable === undefined)
        throw new DeployedStageError(
          `Reading the worklist of stage "${stage}": the stage has none. Add worklist: {} to its settings and deploy it.`,
        );
      const [{ createDynamoItems }, { createTableWorklist }, { WORKLIST }] = await Promise.all([
        import('../lambdas/store/items-dynamodb.ts'),
        import('../lambdas/questions/worklist/table-worklist.ts'),
        import('../lambdas/questions/worklist/worklist-record.ts'),
      ]);
      const items = createDynamoItems({ dynamodb, table: worklistTable, what: WORKLIST, clock });
      return createTableWorklist({ items, history, clock });
    },
    held: async () => heldByStates({ catalogues: await followed(), statesOf, listings: await listings() }),
  };
}

const notOfEvents = (): never => {
  throw new Error('what is answered from events alone asked for states or decisions');
};

/** The catalogue that `--name` states. */
export const readCatalogueName = ({ name }: HistoryValues): { catalogue?: string } =>
  name === undefined ? {} : { catalogue: name };

/** @throws {UsageError} when a time cannot be read, or `--until` is not after `--since` */
export const readPeriod = (values: HistoryValues, io: Io): ReturnType<typeof periodOf> =>
  orUsage(() => periodOf(readOptions(period, values, io), momentOf(io)));

/**
 * The settings of the worklist; the defaults without a settings file.
 * @throws {UsageError | SettingsError} when the settings cannot be read, or have no such stage
 */
export async function worklistSettingsIn(
  { config, stage }: Pick<PlaceValues, 'config' | 'stage'>,
  io: Io,
): Promise<WorklistSettings> {
  const [{ DEFAULT_CONFIG, readStage }, { defaultWorklist }] = await Promise.all([
    import('./stage.ts'),
    import('../lambdas/questions/worklist/worklist-settings.ts'),
  ]);
  if (config === undefined && !existsSync(DEFAULT_CONFIG)) return defaultWorklist;
  const { worklistSettingsOf } = await import('../lib/worklist-settings.ts');
  const read = await readStage(config ?? DEFAULT_CONFIG, stage, io);
  return worklistSettingsOf(read.stage.worklist);
}

/** A file of genes, beside `--gene`. */
export const genesFile = text(
  'FILE',
  'the names or ids of genes in a file, one a line ("-": standard input); lines that begin with # are ignored',
);

/** The filter options, the same on every command. */
export const filterOptions = inSection(
  {
    heading:
      'Filter: all options must match. An option may be given several times; then any of its values may match. All but --panel, --tag, --actor, --inheritance-from and --inheritance-to also take a list with commas.',
  },
  {
    ...asCommandOptions({ ...panelOptions, ...declaredFilter }),
    'genes-file': genesFile,
    late: flag('only changes that the log showed late'),
  },
);

interface FilterValues extends FilterTexts {
  readonly 'genes-file'?: string | undefined;
  readonly late?: boolean | undefined;
}

/**
 * The filter that the options state.
 * @throws {UsageError} when a value is not one that the option takes
 * @throws {InputError} when the file of genes cannot be read
 */
export async function readFilter(values: FilterValues, io: Io): Promise<Filter> {
  const { 'genes-file': file, late, ...texts } = values;
  const genes = file === undefined ? [] : await genesIn(file, io);
  try {
    const filter = readFilterTexts(texts, genes);
    return late === true ? { ...filter, late } : filter;
  } catch (error) {
    if (!(error instanceof FilterTextError)) throw error;
    throw new UsageError(`--${error.message}`, { cause: error });
  }
}

/** The names of genes in a file, one a line. */
export async function genesIn(file: string, io: Io): Promise<readonly string[]> {
  const { name, text } = await readInput(file, io);
  const genes = text
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
  if (genes.length > 0) return genes;
  throw new UsageError(`--genes-file ${JSON.stringify(name)}: it names no gene; expected one a line`);
}
