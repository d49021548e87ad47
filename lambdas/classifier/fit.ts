import { skipToMentioned, skipWordsBack } from './addressed.ts';
import type { Names } from './mention.ts';
import type { Opening, Place, Plan } from './plan.ts';
import { readMiddle } from './wording.ts';

/** A piece of a text: a line, a field of a review, or the whole. It moves along the text. */
export interface Piece {
  readonly text: string;
  start: number;
  end: number;
  /** What it can mention. */
  names: Names;
  /** The last line break of the text; undefined until asked for. */
  lastBreak: number | undefined;
}

/** A part that can start at a piece. */
export interface Fit {
  readonly place: Place;
  /** Where the middle of its wording starts. */
  readonly from: number;
  /** The middle; null of an open part until it is known where it ends, and of parts whose border nobody can tell. */
  words: string | null;
  /** Another part that can start here. */
  readonly other: Fit | null;
}

export const SIDES = ' to ';

/** The piece of a text that starts at `start`; where it ends is still to be told. */
export function pieceAt(text: string, start: number, names: Names): Piece {
  return { text, start, end: text.length, names, lastBreak: undefined };
}

/** The parts that can start at a piece. Those that start with free text yield to those that start with words. */
export function fitsAt(piece: Piece, { openings }: Plan): Fit | null {
  const fit = fitsAmong(openings.startingWith(piece.text, piece.start), piece);
  return fit ?? fitsAmong(openings.startingFreely, piece);
}

function fitsAmong(openings: readonly Opening[], piece: Piece): Fit | null {
  let fit: Fit | null = null;
  for (const { words, places } of openings) {
    const at = skipToMentioned(piece.text, piece.start, words, piece.names);
    if (at !== -1) for (const place of places) fit = fitOf(place, piece, at, fit);
  }
  return fit;
}

/** The fit of a place whose wording goes on at `at`, or where it does not fit, the other fits. */
function fitOf(place: Place, piece: Piece, at: number, other: Fit | null): Fit | null {
  const { part, head, middle, tail } = place;
  const { text, end, names } = piece;
  const { after } = head;
  if (!text.startsWith(after, at)) return other;
  const from = at + after.length;
  if (part.open) {
    if (part.must.closing && !closes(piece, from, part.must.closing)) return other;
    return { place, from, words: null, other };
  }
  const to = skipWordsBack(text, end, tail, names);
  const words = readMiddle(middle, text, from, to);
  if (words === null || (part.must.sides && !words.includes(SIDES))) return other;
  if (part.must.neverEnds && words.endsWith(part.must.neverEnds)) return other;
  return { place, from, words, other };
}

/** Whether the last line break of the text, after `from`, stands in the words that close it. */
function closes(piece: Piece, from: number, closing: string): boolean {
  piece.lastBreak ??= piece.text.lastIndexOf('\n');
  const start = piece.lastBreak - closing.indexOf('\n');
  return start >= from && piece.text.startsWith(closing, start);
}

/** Takes the free text of an open part that ends at `end`; false where it is not what it must be. */
export function completed(fit: Fit, text: string, end: number, names: Names): boolean {
  const { part, middle, tail } = fit.place;
  if (!part.open) return true;
  const to = skipWordsBack(text, end, tail, names);
  fit.words = readMiddle(middle, text, fit.from, to);
  return fit.words !== null && (!part.must.sides || holdsSides(text, fit.from, to));
}

function holdsSides(text: string, from: number, to: number): boolean {
  const at = text.indexOf(SIDES, from);
  return at !== -1 && at + SIDES.length <= to;
}
