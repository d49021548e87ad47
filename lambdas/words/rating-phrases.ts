import type { Changes, Rating } from '../events/changes.ts';
import { type Phrase, phrase, ratingPiece } from './phrase.ts';
import { ratingWord } from './rating-words.ts';

/** A rating in a headline about an entity: what comes before the panel, the preposition, and what comes after it. */
export function ratedHeadline(
  name: string,
  { from, to, direction }: Changes['entity.classified'],
): [start: Phrase, preposition?: string, end?: Phrase] {
  const rating = ratingPiece(to);
  if (to === null) return [phrase`${name} was rated`, 'on', phrase` (rating unknown)`];
  if (direction === 'new') return [phrase`${name} was added as ${rating}`, 'to'];
  if (direction === 'unchanged') return [phrase`${name} was confirmed as ${rating}`];
  if (direction === 'unknown' || from === null) {
    return [phrase`${name} is ${ratedWords(to)}`, 'on', phrase` (earlier rating unknown)`];
  }
  if (from === 'green')
    return [phrase`${name} is no longer ${ratingPiece(from)}`, 'on', phrase`: now ${rating}`];
  return [phrase`${name} is now ${rating}`, 'on', to === 'green' ? [] : phrase` (was ${ratingPiece(from)})`];
}

/** A change of rating in a row: `amber → green`. */
export function ratingChange({ from, to, direction }: Changes['entity.classified']): Phrase {
  const rating = ratingPiece(to);
  if (direction === 'new') return phrase`added as ${rating}`;
  if (direction === 'unchanged') return phrase`confirmed as ${rating}`;
  if (to === null) return phrase`rated, the rating is unknown`;
  if (direction === 'unknown' || from === null) {
    return phrase`${ratedWords(to)} (earlier rating unknown; it may have been ${ratingWord(to)} already)`;
  }
  return phrase`${ratingPiece(from)} → ${rating}`;
}

/** `rated green`; `unrated`. */
export const ratedWords = (rating: Rating): Phrase =>
  rating === 'none' ? [ratingPiece(rating)] : phrase`rated ${ratingPiece(rating)}`;
