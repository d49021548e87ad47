import { setImmediate as nextTurn } from 'node:timers/promises';
import { assign } from '../../lambdas/questions/worklist/assign.ts';
import { decide } from '../../lambdas/questions/worklist/decide.ts';
import type { WorklistEntry } from '../../lambdas/questions/worklist/worklist-entry.ts';
import type { WorklistStore } from '../../lambdas/questions/worklist/worklist-record.ts';
import type { WorklistState } from '../../lambdas/questions/worklist/worklist-states.ts';
import type { Clock } from '../../lambdas/run/clock.ts';
import type { Person } from '../access/access.ts';
import type { AuditEntry, AuditLog } from '../sign-in/audit-log.ts';

interface DecidingPlace {
  readonly entries: readonly WorklistEntry[];
  readonly store: WorklistStore;
  readonly audit: Pick<AuditLog, 'write'> | undefined;
  readonly clock: Clock;
}

/** What became of a decision about one entry, or of its assignment. */
export interface Decided {
  /** Absent where the worklist has no such entry. */
  readonly entry: WorklistEntry | undefined;
  /** The kind of the outcome. */
  readonly kind: string;
  /** Why nothing was changed; null where it is as the person wanted it. */
  readonly refusal: string | null;
}

/** What a form states of an entry: its id, and how many decisions and assignments the person saw. */
interface Chosen {
  readonly id: string;
  readonly revision: number;
  readonly assignments: number;
}

/** An entry as a form states it. Several of them, with blanks between, are one value. */
export const chosenText = ({ id, revision, assignments }: WorklistEntry): string =>
  `${id}:${revision}:${assignments.length}`;

/** The entries that a form states; one may come twice. */
export function chosenEntries(values: readonly string[]): readonly Chosen[] {
  return values
    .flatMap((text) => text.split(/\s+/))
    .filter(Boolean)
    .map((text) => {
      const [id = '', revision, assignments] = text.split(':');
      return { id, revision: Number(revision), assignments: Number(assignments) };
    });
}

interface Given {
  readonly person: Person;
  readonly chosen: readonly Chosen[];
}

/**
 * Decides about the chosen entries, with two lines in the audit log for each. Other requests are answered meanwhile.
 * @returns what became of each
 */
export function decideAudited(
  { person, state, why, chosen }: Given & { readonly state: WorklistState; readonly why: string },
  place: DecidingPlace,
): Promise<readonly Decided[]> {
  const by = nameInDecisions(person);
  return audited({ person, chosen }, place, {
    before: ({ id, revision }) => ({
      ...{ action: 'decides', person: person.id, entry: id, name: person.name, state },
      revision: String(revision),
    }),
    work: (entry, { revision }) => decide(entry, { state, by, why, revision }, place),
    after: 'decided',
  });
}

/** Assigns the chosen entries to a person, or to none, as `decideAudited` decides about them. */
export function assignAudited(
  { person, to, chosen }: Given & { readonly to: string | null },
  place: DecidingPlace,
): Promise<readonly Decided[]> {
  const by = nameInDecisions(person);
  return audited({ person, chosen }, place, {
    before: ({ id }) => ({ action: 'assigns', person: person.id, entry: id, name: person.name, to }),
    work: (entry, { assignments }) => assign(entry, { to, by, seen: assignments }, place),
    after: 'assigned',
  });
}

/** Entries that are written at a time: a table answers them side by side, a file one after the other. */
const AT_ONCE = 16;

interface Work {
  /** The line before it counts: without its line in the audit log, nothing can be done. */
  before(chosen: Chosen): AuditEntry;
  work(entry: WorklistEntry, chosen: Chosen): Promise<{ readonly kind: string; readonly sentence?: string }>;
  readonly after: 'decided' | 'assigned';
}

async function audited(
  { person, chosen: stated }: Given,
  { entries, audit }: DecidingPlace,
  { before, work, after }: Work,
): Promise<readonly Decided[]> {
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const chosen = [...new Map(stated.map((each) => [each.id, each])).values()];
  await audit?.write(...chosen.map(before));
  const done: Decided[] = [];
  const one = async (each: Chosen): Promise<Decided> => {
    const entry = byId.get(each.id);
    const { kind, sentence = null } = entry
      ? await work(entry, each)
      : { kind: 'no such entry', sentence: 'The worklist has no such entry.' };
    return { entry, kind, refusal: sentence };
  };
  try {
    for (let at = 0; at < chosen.length; at += AT_ONCE) {
      done.push(...(await Promise.all(chosen.slice(at, at + AT_ONCE).map(one))));
      await nextTurn();
    }
  } finally {
    const outcomes = done.map(({ kind }, index) => {
      const entry = chosen[index]?.id ?? '';
      return { action: after, person: person.id, entry, outcome: kind } as const;
    });
    await audit?.write(...outcomes);
  }
  return done;
}

/** The name that decisions, readings and comments keep. Two people may have one name: the account distinguishes them. */
export const nameInDecisions = ({ name, account }: Person): string =>
  (name === account ? name : `${name} (${account})`).slice(0, 200);
