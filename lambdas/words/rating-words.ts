import type { Rating } from '../events/changes.ts';

/** A rating as people say it. */
export function ratingWord(rating: Rating | null): string {
  if (rating === null) return 'unknown';
  return rating === 'none' ? 'unrated' : rating;
}

/** A circle in the colour of a rating. It is shown beside the word, never instead of it. */
export const ratingEmoji: Readonly<Record<Rating, string>> = {
  green: '🟢',
  amber: '🟠',
  red: '🔴',
  none: '⚪',
};

/** A rating with its colour before its word: `🟢 green`. */
export const colouredRating = (rating: Rating): string => `${ratingEmoji[rating]} ${ratingWord(rating)}`;
