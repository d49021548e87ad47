import { ratingColours } from './rating-colours.ts';

/** The style rules that give a rating its colours, such as `.green{color:#14532d;…}`. */
export const pillStyles = (scheme: keyof typeof ratingColours): string =>
  Object.entries(ratingColours[scheme])
    .map(
      ([rating, { text, ground, accent }]) =>
        `.${rating}{color:${text};background:${ground};border-color:${accent}}`,
    )
    .join('');
