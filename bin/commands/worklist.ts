import {
  assign as assignEntry,
  comment as commentOn,
  decide as decideEntry,
} from '../../lambdas/questions/worklist/decide.ts';
import { headlineOf } from '../../lambdas/questions/worklist/entry-rows.ts';
import { readWorklist } from '../../lambdas/questions/worklist/read-worklist.ts';
import type { WorklistEntry } from '../../lambdas/questions/worklist/worklist-of.ts';
import {
  type WorklistStore,
  worklistStateForms,
  worklistStates,
} from '../../lambdas/questions/worklist/worklist-record.ts';
import { formatInstant, instantOf } from '../../lambdas/run/instant.ts';
import { printable } from '../../lambdas/run/text.ts';
import { oneOf, required, wholeNumber } from '../arguments.ts';
import { type Io, UsageError } from '../command.ts';
import { declareWithOperands, needed, type OptionValues, text, value } from '../declare-command.ts';
import {
  historyOptions,
  openHistory,
  placeOptions,
  readCatalogueName,
  worklistSettingsIn,
} from '../history-options.ts';

type PlaceValues = OptionValues<typeof ofPlace>;

const say = (stream: Pick<Io['stdout'], 'write'>, line: string): void =>
  void stream.write(`${printable(line)}\n`);

function personOf(by: string | undefined, { env }: Io): string {
  const name = (by ?? env.USER ?? env.LOGNAME ?? env.USERNAME ?? '').trim();
  if (name !== '') return name;
  throw new UsageError('this machine does not say who you are: give your name with --by NAME');
}

/** Does something about each entry that is named, and says what became of it. Returns 1 where one was left as it was. */
const eachEntry = (
  ids: readonly string[],
  values: PlaceValues,
  io: Io,
  work: (
    entry: WorklistEntry,
    place: Parameters<typeof decideEntry>[2],
  ) => Promise<{ readonly done: string } | { readonly sentence: string }>,
): Promise<number> =>
  withEntries(ids, values, io, async (entries, store) => {
    let code = 0;
    for (const entry of entries) {
      const outcome = await work(entry, { store, clock: io.clock });
      const about = `${headlineOf(entry)} on ${entry.panel.name}`;
      if ('done' in outcome) say(io.stdout, `${about}: ${outcome.done}`);
      else {
        code = 1;
        say(io.stderr, `${about}: ${outcome.sentence}`);
      }
    }
    return code;
  });

const minuteOf = ({ at }: { readonly at: string }): string => at.slice(0, 16).replace('T', ' ');

async function withEntries(
  ids: readonly string[],
  values: PlaceValues,
  io: Io,
  work: (entries: readonly WorklistEntry[], worklist: WorklistStore) => Promise<number>,
): Promise<number> {
  if (ids.length === 0) throw new UsageError('name the entries by their ids, as worklist shows them');
  const settings = await worklistSettingsIn(values, io);
  // A folder needs no settings to be read.
  const opened = await openHistory({ ...values, config: values.stage && values.config }, io);
  try {
    const worklist = await opened.worklist();
    const now = instantOf(io.clock.now());
    // Whoever may write to a stage leaves the next reader less to derive.
    await worklist.keep?.();
    const asked = { settings, ...readCatalogueName(values), now };
    const { entries } = await readWorklist({ ...opened, worklist }, asked);
    return await work([...new Set(ids.map((id) => entryCalled(id, entries)))], worklist);
  } finally {
    opened.close();
  }
}

function entryCalled(id: string, entries: readonly WorklistEntry[]): WorklistEntry {
  const wanted = id.toLowerCase();
  if (!/^[0-9a-f]{4,32}$/.test(wanted))
    throw new UsageError(
      `${JSON.stringify(id)}: expected the id of an entry, or its first characters, at least four`,
    );
  const [found, other] = entries.filter((entry) => entry.id.startsWith(wanted));
  if (found && !other) return found;
  throw new UsageError(
    found
      ? `${JSON.stringify(id)}: several entries begin with it; give more characters`
      : `${JSON.stringify(id)}: there is no such entry. "worklist --status all" shows all of them; other settings may leave it out`,
  );
}

const ofPlace = { ...placeOptions, name: historyOptions.name };
const by = text('NAME', 'who does it (default: the name of the account on this machine)');
const shared = {
  notes: [
    'worklist lists the ids. An ID may be shortened to its first characters, at least four, where no other entry begins with them.',
  ],
  exitCodes: '0 done, 1 failed, or an entry was left as it was, 2 wrong arguments',
};

export const decide = declareWithOperands({
  ...shared,
  name: 'worklist decide',
  synopsis: ['ID... --status STATE --why TEXT [options]'],
  about: [
    'Records a decision about entries of the worklist. A later decision replaces an earlier one, and both are kept.',
  ],
  options: {
    status: needed(
      value(
        'STATE',
        'the state: open, re-analyse, wait-for-sign-off, no-action or done',
        oneOf(worklistStates),
      ),
    ),
    why: needed(text('TEXT', 'the reason')),
    by,
    revision: value(
      'N',
      'how many decisions an entry had when you saw it (default: your own, if nobody else decided, otherwise 0); the decision is refused if there are more by now',
      wholeNumber({ min: 0, max: 999_999 }),
    ),
    ...ofPlace,
  },
  examples: [
    '$0 worklist decide 4f0c2a91b3d7 --status re-analyse --why "214 cases, MDT of 23 November" --by "Ann Example"',
  ],
  async run({ status: state, why, revision, by, ...values }, ids, io) {
    const deciding = { state, by: personOf(by, io), why, revision };
    const { words } = worklistStateForms[state];
    return eachEntry(ids, values, io, async (entry, place) => {
      const outcome = await decideEntry(entry, deciding, place);
      switch (outcome.kind) {
        case 'decided':
          return { done: `${words} (revision ${outcome.kept.number})` };
        case 'decided-before':
          return { done: `${words}, as decided before at ${minuteOf(outcome.kept)} UTC` };
        case 'conflict':
          return {
            sentence: `${outcome.sentence} To decide all the same, add --revision ${outcome.revision}.`,
          };
        case 'refused':
          return outcome;
      }
    });
  },
});
export const comment = declareWithOperands({
  ...shared,
  name: 'worklist comment',
  synopsis: ['ID... --text TEXT [options]'],
  about: ['Records a comment on entries of the worklist; their state stays.'],
  options: { text: needed(text('TEXT', 'the words of the comment')), by, ...ofPlace },
  examples: ['$0 worklist comment 4f0c2a91b3d7 --text "Asked the clinic" --by "Ann Example"'],
  async run({ text, by: name, ...values }, ids, io) {
    const by = personOf(name, io);
    return eachEntry(ids, values, io, async (entry, place) => {
      const outcome = await commentOn(entry, { by, text }, place);
      if (outcome.kind === 'refused') return outcome;
      if (outcome.kind === 'commented')
        return { done: `the comment is kept; still ${worklistStateForms[entry.state].words}` };
      return { done: `${by} said the same before, at ${minuteOf(outcome.kept)} UTC; nothing was added` };
    });
  },
});
export const assign = declareWithOperands({
  ...shared,
  name: 'worklist assign',
  synopsis: ['ID... --to NAME|none [options]'],
  about: ['Records who is to deal with entries of the worklist.'],
  options: { to: text('NAME', 'the person who is to deal with it from now on, or none'), by, ...ofPlace },
  examples: ['$0 worklist assign 4f0c2a91b3d7 --to "Bo Example" --by "Ann Example"'],
  async run({ to: given, by: assigner, ...values }, ids, io) {
    const by = personOf(assigner, io);
    const name = required('--to NAME, or --to none', given).trim();
    const to = name === 'none' ? null : name;
    return eachEntry(ids, values, io, async (entry, place) => {
      const outcome = await assignEntry(entry, { to, by, seen: entry.assignments.length }, place);
      if ('sentence' in outcome) return outcome;
      return { done: `assigned to ${name}${outcome.kind === 'assigned-before' ? ', as before' : ''}` };
    });
  },
});
export const read = declareWithOperands({
  ...shared,
  name: 'worklist read',
  synopsis: ['ID... [options]'],
  about: ['Records that you read entries of the worklist.'],
  options: { by, ...ofPlace },
  examples: ['$0 worklist read 4f0c2a91b3d7 --by "Ann Example"'],
  run: ({ by: name, ...values }, ids, io) =>
    withEntries(ids, values, io, async (entries, worklist) => {
      const by = personOf(name, io);
      const at = formatInstant(instantOf(io.clock.now()));
      for (const { id } of entries) await worklist.noteReading({ entry: id, by, at });
      const read = entries.length === 1 ? '1 entry' : `${entries.length} entries`;
      say(io.stdout, `Recorded that ${by} read ${read}.`);
      return 0;
    }),
});
