import type { Part } from './form.ts';
import type { Subject } from './mention.ts';
import { endOfPiece, type Pieces } from './pieces.ts';
import type { Place, Plan } from './plan.ts';
import { type Groups, readMiddle, skipWords, skipWordsBack } from './wording.ts';

/**
 * Reads a text by a form of several parts. The text is cut into pieces (lines, or the fields of a review), and
 * each piece either starts a part or goes on with the free text of the part before it. The pieces are taken
 * from the last to the first, keeping for every place of the form the best reading of what follows it: that
 * of most parts, and of those the one that starts latest. So what imitates a part inside free text stays
 * free text, wherever the form's order tells. Time is linear in the length of the text.
 */

/** A part that was found, with what its pattern captured. */
export interface Found {
  readonly part: Part;
  readonly groups: Groups;
}

export interface Composition {
  readonly parts: readonly Found[];
  /** Pieces that belong to no part; always empty unless a partial reading is asked for. */
  readonly unknown: readonly string[];
}

export interface Composing {
  readonly plan: Plan;
  readonly subject: Subject | null;
  /** Accept only a text of which some pieces, the first among them, are understood, and some are not. */
  readonly partial: boolean;
}

/** A piece that starts a part, with the best reading of what follows; without a place: the end of the text. */
interface Start {
  readonly place: Place | null;
  readonly rank: number;
  readonly index: number;
  /** Where the middle of its wording starts. */
  readonly from: number;
  /** Of a part that is this piece alone. */
  readonly groups: Groups | null;
  readonly next: Start | null;
  readonly score: number;
}

/** The best start after a part, by the part's rank. */
type Best = (Start | null)[];

interface Scan extends Composing {
  readonly pieces: Pieces;
  readonly end: Start;
  /** Of all starts seen so far, those that may follow a part. */
  readonly best: Best;
  /** Of those before which the text holds ` to `. */
  bestPastSides: Best;
  /** Of those before which the last words of a part's wording stand. */
  readonly bestPastTail: Best;
  /** Starts at the next piece. */
  following: readonly Start[];
  /** The last ` to ` before the pieces seen so far; -1 where there is none, or nobody asks. */
  sides: number;
}

const SIDES = ' to ';

/** Null where the form does not fit. */
export function compose(pieces: Pieces, composing: Composing): Composition | null {
  const scan = scanOf(pieces, composing);
  for (let index = pieces.starts.length - 1; index >= 0; index--) {
    const at = pieces.starts[index] ?? 0;
    const starts = startsAt(scan, index, at);
    if (scan.sides >= at) {
      scan.bestPastSides = [...scan.best];
      scan.sides = at === 0 ? -1 : pieces.text.lastIndexOf(SIDES, at - 1);
    }
    for (const start of starts) offer(scan, start);
    scan.following = starts;
  }
  const { lowest } = composing.plan;
  const first = better(scan.following.filter(({ rank }) => lowest[rank] === -1));
  const composition = first && partsFrom(first, scan);
  return composition && composition.unknown.length > 0 === composing.partial ? composition : null;
}

function scanOf(pieces: Pieces, composing: Composing): Scan {
  const { plan } = composing;
  const index = pieces.starts.length;
  const rank = plan.form.slots.length;
  const end: Start = { place: null, rank, index, from: 0, groups: null, next: null, score: 0 };
  const none = (): Best => plan.form.slots.map(() => null);
  const scan: Scan = {
    ...composing,
    pieces,
    end,
    best: none(),
    bestPastSides: none(),
    bestPastTail: none(),
    following: [end],
    sides: plan.sides ? pieces.text.lastIndexOf(SIDES) : -1,
  };
  offer(scan, end);
  return scan;
}

/** Takes a start into account for the parts before it. */
function offer(scan: Scan, start: Start): void {
  const { plan, pieces, subject, partial, best, bestPastTail } = scan;
  const lowest = partial ? 0 : Math.max(0, plan.lowest[start.rank] ?? 0);
  const highest = plan.form.slots[start.rank]?.many ? start.rank : start.rank - 1;
  for (let rank = lowest; rank <= highest; rank++) {
    if (start.score > (best[rank]?.score ?? -1)) best[rank] = start;
  }
  for (const { rank, wording } of plan.tailed) {
    if (start.index === 0 || rank < lowest || rank > highest) continue;
    const before = endOfPiece(pieces, start.index - 1);
    if (skipWordsBack(pieces.text, before, wording.tail, subject) === -1) continue;
    if (start.score > (bestPastTail[rank]?.score ?? -1)) bestPastTail[rank] = start;
  }
}

/** Parts that start with free text yield to those that start with words. */
function startsAt(scan: Scan, index: number, at: number): readonly Start[] {
  const { heads } = scan.plan;
  const starts: Start[] = [];
  let fits = false;
  for (const place of heads.startingWith(scan.pieces.text, at)) {
    if (startAt(scan, { place, index, at }, starts)) fits = true;
  }
  if (!fits) for (const place of heads.startingFreely) startAt(scan, { place, index, at }, starts);
  return starts;
}

interface Spot {
  readonly place: Place;
  readonly index: number;
  readonly at: number;
}

/** Whether the wording fits the piece; adds a start where also what follows can follow. */
function startAt(scan: Scan, { place, index, at }: Spot, starts: Start[]): boolean {
  const { pieces, subject } = scan;
  const { part, wording, rank } = place;
  const to = endOfPiece(pieces, index);
  const from = skipWords(pieces.text, at, wording.head, subject);
  if (from === -1 || from > to) return false;
  if (part.open) {
    const next = afterOpen(scan, place, from);
    const bonus = part.must.closing ? (pieces.starts.length - index) * pieces.starts.length : 0;
    if (next) starts.push({ place, rank, index, from, groups: null, next, score: next.score + 1 + bonus });
    return true;
  }
  const until = skipWordsBack(pieces.text, to, wording.tail, subject);
  const groups = readMiddle(wording.middle, pieces.text, from, until);
  if (!groups || (part.must.neverEnds && pieces.text.endsWith(part.must.neverEnds, until))) return false;
  const next = afterLine(scan, rank);
  if (next) starts.push({ place, rank, index, from, groups, next, score: next.score + 1 });
  return true;
}

function afterLine({ plan, partial, best, following }: Scan, rank: number): Start | null {
  if (partial) return best[rank] ?? null;
  const { many } = plan.form.slots[rank] ?? {};
  return better(
    following.filter(
      (next) => (plan.lowest[next.rank] ?? -1) <= rank && (rank < next.rank || (many && rank === next.rank)),
    ),
  );
}

function afterOpen(scan: Scan, { part, rank, wording }: Place, from: number): Start | null {
  const { pieces, best, bestPastSides, bestPastTail, sides, end } = scan;
  const { closing } = part.must;
  if (closing) {
    const lastBreak = (pieces.starts.at(-1) ?? 0) - 1;
    const closes = lastBreak > from && pieces.text.startsWith(closing, lastBreak - closing.indexOf('\n'));
    return closes ? end : null;
  }
  if (wording.tail.before || wording.tail.mention) return bestPastTail[rank] ?? null;
  return (part.must.sides && sides < from ? bestPastSides : best)[rank] ?? null;
}

/** The best of several; of equals the first. */
function better(starts: readonly Start[]): Start | null {
  let found: Start | null = null;
  for (const start of starts) if (start.score > (found?.score ?? -1)) found = start;
  return found;
}

function partsFrom(first: Start, { pieces, subject }: Scan): Composition | null {
  const parts: Found[] = [];
  const unknown: string[] = [];
  for (let start: Start | null = first; start?.place && start.next; start = start.next) {
    const { place, from, index, next } = start;
    const { part, wording } = place;
    if (part.open) {
      const to = skipWordsBack(pieces.text, endOfPiece(pieces, next.index - 1), wording.tail, subject);
      const groups = readMiddle(wording.middle, pieces.text, from, to);
      if (!groups) return null;
      parts.push({ part, groups });
    } else {
      parts.push({ part, groups: start.groups ?? {} });
      for (let lost = index + 1; lost < next.index; lost++) {
        unknown.push(pieces.text.slice(pieces.starts[lost], endOfPiece(pieces, lost)));
      }
    }
  }
  return { parts, unknown };
}

/** Reads a text that is one part. */
export function composeAlone(text: string, part: Part, subject: Subject | null): Found | null {
  for (const { head, middle, tail } of part.wordings) {
    const from = skipWords(text, 0, head, subject);
    if (from === -1) continue;
    const to = skipWordsBack(text, text.length, tail, subject);
    const groups = readMiddle(middle, text, from, to);
    if (groups && holds(part, text, from)) return { part, groups };
  }
  return null;
}

function holds({ open, must }: Part, text: string, from: number): boolean {
  return open ? !must.sides || text.includes(SIDES, from) : !text.includes('\n');
}
