import { hash } from 'node:crypto';
import type { Clock } from '../../run/clock.ts';
import { formatInstant, instantOf } from '../../run/instant.ts';
import { counted } from '../../run/text.ts';
import { countsAt } from './sign-offs.ts';
import type { WorklistEntry } from './worklist-of.ts';
import {
  type Assignment,
  type Comment,
  type Decision,
  LONGEST_NAME,
  LONGEST_REASON,
  type WorklistState,
  type WorklistStore,
  worklistChangeSchema,
  worklistStateForms,
} from './worklist-record.ts';

interface Deciding {
  readonly state: WorklistState;
  readonly by: string;
  readonly why: string;
  /**
   * The revision of the entry that the person saw: how many decisions it had. Where it is not stated, the person saw the decisions of
   * their own and no other.
   */
  readonly revision: number | undefined;
}

/** What became of what a person did; `…-before`: it is so already, and nothing is added. */
type Outcome<Done extends string, Kept> =
  | { readonly kind: Done | `${Done}-before`; readonly kept: Kept }
  /** It cannot be done so. Nothing was changed. */
  | { readonly kind: 'refused'; readonly sentence: string };

/** Somebody else was first, or the person saw another revision. Nothing was changed. */
interface Conflict {
  readonly kind: 'conflict';
  /** How many decisions, or assignments, there are. */
  readonly revision: number;
  readonly sentence: string;
}

/**
 * Keeps a decision about an entry, if the entry still has the revision that the person saw. Of several people who decide at once, one
 * is first, and the others see that decision.
 * @throws {StateError} when the store cannot be read or written
 */
export async function decide(
  entry: WorklistEntry,
  { state, by, why, revision: seen }: Deciding,
  { store, clock }: { readonly store: WorklistStore; readonly clock: Clock },
): Promise<Outcome<'decided', Decision> | Conflict> {
  const at = formatInstant(instantOf(clock.now()));
  const wanted = { state, by: by.trim(), why: why.trim() };
  const refusal = refusalOf(entry, wanted, at);
  if (refusal !== null) return { kind: 'refused', sentence: refusal };
  const known = await store.of('decisions', entry.id);
  const last = known.at(-1);
  if (last && isSame(last, wanted) && entry.reopenedBy === null)
    return { kind: 'decided-before', kept: last };
  const revision = seen ?? (known.every((each) => each.by === wanted.by) ? known.length : 0);
  if (known.length !== revision) return conflict(known, revision);
  const decision: Decision = {
    entry: entry.id,
    number: revision + 1,
    ...wanted,
    at,
    signOffs: entry.signOffs.filter((signOff) => countsAt(signOff, at)).map(({ event }) => event),
    about: worklistChangeSchema.parse(entry),
  };
  const kept = await store.add('decisions', decision);
  if (kept.at === at && isSame(kept, wanted)) return { kind: 'decided', kept };
  if (isSame(kept, wanted)) return { kind: 'decided-before', kept };
  return conflict(await store.of('decisions', entry.id), revision);
}

const isSame = (one: Decision, { state, by, why }: Pick<Decision, 'state' | 'by' | 'why'>): boolean =>
  one.state === state && one.by === by && one.why === why;

function refusalOf(
  entry: WorklistEntry,
  { state, by, why }: Pick<Decision, 'state' | 'by' | 'why'>,
  now: string,
): string | null {
  const problem = lengthProblem('Who decides', by) ?? lengthProblem('The reason', why, reason);
  if (problem !== null) return problem;
  const isOfWorking = ['now-green', 'no-longer-green', 'inheritance-changed'].includes(entry.kind);
  if (state !== 'wait-for-sign-off' || !isOfWorking) return null;
  const there = entry.signOffs.find(
    (signOff) => signOff.version !== null && !signOff.isWithdrawn && countsAt(signOff, now),
  );
  if (!there) return null;
  return `There is nothing to wait for: version ${there.version}, signed off from ${there.countsFrom}, has the change already.`;
}

function conflict(decisions: readonly Decision[], revision: number): Conflict {
  const last = decisions.at(-1);
  const decided = last
    ? `The last: ${last.by} decided “${worklistStateForms[last.state].words}” at ${last.at.slice(0, 16).replace('T', ' ')} UTC, because: ${last.why}`
    : 'It has none';
  const seen =
    revision === 0
      ? `the entry has ${counted(decisions.length, 'decision')} already`
      : `you saw the entry with ${counted(revision, 'decision')}, and it has ${decisions.length}`;
  const sentence = `Nothing was changed: ${seen}. ${decided}.`;
  return { kind: 'conflict', revision: decisions.length, sentence };
}

interface Assigning {
  /** Null to free the entry. */
  readonly to: string | null;
  readonly by: string;
  /** How many assignments the entry had when the person saw it. */
  readonly seen: number;
}

/**
 * Assigns an entry to a person, or to none; its state stays. Of several people who assign at once, one is first, and the others see
 * that assignment.
 * @throws {StateError} when the store cannot be read or written
 */
export async function assign(
  entry: WorklistEntry,
  given: Assigning,
  { store, clock }: { readonly store: WorklistStore; readonly clock: Clock },
): Promise<Outcome<'assigned', Assignment | undefined> | Conflict> {
  const wanted = { to: given.to?.trim() || null, by: given.by.trim() };
  const isTooLong = Math.max(wanted.to?.length ?? 0, wanted.by.length) > LONGEST_NAME;
  if (wanted.by === '' || isTooLong) {
    const seen = isTooLong ? 'A name is too long' : 'Who assigns is missing';
    return { kind: 'refused', sentence: `${seen}: give names of up to ${LONGEST_NAME} characters.` };
  }
  const known = await store.of('assignments', entry.id);
  const last = known.at(-1);
  if ((last?.to ?? null) === wanted.to) return { kind: 'assigned-before', kept: last };
  if (known.length !== given.seen) return assignedMeanwhile(known.length, last);
  const at = formatInstant(instantOf(clock.now()));
  const about = worklistChangeSchema.parse(entry);
  const kept = await store.add('assignments', {
    ...{ entry: entry.id, number: known.length + 1, ...wanted, at, about },
  });
  if (kept.to !== wanted.to) return assignedMeanwhile(kept.number, kept);
  // The reply to an earlier attempt may have been lost, or somebody had the same idea.
  return { kind: kept.by === wanted.by ? 'assigned' : 'assigned-before', kept };
}

function assignedMeanwhile(revision: number, last: Assignment | undefined): Conflict {
  const there = last
    ? `${last.by} assigned it to ${last.to ?? 'nobody'} at ${last.at.slice(0, 16).replace('T', ' ')} UTC`
    : 'it is assigned to nobody';
  const sentence = `Nothing was changed: ${there}. Look at the entry, and assign it again.`;
  return { kind: 'conflict', revision, sentence };
}

/**
 * Keeps a comment on an entry. It never changes the state, and of several people who comment at once, every comment is kept. The
 * same words of the same person again, as after a kill or a lost reply, are kept once.
 * @throws {StateError} when the store cannot be read or written
 */
export async function comment(
  entry: WorklistEntry,
  said: { readonly by: string; readonly text: string },
  { store, clock }: { readonly store: WorklistStore; readonly clock: Clock },
): Promise<Outcome<'commented', Comment>> {
  const [by, text] = [said.by.trim(), said.text.trim()];
  const refusal = lengthProblem('Who comments', by) ?? lengthProblem('The comment', text, words);
  if (refusal !== null) return { kind: 'refused', sentence: refusal };
  const own = (await store.of('comments', entry.id)).filter((each) => each.by === by);
  const last = own.toSorted((one, other) => one.number - other.number).at(-1);
  if (last?.text === text) return { kind: 'commented-before', kept: last };
  const at = formatInstant(instantOf(clock.now()));
  const number = (last?.number ?? 0) + 1;
  const wanted: Comment = {
    entry: entry.id,
    // A form that is sent twice at once has one id: both see as many comments of the person.
    id: hash('sha256', JSON.stringify(['comment.v1', entry.id, by, number, text]), 'hex').slice(0, 32),
    number,
    by,
    at,
    text,
    about: worklistChangeSchema.parse(entry),
  };
  const kept = await store.add('comments', wanted);
  return { kind: kept.at === at ? 'commented' : 'commented-before', kept };
}

const name = { longest: LONGEST_NAME, empty: 'missing', expected: 'give a name of up to' };
const reason = { longest: LONGEST_REASON, empty: 'missing', expected: 'say why, in up to' };
const words = { longest: LONGEST_REASON, empty: 'empty', expected: 'write up to' };

function lengthProblem(what: string, text: string, { longest, empty, expected } = name): string | null {
  if (text !== '' && text.length <= longest) return null;
  return `${what} is ${text === '' ? empty : 'too long'}: ${expected} ${longest} characters.`;
}
