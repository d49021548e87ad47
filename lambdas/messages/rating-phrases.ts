import type { Changes, Rating } from '../events/changes.ts';
import type { Row } from './notice.ts';
import { ratingWord } from './rating-words.ts';

/** A rating in a headline about an entity: what comes before the panel, the preposition, and what comes after it. */
export function ratedHeadline(
  name: string,
  { from, to, direction }: Changes['entity.classified'],
): [start: string, preposition?: string, end?: string] {
  const rating = ratingWord(to);
  if (to === null) return [`${name} was rated`, 'on', ' (rating unknown)'];
  if (direction === 'new') return [`${name} was added as ${rating}`, 'to'];
  if (direction === 'unchanged') return [`${name} was confirmed as ${rating}`];
  if (direction === 'unknown' || from === null) {
    return [`${name} is ${ratedWord(to)}`, 'on', ' (earlier rating unknown)'];
  }
  if (from === 'green') return [`${name} is no longer green`, 'on', `: now ${rating}`];
  return [`${name} is now ${rating}`, 'on', to === 'green' ? '' : ` (was ${ratingWord(from)})`];
}

/** A change of rating in a row: `amber → green`. */
export function ratingChange({
  from,
  to,
  direction,
}: Changes['entity.classified']): Pick<Row, 'words' | 'ratings'> {
  const shown = { ratings: [...new Set([from, to])].filter((rating) => rating !== null) };
  const rating = ratingWord(to);
  if (direction === 'new') return { words: `added as ${rating}`, ...shown };
  if (direction === 'unchanged') return { words: `confirmed as ${rating}`, ...shown };
  if (to === null) return { words: 'rated, the rating is unknown', ...shown };
  if (direction === 'unknown' || from === null) {
    const perhaps = `; it may have been ${rating} already`;
    return { words: `${ratedWord(to)} (earlier rating unknown${perhaps})`, ...shown };
  }
  return { words: `${ratingWord(from)} → ${rating}`, ...shown };
}

/** `rated green`; `unrated`. */
const ratedWord = (rating: Rating): string => (rating === 'none' ? 'unrated' : `rated ${rating}`);
