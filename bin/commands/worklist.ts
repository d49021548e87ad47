import { type Io, UsageError } from '../command.ts';
import { declareWithOperands } from '../declare-command.ts';
import { caseFormNames } from '../impact/case-file.ts';
import { limitedExitUsage } from '../limit-sentences.ts';
import { assignEntries, commentEntries, decideEntries, noteReadings } from '../worklist/decide-entries.ts';
import { showWorklist } from '../worklist/show-worklist.ts';
import { type WorklistValues, worklistOptions } from '../worklist/worklist-options.ts';

/** The options that are not for every verb. */
const ofShowing = [
  'since',
  'until',
  'overdue',
  'assigned',
  'panel',
  'panel-type',
  'r-code',
  'gene',
  'genes-file',
  'entity-type',
  'cases',
  ...caseFormNames,
  'catalogue',
  'as-of',
  'left-out',
  'format',
  'output',
] as const;

async function run(values: WorklistValues, [verb = '', ...ids]: readonly string[], io: Io): Promise<number> {
  const refuse = (names: readonly (keyof typeof worklistOptions)[]): void => {
    const given = names.find((name) => values[name] !== undefined && values[name] !== false);
    if (given) throw new UsageError(`--${given} does not go with worklist ${verb}`);
  };
  switch (verb) {
    case 'list':
    case 'export':
      if (ids.length > 0) throw new UsageError(`saw ${JSON.stringify(ids[0])}; expected options only`);
      refuse(['why', 'text', 'to', 'by', 'revision']);
      return showWorklist(verb, values, io);
    case 'decide':
      refuse([...ofShowing, 'text', 'to']);
      return decideEntries(ids, values, io);
    case 'comment':
      refuse([...ofShowing, 'status', 'why', 'revision', 'to']);
      return commentEntries(ids, values, io);
    case 'assign':
      refuse([...ofShowing, 'status', 'why', 'text', 'revision']);
      return assignEntries(ids, values, io);
    case 'read':
      refuse([...ofShowing, 'status', 'why', 'text', 'to', 'revision']);
      return noteReadings(ids, values, io);
    default:
      throw new UsageError(
        `saw ${JSON.stringify(verb)}; expected: worklist list, worklist decide ID…, worklist comment ID…, worklist assign ID…, worklist read ID…, or worklist export`,
      );
  }
}

export const command = declareWithOperands({
  name: 'worklist',
  synopsis: [
    'list [options]',
    'decide ID... --status STATE --why TEXT [--by NAME] [--revision N] [options]',
    'comment ID... --text TEXT [--by NAME] [options]',
    'assign ID... --to NAME|none [--by NAME] [options]',
    'read ID... [--by NAME] [options]',
    'export --format html|csv|ndjson [--output FILE] [options]',
  ],
  about: [
    'Each change that matters is an entry in one state: open, re-analyse, wait-for-sign-off, no-action or done. The settings say which changes matter (worklist); by default, what turned green, what is no longer green, and green genes whose mode of inheritance changed. Decisions are only added: a later one replaces an earlier one, and both are kept. A sign-off of a version that has the change opens the entries that waited for it. An answer says which part of the period was not read, and which names are unknown.',
    '"list" shows what is not finished; "decide" records a decision about entries; "comment" records a comment on them, and their state stays; "assign" records who is to deal with them; "read" records that you read them; "export" writes every entry with who read it, the comments, who it is assigned to, and who decided what, when and why.',
  ],
  options: worklistOptions,
  notes: [
    'An ID may be shortened to its first characters, at least four, where no other entry begins with them.',
  ],
  exitCodes: `0 done, 1 failed, an entry was not decided, or something is unknown about the cases, 2 wrong arguments, ${limitedExitUsage}`,
  examples: [
    '$0 worklist list --r-code R208',
    '$0 worklist decide 4f0c2a91b3d7 --status re-analyse --why "214 cases, MDT of 23 November" --by "Ann Example"',
    '$0 worklist export --since 2026-01-01 --cases cases.csv --output worklist-2026.html',
  ],
  run,
});
