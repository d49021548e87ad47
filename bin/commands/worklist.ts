import { readArguments } from '../arguments.ts';
import { type Command, type Io, UsageError } from '../command.ts';
import { periodUsage, stageUsage } from '../history-options.ts';
import { caseFormNames, caseFormUsage } from '../impact/case-file.ts';
import { limitedExitUsage } from '../limited-exit.ts';
import { defaultState } from '../local/open-state.ts';
import { assignEntries, commentEntries, decideEntries, noteReadings } from '../worklist/decide-entries.ts';
import { showWorklist } from '../worklist/show-worklist.ts';
import { worklistOptions } from '../worklist/worklist-options.ts';

const usage = `
gene-panel-notifier worklist list [options]
gene-panel-notifier worklist decide ID... --status STATE --why TEXT [--by NAME] [--revision N] [options]
gene-panel-notifier worklist comment ID... --text TEXT [--by NAME] [options]
gene-panel-notifier worklist assign ID... --to NAME|none [--by NAME] [options]
gene-panel-notifier worklist read ID... [--by NAME] [options]
gene-panel-notifier worklist export --format html|csv|ndjson [--output FILE] [options]

Each change that matters is an entry in one state: open, re-analyse, wait-for-sign-off, no-action or done. The settings say which
changes matter (worklist); by default, what turned green and what is no longer green. Decisions are only added: a later one
replaces an earlier one, and both are kept. A sign-off of a version that has the change opens the entries that waited for it.
An answer says which part of the period was not read, and which names are unknown.

"list" shows what is not finished; "decide" records a decision about entries; "comment" records a comment on them, and their
state stays; "assign" records whose they are; "read" records that you read them; "export" writes every entry with who read it, the
comments, whose it is, and who decided what, when and why.

Options:
  --state DIR          the folder that poll or watch filled (default: ${defaultState})
${stageUsage}
  --name NAME          only the catalogue of that name
  --status STATE       list, export: only entries in this state, several times for several, or all (default of list: open,
                       re-analyse and wait-for-sign-off; of export: all); decide: the state that you decide for
  --overdue            list, export: only what is overdue
  --assigned NAME      list, export: only what is assigned to this person, or none for what no person has
${periodUsage}
  --panel ID|NAME, --panel-type SLUG, --r-code CODE, --gene NAME|HGNC:ID, --genes-file FILE,
  --entity-type TYPE
                       only these panels, genes, STRs and regions, of those that the settings ask for
  --cases FILE         list, export: also count the cases that each entry concerns, in a file as "impact" reads it; the counts
                       alone are shown, and nothing of the file is kept
${caseFormUsage}
  --catalogue URL      with --cases: ask this catalogue for versions that are not kept
  --format FORMAT      list: table (default), csv or ndjson; export: html (default), csv or ndjson
  --output FILE        write to a file instead of printing; what the file held before is replaced
  --why TEXT           the reason for a decision
  --text TEXT          the words of a comment
  --to NAME            assign: the person whose entry it is from now on, or none
  --by NAME            who decides, comments, assigns or reads (default: the name of the account on this machine)
  --revision N         how many decisions an entry had when you saw it (default: 0, or your own alone); it is refused if there are
                       more by now

An ID may be shortened to its first characters, at least four, where no other entry begins with them.

Exit codes: 0 done, 1 failed, an entry was not decided, or something is unknown of the cases, 2 wrong arguments,
${limitedExitUsage}.

Examples:
  gene-panel-notifier worklist list --r-code R208
  gene-panel-notifier worklist decide 4f0c2a91b3d7 --status re-analyse --why "214 cases, MDT of 23 November" --by "Ann Example"
  gene-panel-notifier worklist export --since 2026-01-01 --cases cases.csv --output worklist-2026.html
`;

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
  'format',
  'output',
] as const;

async function run(args: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = readArguments(args, worklistOptions);
  const [verb = '', ...ids] = positionals;
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

export const command: Command = { name: 'worklist', usage, run };
