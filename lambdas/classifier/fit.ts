import type { Entity } from '../events/schemas.ts';
import { endOfPiece, type Pieces } from './pieces.ts';
import type { Opening, Place, Plan } from './plan.ts';
import type { Subject } from './subject.ts';
import { readMiddle, skipWords, skipWordsBack } from './wording.ts';

/** A piece of a text at which a part can start. */
export interface Fit {
  readonly place: Place;
  /** Where the middle of its wording starts. */
  readonly from: number;
  /** The middle of a part that is this piece alone; how far an open part goes, the next one tells. */
  readonly words: string | null;
  /** Another part that can start here. */
  readonly other: Fit | null;
}

/** A part that was found, and the middle of its wording. */
export interface Found {
  readonly place: Place;
  readonly words: string;
}

export const SIDES = ' to ';

interface Spot {
  readonly pieces: Pieces;
  readonly start: number;
  readonly end: number;
  readonly entity: Entity | null;
}

/** The parts that can start at a piece. Those that start with free text yield to those that start with words. */
export function fitsAt(pieces: Pieces, index: number, plan: Plan, subject: Subject): Fit | null {
  const { startingWith, startingFreely } = plan.openings;
  const start = pieces.starts[index] ?? 0;
  const entity = index === 0 ? subject.entity : subject.later;
  const spot = { pieces, start, end: endOfPiece(pieces, index), entity };
  return fitsAmong(startingWith(pieces.text, start), spot) ?? fitsAmong(startingFreely, spot);
}

function fitsAmong(openings: readonly Opening[], spot: Spot): Fit | null {
  const { pieces, start, entity } = spot;
  let fit: Fit | null = null;
  for (const { words, places } of openings) {
    const at = skipWords(pieces.text, start, words, entity);
    if (at === -1) continue;
    for (const place of places) {
      const { after } = place.wording.head;
      if (!pieces.text.startsWith(after, at)) continue;
      fit = fitOf(place, spot, at + after.length, fit);
    }
  }
  return fit;
}

/** The fit of a place, or where it does not fit, the other fits. */
function fitOf(place: Place, { pieces, end, entity }: Spot, from: number, other: Fit | null): Fit | null {
  const { wording, part } = place;
  const { text } = pieces;
  if (part.open) {
    if (from > end || (part.must.closing && !closes(pieces, from, part.must.closing))) return other;
    return { place, from, words: null, other };
  }
  const to = skipWordsBack(text, end, wording.tail, entity);
  const words = readMiddle(wording.middle, text, from, to);
  if (words === null || (part.must.neverEnds && words.endsWith(part.must.neverEnds))) return other;
  return { place, from, words, other };
}

/** Whether the last line break of the text, after `from`, stands in the words that close it. */
function closes({ text, starts }: Pieces, from: number, closing: string): boolean {
  const start = (starts.at(-1) ?? 0) - closing.indexOf('\n') - 1;
  return start >= from && text.startsWith(closing, start);
}

/** What a part states that ends at `end`; null where its free text is not what it must be. */
export function foundBy(
  { place, from, words }: Fit,
  text: string,
  end: number,
  entity: Entity | null,
): Found | null {
  if (words !== null) return { place, words };
  const { part, wording } = place;
  const to = skipWordsBack(text, end, wording.tail, entity);
  const free = readMiddle(wording.middle, text, from, to);
  if (free === null || (part.must.sides && !holdsSides(text, from, to))) return null;
  return { place, words: free };
}

function holdsSides(text: string, from: number, to: number): boolean {
  const at = text.indexOf(SIDES, from);
  return at !== -1 && at + SIDES.length <= to;
}
