import type { Clock } from '../../run/clock.ts';
import { formatInstant, instantOf } from '../../run/instant.ts';
import { counted } from '../../words/counted.ts';
import { countsAt } from './seen-sign-offs.ts';
import { worklistChangeSchema } from './worklist-change.ts';
import type { WorklistEntry } from './worklist-entry.ts';
import { type Decision, LONGEST_NAME, LONGEST_REASON, type WorklistStore } from './worklist-record.ts';
import { type WorklistState, worklistStateForms } from './worklist-states.ts';

/** What somebody decides. */
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

/** What became of a decision. */
type DecisionOutcome =
  | { readonly kind: 'decided'; readonly decision: Decision }
  /** The same person decided the same before, with the same reason: nothing is added. */
  | { readonly kind: 'decided-before'; readonly decision: Decision }
  /** Somebody else was first, or the person saw another revision. Nothing was changed. */
  | { readonly kind: 'conflict'; readonly decisions: readonly Decision[]; readonly sentence: string }
  /** It cannot be decided so. Nothing was changed. */
  | { readonly kind: 'refused'; readonly sentence: string };

/**
 * Keeps a decision about an entry, if the entry still has the revision that the person saw. Of several people who decide at once, one
 * is first, and the others see that decision.
 * @throws {StateError} when the store cannot be read or written
 */
export async function decide(
  entry: WorklistEntry,
  { state, by, why, revision: seen }: Deciding,
  { store, clock }: { readonly store: WorklistStore; readonly clock: Clock },
): Promise<DecisionOutcome> {
  const at = formatInstant(instantOf(clock.now()));
  const wanted = { state, by: by.trim(), why: why.trim() };
  const refusal = refusalOf(entry, wanted, at);
  if (refusal !== null) return { kind: 'refused', sentence: refusal };
  const known = await store.decisionsOf(entry.id);
  const last = known.at(-1);
  if (last && isSame(last, wanted) && entry.reopenedBy === null)
    return { kind: 'decided-before', decision: last };
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
  const kept = await store.append(decision);
  if (kept.at === at && isSame(kept, wanted)) return { kind: 'decided', decision: kept };
  if (isSame(kept, wanted)) return { kind: 'decided-before', decision: kept };
  return conflict(await store.decisionsOf(entry.id), revision);
}

const isSame = (one: Decision, { state, by, why }: Pick<Decision, 'state' | 'by' | 'why'>): boolean =>
  one.state === state && one.by === by && one.why === why;

/** Why an entry cannot be decided so; null where it can. */
function refusalOf(
  entry: WorklistEntry,
  { state, by, why }: Pick<Decision, 'state' | 'by' | 'why'>,
  now: string,
): string | null {
  if (by === '' || by.length > LONGEST_NAME)
    return `Who decides is ${by === '' ? 'missing' : 'too long'}: give a name of up to ${LONGEST_NAME} characters.`;
  if (why === '' || why.length > LONGEST_REASON)
    return `The reason is ${why === '' ? 'missing' : 'too long'}: say why, in up to ${LONGEST_REASON} characters.`;
  const isOfWorking = ['now-green', 'no-longer-green', 'inheritance-changed'].includes(entry.kind);
  if (state !== 'wait-for-sign-off' || !isOfWorking) return null;
  const there = entry.signOffs.find(
    (signOff) => signOff.version !== null && !signOff.isWithdrawn && countsAt(signOff, now),
  );
  if (!there) return null;
  return `There is nothing to wait for: version ${there.version}, signed off from ${there.countsFrom}, has the change already.`;
}

function conflict(decisions: readonly Decision[], revision: number): DecisionOutcome {
  const last = decisions.at(-1);
  const decided = last
    ? `The last: ${last.by} decided “${worklistStateForms[last.state].words}” at ${last.at.slice(0, 16).replace('T', ' ')} UTC, because: ${last.why}`
    : 'It has none';
  const seen =
    revision === 0
      ? `the entry has ${counted(decisions.length, 'decision')} already`
      : `you saw the entry with ${counted(revision, 'decision')}, and it has ${decisions.length}`;
  const sentence = `Nothing was changed: ${seen}. ${decided}.`;
  return { kind: 'conflict', decisions, sentence };
}
