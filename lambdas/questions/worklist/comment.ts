import { hash } from 'node:crypto';
import type { Clock } from '../../run/clock.ts';
import { formatInstant, instantOf } from '../../run/instant.ts';
import { worklistChangeSchema } from './worklist-change.ts';
import type { WorklistEntry } from './worklist-entry.ts';
import { type Comment, LONGEST_NAME, LONGEST_REASON, type WorklistStore } from './worklist-record.ts';

/** What became of a comment. */
type CommentOutcome =
  | { readonly kind: 'commented'; readonly comment: Comment }
  /** It is the last comment of the same person already: nothing is added. */
  | { readonly kind: 'commented-before'; readonly comment: Comment }
  /** It cannot be kept so. Nothing was changed. */
  | { readonly kind: 'refused'; readonly sentence: string };

/**
 * Keeps a comment on an entry. It never changes the state, and of several people who comment at once, every comment is kept. The
 * same words of the same person again, as after a kill or a lost reply, are kept once.
 * @throws {StateError} when the store cannot be read or written
 */
export async function comment(
  entry: WorklistEntry,
  said: { readonly by: string; readonly text: string },
  { store, clock }: { readonly store: WorklistStore; readonly clock: Clock },
): Promise<CommentOutcome> {
  const [by, text] = [said.by.trim(), said.text.trim()];
  const refusal = refusalOf(by, text);
  if (refusal !== null) return { kind: 'refused', sentence: refusal };
  const own = (await store.commentsOf(entry.id)).filter((each) => each.by === by);
  const last = own.toSorted((one, other) => one.number - other.number).at(-1);
  if (last?.text === text) return { kind: 'commented-before', comment: last };
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
  const kept = await store.addComment(wanted);
  return { kind: kept.at === at ? 'commented' : 'commented-before', comment: kept };
}

/** Comments oldest first. */
export const inOrder = (comments: readonly Comment[]): readonly Comment[] =>
  comments.toSorted(
    (one, other) => compare(one.at, other.at) || one.number - other.number || compare(one.id, other.id),
  );

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

function refusalOf(by: string, text: string): string | null {
  if (by === '' || by.length > LONGEST_NAME)
    return `Who comments is ${by === '' ? 'missing' : 'too long'}: give a name of up to ${LONGEST_NAME} characters.`;
  if (text === '' || text.length > LONGEST_REASON)
    return `The comment is ${text === '' ? 'empty' : 'too long'}: write up to ${LONGEST_REASON} characters.`;
  return null;
}
