import type { Row } from './notice.ts';
import { ratingEmoji, ratingWord } from './rating-words.ts';

/** The words of a row, each rating that they state with its colour before it: `🟠 amber → 🟢 green`. */
export function withColours({ words, ratings = [] }: Pick<Row, 'words' | 'ratings'>): string {
  return ratings.reduce(
    (text, rating) => text.replace(ratingIn(rating, words), `${ratingEmoji[rating]} ${ratingWord(rating)}`),
    words,
  );
}

/** Where words state a rating: everywhere in `green → red → green`, else the first time. */
export function ratingIn(rating: keyof typeof ratingEmoji, words: string): RegExp {
  return new RegExp(`(?<![\\w-])${ratingWord(rating)}(?![\\w-])`, words.includes('→') ? 'g' : '');
}
