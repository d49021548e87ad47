import { assign } from '../../lambdas/questions/worklist/assign.ts';
import { comment } from '../../lambdas/questions/worklist/comment.ts';
import { decide } from '../../lambdas/questions/worklist/decide.ts';
import { headlineOf } from '../../lambdas/questions/worklist/entry-words.ts';
import { readWorklist } from '../../lambdas/questions/worklist/read-worklist.ts';
import type { WorklistEntry } from '../../lambdas/questions/worklist/worklist-entry.ts';
import { worklistStateForms, worklistStates } from '../../lambdas/questions/worklist/worklist-states.ts';
import { formatInstant, instantOf } from '../../lambdas/run/instant.ts';
import { printable } from '../../lambdas/run/printable.ts';
import { readChoice, readWholeNumber, required } from '../arguments.ts';
import { type Io, UsageError } from '../command.ts';
import { readCatalogueName } from '../history-options.ts';
import { type OpenWorklist, openWorklist } from './open-worklist.ts';

/** What was given for the options of a verb. */
type WorklistValues = Parameters<typeof openWorklist>[0] &
  Readonly<Partial<Record<'status' | 'why' | 'text' | 'to' | 'by' | 'revision', string | undefined>>>;

/**
 * Keeps a decision about each entry that is named. Returns the exit code: 1 where one of them was not decided.
 * @throws {UsageError} when an option is wrong, or no entry, or several, have an id
 */
export async function decideEntries(ids: readonly string[], values: WorklistValues, io: Io): Promise<number> {
  const state = readChoice('--status', required('--status STATE', values.status), worklistStates);
  const deciding = {
    state,
    by: personOf(values.by, io),
    why: required('--why TEXT', values.why),
    revision:
      values.revision === undefined
        ? undefined
        : readWholeNumber('--revision', values.revision, { min: 0, max: 999_999 }),
  };
  return withEntries(ids, values, io, async (entries, { place }) => {
    let notDecided = 0;
    for (const entry of entries) {
      const outcome = await decide(entry, deciding, { store: place.worklist, clock: io.clock });
      const about = `${headlineOf(entry)} on ${entry.panel.name}`;
      switch (outcome.kind) {
        case 'decided':
          say(
            io.stdout,
            `${about}: ${worklistStateForms[state].words} (revision ${outcome.decision.number})`,
          );
          break;
        case 'decided-before':
          say(
            io.stdout,
            `${about}: ${worklistStateForms[state].words}, as decided before at ${outcome.decision.at.slice(0, 16).replace('T', ' ')} UTC`,
          );
          break;
        case 'conflict':
          notDecided += 1;
          say(
            io.stderr,
            `${about}: ${outcome.sentence} To decide all the same, add --revision ${outcome.decisions.length}.`,
          );
          break;
        case 'refused':
          notDecided += 1;
          say(io.stderr, `${about}: ${outcome.sentence}`);
          break;
        default:
          outcome satisfies never;
      }
    }
    return notDecided === 0 ? 0 : 1;
  });
}

/**
 * Keeps a comment on each entry that is named; its state stays. Returns the exit code: 1 where one was not kept.
 * @throws {UsageError} when an option is wrong, or no entry, or several, have an id
 */
export async function commentEntries(
  ids: readonly string[],
  values: WorklistValues,
  io: Io,
): Promise<number> {
  const said = { by: personOf(values.by, io), text: required('--text TEXT', values.text) };
  return withEntries(ids, values, io, async (entries, { place }) => {
    let notKept = 0;
    for (const entry of entries) {
      const outcome = await comment(entry, said, { store: place.worklist, clock: io.clock });
      const about = `${headlineOf(entry)} on ${entry.panel.name}`;
      switch (outcome.kind) {
        case 'commented':
          say(io.stdout, `${about}: the comment is kept; still ${worklistStateForms[entry.state].words}`);
          break;
        case 'commented-before':
          say(
            io.stdout,
            `${about}: ${said.by} said the same before, at ${outcome.comment.at.slice(0, 16).replace('T', ' ')} UTC; nothing was added`,
          );
          break;
        case 'refused':
          notKept += 1;
          say(io.stderr, `${about}: ${outcome.sentence}`);
          break;
        default:
          outcome satisfies never;
      }
    }
    return notKept === 0 ? 0 : 1;
  });
}

/**
 * Assigns each entry that is named to a person, or to none. Returns the exit code: 1 where one was not assigned.
 * @throws {UsageError} when an option is wrong, or no entry, or several, have an id
 */
export async function assignEntries(ids: readonly string[], values: WorklistValues, io: Io): Promise<number> {
  const by = personOf(values.by, io);
  const name = required('--to NAME, or --to none', values.to).trim();
  const to = name === 'none' ? null : name;
  return withEntries(ids, values, io, async (entries, { place }) => {
    let notAssigned = 0;
    for (const entry of entries) {
      const given = { to, by, seen: entry.assignments.length };
      const outcome = await assign(entry, given, { store: place.worklist, clock: io.clock });
      const about = `${headlineOf(entry)} on ${entry.panel.name}`;
      if ('sentence' in outcome) {
        notAssigned += 1;
        say(io.stderr, `${about}: ${outcome.sentence}`);
      } else {
        const already = outcome.kind === 'assigned-before' ? ', as before' : '';
        say(io.stdout, `${about}: assigned to ${name}${already}`);
      }
    }
    return notAssigned === 0 ? 0 : 1;
  });
}

/**
 * Keeps that a person read entries. Returns the exit code.
 * @throws {UsageError} when no entry, or several, have an id
 */
export async function noteReadings(ids: readonly string[], values: WorklistValues, io: Io): Promise<number> {
  const by = personOf(values.by, io);
  return withEntries(ids, values, io, async (entries, { place }) => {
    const at = formatInstant(instantOf(io.clock.now()));
    for (const { id } of entries) await place.worklist.noteReading({ entry: id, by, at });
    say(
      io.stdout,
      `Recorded that ${by} read ${entries.length === 1 ? '1 entry' : `${entries.length} entries`}.`,
    );
    return 0;
  });
}

const say = (stream: Pick<Io['stdout'], 'write'>, line: string): void =>
  void stream.write(`${printable(line)}\n`);

function personOf(by: string | undefined, { env }: Io): string {
  const name = (by ?? env.USER ?? env.LOGNAME ?? env.USERNAME ?? '').trim();
  if (name !== '') return name;
  throw new UsageError('this machine does not say who you are: give your name with --by NAME');
}

async function withEntries(
  ids: readonly string[],
  values: WorklistValues,
  io: Io,
  work: (entries: readonly WorklistEntry[], opened: OpenWorklist) => Promise<number>,
): Promise<number> {
  if (ids.length === 0) throw new UsageError('name the entries by their ids, as worklist shows them');
  const opened = await openWorklist(values, io);
  try {
    const { place, settings } = opened;
    const now = instantOf(io.clock.now());
    const { entries } = await readWorklist(place, { settings, ...readCatalogueName(values), now });
    const found = [...new Set(ids.map((id) => entryCalled(id, entries)))];
    return await work(found, opened);
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
