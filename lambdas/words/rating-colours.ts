import type { Rating } from '../events/changes.ts';

/** The colours of one rating, as CSS writes them. */
interface RatingColours {
  readonly text: string;
  /** Behind the text: with it, a contrast of 7.5 or more. */
  readonly ground: string;
  /** Borders, bars and dots. */
  readonly accent: string;
}

/** The colours of ratings in mails, reports and on the page, by the colour scheme of the reader. */
export const ratingColours: Readonly<Record<'light' | 'dark', Readonly<Record<Rating, RatingColours>>>> = {
  light: {
    green: { text: '#14532d', ground: '#d9f0df', accent: '#23803f' },
    amber: { text: '#5c3a00', ground: '#fde8c0', accent: '#c77d0a' },
    red: { text: '#7a1420', ground: '#fbdcdc', accent: '#c22f3d' },
    none: { text: '#3b434c', ground: '#e8eaed', accent: '#7b848e' },
  },
  dark: {
    green: { text: '#b4e8c2', ground: '#163a23', accent: '#4fb56d' },
    amber: { text: '#ffd797', ground: '#402b08', accent: '#dd9a2e' },
    red: { text: '#ffc0c3', ground: '#45171c', accent: '#e06a74' },
    none: { text: '#d4d8dd', ground: '#31373e', accent: '#8c959f' },
  },
};

/** The style rules that give a rating its colours, such as `.green{color:#14532d;…}`. */
export const pillStyles = (scheme: keyof typeof ratingColours): string =>
  Object.entries(ratingColours[scheme])
    .map(
      ([rating, { text, ground, accent }]) =>
        `.${rating}{color:${text};background:${ground};border-color:${accent}}`,
    )
    .join('');
