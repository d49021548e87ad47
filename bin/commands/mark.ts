import { formatInstant, type Instant, instantOf } from '../../lambdas/clock/instant.ts';
import { createSqliteHistory } from '../../lambdas/history/sqlite.ts';
import { createSqliteDocuments } from '../../lambdas/state/documents-sqlite.ts';
import { createSqliteStore } from '../../lambdas/state/sqlite.ts';
import { cataloguesIn } from '../../lambdas/state/sqlite-catalogues.ts';
import type { StateFile } from '../../lambdas/state/sqlite-file.ts';
import type { Stored } from '../../lambdas/state/store.ts';
import { loadSweep } from '../../lambdas/sweep/sweep-state.ts';
import { readName, readOptions, readPastTime } from '../arguments.ts';
import { type Command, type Io, UsageError } from '../command.ts';
import { counted } from '../counted.ts';
import { defaultState, openForPolling, openForReading } from '../local/open-state.ts';
import { LocalStateError } from '../local/state-error.ts';
import { printable } from '../terminal-text.ts';

const usage = `
gene-panel-notifier mark [options]

Shows how far the log of each catalogue was published, or moves that mark. The next poll publishes the rows of the log
after the mark. Moved back, it publishes rows again; moved forward, it leaves rows out. Times are in UTC.

Options:
  --state DIR          the state that poll or watch filled (default: ${defaultState})
  --name NAME          only the catalogue of that name
  --set TIME           move the mark to this time (2026-01-31 or 2026-01-31T12:00:00Z); says what that repeats or
                       leaves out, and does it with --yes only
  --yes                move it

Exit codes: 0 done, 1 failed, 2 called wrongly, or --set without --yes: nothing was changed.

Examples:
  gene-panel-notifier mark
  gene-panel-notifier mark --set 2026-11-01 --yes
`;

async function run(args: readonly string[], io: Io): Promise<number> {
  const values = readOptions(args, {
    state: { type: 'string' },
    name: { type: 'string' },
    set: { type: 'string' },
    yes: { type: 'boolean', default: false },
  });
  if (values.yes && values.set === undefined) throw new UsageError('--yes goes with --set TIME only');
  const to = values.set === undefined ? undefined : readPastTime('--set', values.set, io.clock);
  const name = values.name === undefined ? undefined : readName('--name', values.name);
  const directory = values.state ?? defaultState;
  const read = openForReading(directory);
  try {
    const catalogues = cataloguesIn(read).filter((known) => name === undefined || known === name);
    if (catalogues.length === 0) throw noCatalogue(directory, name, cataloguesIn(read));
    if (to === undefined) {
      for (const catalogue of catalogues) {
        io.stdout.write(`${await describe(read, catalogue)}\n`);
      }
      return 0;
    }
    const [catalogue, other] = catalogues;
    if (catalogue === undefined || other !== undefined) {
      throw new UsageError(`--set wants --name, one of ${catalogues.join(', ')}`);
    }
    const stored = await loadToMove(read, catalogue);
    io.stderr.write(`${printable(await consequences(read, { catalogue, stored, to, directory }))}\n`);
    if (!values.yes) {
      io.stderr.write('Nothing was changed. Add --yes to move the mark.\n');
      return 2;
    }
  } finally {
    read.close();
  }
  const state = openForPolling(directory);
  try {
    const [catalogue = ''] = cataloguesIn(state.file).filter((known) => name === undefined || known === name);
    const { position } = await loadToMove(state.file, catalogue);
    await createSqliteStore(state.file, catalogue).moveMark(position, to);
    io.stderr.write(`The mark is at ${formatInstant(to)}; the next poll goes on from there.\n`);
    return 0;
  } finally {
    state.close();
  }
}

/** The facts of one catalogue, a line each. */
async function describe(file: StateFile, catalogue: string): Promise<string> {
  const stored = await createSqliteStore(file, catalogue).load(0n);
  const sweep = await loadSweep(createSqliteDocuments(file, catalogue));
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
  const { position, pending, setBack } = stored;
  const { mark, start, ledgerSince, waits } = position;
  const facts: [string, string][] = [
    ['mark', `${formatInstant(mark)}: rows up to then are published`],
    ['began', `${formatInstant(start)}: rows before then are not published`],
    ['ledger', `complete since ${formatInstant(ledgerSince)}: late rows are recognised back to then`],
    [
      'rows waiting',
      waits === 0 ? 'none' : `some, for a paired row that may still come (${counted(waits, 'poll')} so far)`,
    ],
  ];
  if (pending) {
    const events = counted(pending.messages.length, 'event');
    facts.push(['recorded', `${events}, perhaps not published yet: the next poll publishes them first`]);
  }
  if (setBack) facts.push(['warning', setBack.found]);
  return facts;
}

interface Move {
  readonly catalogue: string;
  readonly stored: Stored;
  readonly to: Instant;
  readonly directory: string;
}

/** What moving the mark repeats or leaves out, in sentences. */
async function consequences(file: StateFile, { catalogue, stored, to, directory }: Move): Promise<string> {
  const { mark, start } = stored.position;
  const [from, then] = [formatInstant(mark), formatInstant(to)];
  if (to >= mark) {
    return `Moving the mark of "${catalogue}" forward from ${from} to ${then}: rows of the log from before ${then} that were not published yet are never published.`;
  }
  let kept = 0;
  const history = createSqliteHistory(file);
  for await (const { data } of history.findWithoutRows({ catalogue, since: to + 1n })) {
    if (!('via' in data.change)) kept++;
  }
  const sentences = [
    `Moving the mark of "${catalogue}" back from ${from} to ${then}: every row of the log after ${then} is published again, with the same event ids (${counted(kept, 'event')} in the history). An event may say less of what was before.`,
    to < start && `Rows before ${formatInstant(start)} are published for the first time.`,
    `To publish kept events again byte for byte, use instead: gene-panel-notifier replay --state ${directory} --since ${then}.`,
  ];
  return sentences.filter(Boolean).join(' ');
}

/** @throws {LocalStateError} when the mark cannot be moved now */
async function loadToMove(file: StateFile, catalogue: string): Promise<Stored> {
  const stored = await createSqliteStore(file, catalogue).load(0n);
  if (!stored) {
    throw new LocalStateError(
      `Moving the mark of "${catalogue}": it has none, as no poll has run. Begin with poll --from TIME.`,
    );
  }
  if (!stored.pending) return stored;
  throw new LocalStateError(
    `Moving the mark of "${catalogue}": ${counted(stored.pending.messages.length, 'event')} were recorded and perhaps not published. Nothing was changed. Poll once, so that they are published, then move the mark.`,
  );
}

function noCatalogue(directory: string, name: string | undefined, known: readonly string[]): LocalStateError {
  const expected = known.length > 0 ? `It has ${known.join(', ')}.` : 'Run a poll or watch with it first.';
  const seen = name === undefined ? 'no catalogue was read with it' : `it has no catalogue "${name}"`;
  return new LocalStateError(`Reading the state in ${directory}: ${seen}. ${expected}`);
}

export const command: Command = { name: 'mark', usage, run };
