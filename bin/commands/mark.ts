import { type KeptOfCatalogue, keptInFile } from '../../lambdas/panels/sqlite-panel-states.ts';
import { readPastTime } from '../../lambdas/questions/options.ts';
import { loadSweep } from '../../lambdas/reconcile/sweep-state.ts';
import { formatInstant, type Instant, instantOf } from '../../lambdas/run/instant.ts';
import { counted, printable } from '../../lambdas/run/text.ts';
import { cataloguesIn, type StateFile } from '../../lambdas/store/sqlite-file.ts';
import { StateError } from '../../lambdas/store/state-error.ts';
import type { Stored } from '../../lambdas/store/store.ts';
import { catalogueAddress } from '../arguments.ts';
import { type Io, LocalStateError, UsageError } from '../command.ts';
import { declareCommand, flag, type OptionValues, text, value } from '../declare-command.ts';
import { checkPlace, historyOptions, type PlaceValues, placeOptions } from '../history-options.ts';
import { defaultState, openAlone, openForReading } from '../local/open-state.ts';

const options = {
  ...placeOptions,
  table: text(
    'NAME',
    'instead of a stage, the name of its table of marks (output TableName of the stack); needs --name',
  ),
  name: historyOptions.name,
  set: value(
    'TIME',
    'move the mark to this time (2026-01-31, 2026-01-31T12:00:00Z, or 2d for two days ago). Without --yes, only say what that repeats or leaves out',
    readPastTime,
  ),
  'moved-to': value(
    'URL',
    'the catalogue has moved to this address, with the same log: the mark belongs to it from now on. Without --yes, only say what that means',
    catalogueAddress,
  ),
  yes: flag('move the mark'),
};

async function run(values: OptionValues<typeof options>, io: Io): Promise<number> {
  const { set: to, 'moved-to': url, name } = values;
  if (values.yes && to === undefined && url === undefined)
    throw new UsageError('--yes goes with --set TIME or --moved-to URL only');
  if (to !== undefined && url !== undefined)
    throw new UsageError('expected either --set TIME or --moved-to URL');
  const marks = await openMarks(values, io);
  let catalogue: string;
  try {
    const catalogues = marks.catalogues.filter((known) => name === undefined || known === name);
    if (catalogues.length === 0) throw noCatalogue(marks, name);
    if (to === undefined && url === undefined) {
      for (const each of catalogues) io.stdout.write(`${await describe(marks, each)}\n`);
      return 0;
    }
    if (catalogues.length > 1)
      throw new UsageError(`--set and --moved-to need --name, one of ${catalogues.join(', ')}`);
    [catalogue = ''] = catalogues;
    const stored = await loadToMove(marks, catalogue);
    const said =
      url === undefined
        ? await consequences(marks, { catalogue, stored, to: to ?? stored.position.mark })
        : consequencesOfMove({ catalogue, stored, url });
    io.stderr.write(`${printable(said)}\n`);
    if (!values.yes) {
      io.stderr.write('Nothing was changed. Add --yes to move the mark.\n');
      return 2;
    }
  } finally {
    marks.close();
  }
  const moving = await openMarksToMove(values, io);
  try {
    const stored = await loadToMove(moving, catalogue);
    if (url !== undefined) {
      const { state } = moving.kept(catalogue);
      await moved(() => state.update(stored.position, { source: url }), catalogue);
      io.stderr.write(`The mark belongs to ${url}; the next poll of that address continues from it.\n`);
    } else if (to !== undefined) {
      await moved(() => moving.kept(catalogue).state.moveMark(stored.position, to), catalogue);
      io.stderr.write(`The mark is at ${formatInstant(to)}; the next poll continues from there.\n`);
    }
    return 0;
  } finally {
    moving.close();
  }
}

async function moved(move: () => Promise<unknown>, catalogue: string): Promise<void> {
  try {
    await move();
  } catch (cause) {
    if (!(cause instanceof StateError && cause.code === 'STATE_CONFLICT')) throw cause;
    throw new LocalStateError(
      `Moving the mark of "${catalogue}": a poll moved it meanwhile. Nothing was changed. Run mark again to see where it is, then repeat the command.`,
      { cause },
    );
  }
}

async function describe(marks: MarkedState, catalogue: string): Promise<string> {
  const { state, documents } = marks.kept(catalogue);
  const [stored, sweep] = [await state.load(0n), await loadSweep(documents)];
  const listed = sweep && [...sweep.snapshot.panels.values()];
  const regions = listed?.reduce((sum, panel) => sum + panel.regions.length, 0) ?? 0;
  const facts: readonly (readonly [string, string])[] = [
    ...factsOfPolls(stored),
    [
      'stored listing',
      sweep && listed
        ? `${formatInstant(instantOf(sweep.snapshot.listedAt))}: ${counted(listed.length, 'panel')}, ${counted(regions, 'region')}; the next sweep compares with it`
        : 'none: there was no sweep',
    ],
  ];
  const source = stored?.position.source;
  const lines = facts.map(([label, text]) => `  ${label.padEnd(16)} ${printable(text)}`);
  return [printable(source ? `${catalogue} (${source})` : catalogue), ...lines].join('\n');
}

function factsOfPolls(stored: Stored | null): readonly (readonly [string, string])[] {
  if (!stored) return [['mark', 'none: there was no poll']];
  const { position, pending, rollback } = stored;
  const { mark, start, ledgerSince, waits } = position;
  const facts: [string, string][] = [
    ['mark', `${formatInstant(mark)}: all rows up to this time are published`],
    ['began', `${formatInstant(start)}: rows from before this time are not published`],
    ['ledger', `complete since ${formatInstant(ledgerSince)}: late rows are recognised back to this time`],
    [
      'rows waiting',
      waits === 0 ? 'none' : `some, for a paired row that may still come (${counted(waits, 'poll')} so far)`,
    ],
  ];
  if (pending) {
    const events = counted(pending.messages.length, 'event');
    facts.push(['recorded', `${events}, perhaps not published yet: the next poll publishes them first`]);
  }
  if (rollback) facts.push(['warning', rollback.found]);
  return facts;
}

interface Move {
  readonly catalogue: string;
  readonly stored: Stored;
  readonly to: Instant;
}

async function consequences(
  { kept, hasHistory, replayOptions }: MarkedState,
  { catalogue, stored, to }: Move,
): Promise<string> {
  const { mark, start } = stored.position;
  const [from, then] = [formatInstant(mark), formatInstant(to)];
  if (to >= mark) {
    return `Moving the mark of "${catalogue}" forward from ${from} to ${then}: rows of the log from before ${then} that were not published yet are never published.`;
  }
  let events = 0;
  const { history } = kept(catalogue);
  const published = hasHistory ? history.findWithoutRows({ catalogue, since: to + 1n }) : [];
  for await (const { data } of published) if (!('via' in data.change)) events++;
  const known = hasHistory ? ` (${counted(events, 'event')} in the history)` : '';
  const sentences = [
    `Moving the mark of "${catalogue}" back from ${from} to ${then}: every row of the log after ${then} is published again, with the same event ids${known}. An event may say less about the state before.`,
    to < start && `Rows before ${formatInstant(start)} are published for the first time.`,
    `To publish kept events again byte for byte, use instead: gene-panel-notifier replay ${replayOptions} --since ${then}.`,
  ];
  return sentences.filter(Boolean).join(' ');
}

async function loadToMove(marks: MarkedState, catalogue: string): Promise<Stored> {
  const stored = await marks.kept(catalogue).state.load(0n);
  if (!stored) {
    throw new LocalStateError(
      `Moving the mark of "${catalogue}": ${marks.place} has none, as no poll has run. Begin with a first poll: --from TIME, or from in the settings.`,
    );
  }
  if (!stored.pending) return stored;
  throw new LocalStateError(
    `Moving the mark of "${catalogue}": ${counted(stored.pending.messages.length, 'event')} were recorded and perhaps not published. Nothing was changed. Poll once, so that they are published, then move the mark.`,
  );
}

function noCatalogue({ place, catalogues }: MarkedState, name: string | undefined): LocalStateError {
  const expected =
    catalogues.length > 0 ? `It has ${catalogues.join(', ')}.` : 'Run a poll or watch with it first.';
  const seen = name === undefined ? 'no catalogue was read with it' : `it has no catalogue "${name}"`;
  return new LocalStateError(`Reading ${place}: ${seen}. ${expected}`);
}

export const command = declareCommand({
  name: 'mark',
  about: [
    'Shows how far the log of each catalogue was published (its mark), or moves the mark. The next poll publishes the rows after the mark. If you move it back, rows are published again; if you move it forward, rows are left out. Times are in UTC.',
  ],
  options,
  notes: [
    'A poll may run at the same moment. Either the mark moves, and that poll stops before it publishes; or the poll wrote first, and mark changes nothing and says so.',
  ],
  exitCodes:
    '0 done, 1 failed, 2 wrong arguments, or --set or --moved-to without --yes (nothing was changed)',
  examples: [
    '$0 mark',
    '$0 mark --stage production',
    '$0 mark --set 2026-11-01 --yes',
    '$0 mark --moved-to https://panels.example.org --yes',
  ],
  run,
});

function consequencesOfMove({ catalogue, stored, url }: Omit<Move, 'to'> & { readonly url: string }): string {
  const { source } = stored.position;
  return `The mark of "${catalogue}" belongs to ${source ?? 'an unknown address'}. From now on it belongs to ${url}: the next poll of that address goes on from the same mark, with the same name, known ratings and event ids. Do this only where both addresses have the same log.`;
}

/** The marks of several catalogues, of one machine or of a deployed stage. */
interface MarkedState {
  /** What a person calls it: `the state in .gene-panel-notifier`. */
  readonly place: string;
  /** Names of the catalogues, in order. */
  readonly catalogues: readonly string[];
  readonly kept: (catalogue: string) => KeptOfCatalogue;
  /** Whether the history of the marks was named, too. */
  readonly hasHistory: boolean;
  /** The options with which `replay` reads that history. */
  readonly replayOptions: string;
  close(): void;
}

type MarkPlace = PlaceValues & { readonly name?: string | undefined };

/**
 * Opens the marks that the options name.
 * @throws {UsageError | LocalStateError | StateError | SettingsError | DeployedStageError} when they cannot be opened
 */
export async function openMarks(values: MarkPlace, io: Io): Promise<MarkedState> {
  checkPlace(values);
  const { state = defaultState, stage, table, name = '' } = values;
  if (stage === undefined && table === undefined) return localMarks(openForReading(state), state, io);
  if (table !== undefined && name === '')
    throw new UsageError('--table needs --name, the configured name of the catalogue');
  return deployedMarks(values, io);
}

/**
 * Opens the same marks to move one. In a state directory no poll can begin meanwhile; in a table, the write of the mark
 * fails where a poll wrote first.
 */
async function openMarksToMove(values: MarkPlace, io: Io): Promise<MarkedState> {
  const { state = defaultState, stage, table } = values;
  if (stage !== undefined || table !== undefined) return openMarks(values, io);
  const { file, close } = openAlone(state, io.clock);
  return { ...localMarks(file, state, io), close };
}

const localMarks = (file: StateFile, directory: string, { clock }: Io): MarkedState => ({
  place: `the state in ${directory}`,
  catalogues: cataloguesIn(file),
  kept: (catalogue) => keptInFile(file, catalogue, clock),
  hasHistory: true,
  replayOptions: `--state ${directory}`,
  close: () => file.close(),
});

async function deployedMarks(
  { stage, config, table = '', name = '' }: MarkPlace,
  io: Io,
): Promise<MarkedState> {
  const [{ openStage, openTables }, { keptInTables }] = await Promise.all([
    import('../stage.ts'),
    import('../../lambdas/panels/dynamodb-panel-states.ts'),
  ]);
  const opened =
    stage === undefined
      ? { ...(await openTables()), stateTable: table, historyTable: '', catalogues: [name] }
      : await openStage({ stage, config }, io);
  const { clock } = io;
  const runId = `mark-${clock.now()}-${Math.floor(clock.random() * 1e9)}`;
  return {
    place: `table "${opened.stateTable}"`,
    catalogues: opened.catalogues.toSorted(),
    kept: (catalogue) => keptInTables(catalogue, { ...opened, runId, clock }),
    hasHistory: stage !== undefined,
    replayOptions:
      stage === undefined
        ? '--table HISTORY'
        : `--stage ${stage}${config === undefined ? '' : ` --config ${config}`}`,
    close: opened.close,
  };
}
