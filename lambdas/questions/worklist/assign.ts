import { nameKey } from '../../filters/name-key.ts';
import type { Clock } from '../../run/clock.ts';
import { formatInstant, instantOf } from '../../run/instant.ts';
import { worklistChangeSchema } from './worklist-change.ts';
import type { WorklistEntry } from './worklist-entry.ts';
import { type Assignment, LONGEST_NAME, type WorklistStore } from './worklist-record.ts';

/** What became of an assignment. */
type AssignOutcome =
  | { readonly kind: 'assigned'; readonly assignment: Assignment }
  /** It is assigned so already: nothing is added. */
  | { readonly kind: 'assigned-before' }
  /** Somebody else assigned it meanwhile. Nothing was changed. */
  | { readonly kind: 'conflict'; readonly sentence: string }
  /** It cannot be assigned so. Nothing was changed. */
  | { readonly kind: 'refused'; readonly sentence: string };

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
): Promise<AssignOutcome> {
  const wanted = { to: given.to?.trim() || null, by: given.by.trim() };
  const isTooLong = Math.max(wanted.to?.length ?? 0, wanted.by.length) > LONGEST_NAME;
  if (wanted.by === '' || isTooLong) {
    const seen = isTooLong ? 'A name is too long' : 'Who assigns is missing';
    return { kind: 'refused', sentence: `${seen}: give names of up to ${LONGEST_NAME} characters.` };
  }
  const known = await store.assignmentsOf(entry.id);
  if ((known.at(-1)?.to ?? null) === wanted.to) return { kind: 'assigned-before' };
  if (known.length !== given.seen) return conflict(known.at(-1));
  const at = formatInstant(instantOf(clock.now()));
  const about = worklistChangeSchema.parse(entry);
  const kept = await store.addAssignment({
    ...{ entry: entry.id, number: known.length + 1, ...wanted, at, about },
  });
  if (kept.to !== wanted.to) return conflict(kept);
  // The reply to an earlier attempt may have been lost, or somebody had the same idea.
  return kept.by === wanted.by ? { kind: 'assigned', assignment: kept } : { kind: 'assigned-before' };
}

/**
 * Whether an entry is that of a person, by one of their names; a name may be stated with the account after it, as in
 * `Ann Example (ann)`.
 * @param names null asks for entries that no person has
 */
export function isAssignedTo(assignee: string | null, names: readonly string[] | null): boolean {
  if (assignee === null || names === null) return assignee === names;
  const keysOf = (name: string): readonly string[] => [
    nameKey(name),
    nameKey(name.replace(/ \([^)]*\)$/, '')),
  ];
  return names.some((name) => keysOf(assignee).includes(nameKey(name)));
}

function conflict(last: Assignment | undefined): AssignOutcome {
  const there = last
    ? `${last.by} assigned it to ${last.to ?? 'nobody'} at ${last.at.slice(0, 16).replace('T', ' ')} UTC`
    : 'it is assigned to nobody';
  const sentence = `Nothing was changed: ${there}. Look at the entry, and assign it again.`;
  return { kind: 'conflict', sentence };
}
