import type { Rating } from '../events/changes.ts';
import type { EntityChange, EntityStatus } from '../filters/entity-history.ts';
import { entityName } from './entity-name.ts';
import type { Row } from './notice.ts';
import { type Phrase, type Piece, phrase, phraseText, ratingPiece, separated } from './phrase.ts';
import { ratedWords } from './rating-phrases.ts';

/**
 * The row of an entity's net change: `amber → green`, with what lay between.
 * @param at the day of the change, in words
 */
export function entityChangeRow(change: EntityChange, at: string): Row {
  const { from, to, steps } = change;
  const name = entityName(change.entity);
  const isBack = from === to;
  const ends = new Set([from, to].map(statusText));
  const between = new Map(steps.slice(1, -1).map((step) => [statusText(step), statusPiece(step)]));
  const passed = [...between]
    .filter(([text]) => !ends.has(text) && text !== 'unknown')
    .map(([, piece]) => piece);
  const words = isBack ? backWords(change) : changeWords(change);
  const via = isBack || passed.length === 0 ? [] : phrase`(${listed(passed)} in between)`;
  const note = separated([phrase`${at}`, via], '  ');
  // Under "Added", a row need not say so again.
  return words === null ? { name, words: note } : { name, words, note };
}

/** `red, amber and green`. */
const listed = (pieces: readonly Piece[]): Phrase =>
  pieces.length < 2
    ? pieces
    : phrase`${separated(
        pieces.slice(0, -1).map((piece) => [piece]),
        ', ',
      )} and ${pieces.slice(-1)}`;

/** Null where the title of the group says as much. */
function changeWords({ from, to }: EntityChange): Phrase | null {
  if (to === 'absent') return isRating(from) ? phrase`removed, was ${ratingPiece(from)}` : null;
  if (from === 'absent') return isRating(to) ? phrase`added as ${ratingPiece(to)}` : null;
  if (!isRating(from))
    return phrase`${isRating(to) ? ratedWords(to) : 'rated unknown'} (earlier rating unknown)`;
  return phrase`${ratingPiece(from)} → ${statusPiece(to)}`;
}

const backWords = ({ from, steps }: EntityChange): Phrase =>
  from === 'absent'
    ? phrase`added and removed again`
    : separated(
        steps.map((step) => [statusPiece(step)]),
        ' → ',
      );

const isRating = (state: EntityStatus): state is Rating =>
  state === 'green' || state === 'amber' || state === 'red' || state === 'none';
const statusPiece = (state: EntityStatus): Piece =>
  isRating(state)
    ? ratingPiece(state)
    : { kind: 'text', text: state === 'absent' ? 'not on the panel' : 'unknown' };
const statusText = (state: EntityStatus): string => phraseText([statusPiece(state)]);
