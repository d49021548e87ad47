import { assemblies, stateBed } from '../../lambdas/questions/state-bed.ts';
import { stateCsv, stateNdjson } from '../../lambdas/questions/state-documents.ts';
import type { NamedState } from '../../lambdas/questions/state-rows.ts';
import { printable } from '../../lambdas/run/printable.ts';
import { accessOptions } from '../access.ts';
import { readChoice, readPastTime } from '../arguments.ts';
import { type Io, UsageError } from '../command.ts';
import { declareCommand, flag, type OptionValues, text } from '../declare-command.ts';
import { replacedFile, writeDocument } from '../output.ts';
import { findStates } from '../panel-state/find-states.ts';
import { openAskedStates } from '../panel-state/open-asked-states.ts';
import { panelStateOptions } from '../panel-state/open-panel-states.ts';
import { stateTable } from '../panel-state/state-table.ts';

const formats = ['table', 'csv', 'ndjson', 'bed'] as const;

const options = {
  panel: text('ID|NAME', 'one panel, by its number, older id, present or former name'),
  'r-code': text('CODE', 'the panels with this code of the National Genomic Test Directory'),
  version: text('M.N', 'as it was at the end of this version'),
  at: text(
    'TIME',
    'as it was at this time: 2026-01-31 (its first moment, in UTC), 2026-01-31T12:00:00Z, or 90d',
  ),
  'signed-off': flag('the version that is signed off; with --at, the one that was signed off then'),
  format: text(
    'FORMAT',
    'table, csv, ndjson: one gene, STR or region a line, or bed: the green ones by place',
    'table',
  ),
  assembly: text('BUILD', 'of a bed: GRCh38 (default) or GRCh37'),
  output: replacedFile,
  ...panelStateOptions,
  ...accessOptions,
};

async function run(values: OptionValues<typeof options>, io: Io): Promise<number> {
  const format = readChoice('--format', values.format, formats);
  if (values.assembly !== undefined && format !== 'bed')
    throw new UsageError('--assembly goes with --format bed');
  const assembly = readChoice('--assembly', values.assembly ?? 'GRCh38', assemblies);
  const wanted = readWanted(values, io);
  const { opened, catalogue, close } = await openAskedStates(values, io);
  try {
    const asked = { panel: values.panel, rCode: values['r-code'] };
    const { states, notes, unknown } = await findStates(asked, wanted, {
      opened,
      catalogue,
      clock: io.clock,
    });
    const empty = states.flatMap(({ state }) => (state.entities.length === 0 ? [emptySentence(state)] : []));
    for (const sentence of [...notes, ...empty, ...unknown]) io.stderr.write(`${printable(sentence)}\n`);
    if (states.length > 0) {
      const { text, warnings } = documentOf(states, format, assembly);
      await writeDocument(text, values.output, io);
      for (const sentence of warnings) io.stderr.write(`${printable(sentence)}\n`);
    }
    return unknown.length > 0 ? 1 : 0;
  } finally {
    await close();
  }
}

/** A list of lines cannot say which state has none. */
const emptySentence = ({ panelName, panelId, version, sha256 }: NamedState['state']): string =>
  `${panelName} (${panelId}): version ${version} holds no gene, STR or region; SHA-256 ${sha256}.`;

interface Document {
  readonly text: string;
  readonly warnings: readonly string[];
}

function documentOf(
  states: readonly NamedState[],
  format: (typeof formats)[number],
  assembly: (typeof assemblies)[number],
): Document {
  switch (format) {
    case 'table':
      return { text: stateTable(states), warnings: [] };
    case 'csv':
      return { text: stateCsv(states), warnings: [] };
    case 'ndjson':
      return { text: stateNdjson(states), warnings: [] };
    case 'bed': {
      const { text, unplaced } = stateBed(states, assembly);
      const names = unplaced.join(', ');
      const warning = `${unplaced.length} green of the list have no location in ${assembly} and are in its header only: ${names}.`;
      return { text, warnings: unplaced.length > 0 ? [warning] : [] };
    }
    default:
      return format satisfies never;
  }
}

function readWanted(
  values: {
    readonly version?: string | undefined;
    readonly at?: string | undefined;
    readonly 'signed-off': boolean;
    readonly 'r-code'?: string | undefined;
  },
  io: Io,
): Parameters<typeof findStates>[1] {
  const { version, at, 'signed-off': signedOff } = values;
  if (version !== undefined && (at !== undefined || signedOff)) {
    throw new UsageError('--version goes with neither --at nor --signed-off');
  }
  if (version !== undefined && values['r-code'] !== undefined) {
    throw new UsageError('a version is that of one panel: give --panel');
  }
  if (version !== undefined && !/^\d+\.\d+$/.test(version)) {
    throw new UsageError(`--version ${JSON.stringify(version)}: expected a version such as 4.12`);
  }
  const instant = at === undefined ? undefined : readPastTime('--at', at, io.clock);
  if (signedOff) return { kind: 'signed-off', at: instant };
  if (version !== undefined) return { kind: 'version', version };
  return instant === undefined ? { kind: 'present' } : { kind: 'at', at: instant, text: at ?? '' };
}

export const command = declareCommand({
  name: 'state',
  synopsis: [
    '--panel ID|NAME [--version M.N | --at TIME | --signed-off [--at TIME]] [options]',
    '--r-code CODE [--at TIME | --signed-off [--at TIME]] [options]',
  ],
  about: [
    'Lists what a panel held: now, at a version, on a day, or in the version that is or was signed off. Each gene, STR and region comes with its rating, ids and location, and the list with its source, the time at which it was read and its SHA-256. A state that is unknown is never guessed: the command says "unknown", why, and what to do.',
    'The states are those that were kept. With --catalogue, a state that is not kept is read from the archive of the catalogue.',
  ],
  options,
  exitCodes: '0 done, 1 failed, or a state is unknown, 2 wrong arguments, 3 there is no such panel',
  examples: [
    '$0 state --panel 3 --at 2026-02-01',
    '$0 state --r-code R59 --signed-off --format csv --output r59.csv',
    '$0 state --panel "Hearing loss" --version 4.12 --format bed --assembly GRCh37',
  ],
  run,
});
