import { skipWordsBack } from './addressed.ts';
import { completed, type Fit, fitsAt, pieceAt, SIDES } from './fit.ts';
import { endOfPiece, type Pieces } from './pieces.ts';
import { mayFollow, type Plan } from './plan.ts';
import type { Subject } from './subject.ts';
import { hasWords } from './wording.ts';

/**
 * Reads a text of several parts in which free text may imitate parts. Each piece (a line, or a field of a
 * review) either starts a part or goes on with the free text of the part before it. The pieces are taken from
 * the last to the first, keeping for every place of the form the best reading of what follows it: that of
 * most parts, and of those the one that starts latest. So what imitates a part stays free text wherever the
 * form's order tells. Where it does not tell between two fields of a review, neither is stated. Time is linear in
 * the length of the text.
 */

export interface Composition {
  readonly parts: readonly Fit[];
  /** Pieces that belong to no part; empty unless a partial reading is asked for. */
  readonly unknown: readonly string[];
}

export interface Composing {
  readonly plan: Plan;
  readonly subject: Subject;
  /** Accept only a text of which some pieces, the first among them, are understood, and some are not. */
  readonly partial: boolean;
}

/** A piece at which a part starts, with the best reading of what follows; without a fit: the end of the text. */
interface Start {
  readonly fit: Fit | null;
  readonly rank: number;
  readonly index: number;
  readonly next: Start | null;
  readonly score: number;
  /** Another start of the same slot is as good as the next one. */
  readonly tied: boolean;
}

/** The best start after a part, by the part's rank. */
type Best = (Start | null)[];

interface Scan extends Composing {
  readonly pieces: Pieces;
  /** Of all starts seen so far, those that may follow a part. */
  readonly best: Best;
  /** Whether others of the same slot are as good as those. */
  readonly tied: boolean[];
  /** Of those before which the text holds ` to `. */
  bestPastSides: Best;
  /** Of those before which the last words of a part's wording stand. */
  readonly bestPastTail: Best;
  /** Starts at the next piece. */
  following: readonly Start[];
  /** The last ` to ` before the pieces seen so far; -1 where there is none, or nobody asks. */
  sides: number;
}

/** Null where the form does not fit. */
export function compose(pieces: Pieces, composing: Composing): Composition | null {
  const { plan, subject, partial } = composing;
  const scan = scanOf(pieces, composing);
  const piece = pieceAt(pieces.text, 0, subject.later);
  for (let index = pieces.starts.length - 1; index >= 0; index--) {
    const at = pieces.starts[index] ?? 0;
    piece.start = at;
    piece.end = endOfPiece(pieces, index);
    if (index === 0) piece.names = subject.first;
    const starts: Start[] = [];
    for (let fit = fitsAt(piece, plan); fit; fit = fit.other) {
      const start = startAt(scan, index, fit);
      if (start) starts.unshift(start);
    }
    if (scan.sides >= at) {
      scan.bestPastSides = [...scan.best];
      scan.sides = pieces.text.lastIndexOf(SIDES, at - 1);
    }
    for (const start of starts) offer(scan, start);
    scan.following = starts;
  }
  const first = better(scan.following.filter(({ rank }) => mayFollow(plan, -1, rank)));
  const composition = first && partsFrom(first, scan);
  return composition && composition.unknown.length > 0 === partial ? composition : null;
}

function scanOf(pieces: Pieces, composing: Composing): Scan {
  const { plan } = composing;
  const none = (): Best => plan.form.slots.map(() => null);
  const end = {
    fit: null,
    rank: plan.form.slots.length,
    index: pieces.starts.length,
    next: null,
    score: 0,
    tied: false,
  };
  const scan: Scan = {
    ...composing,
    pieces,
    best: none(),
    tied: [],
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
  const { plan, pieces, subject, partial, best, tied, bestPastTail } = scan;
  const lowest = partial ? 0 : Math.max(0, plan.lowest[start.rank] ?? 0);
  const highest = plan.form.slots[start.rank]?.many ? start.rank : start.rank - 1;
  for (let rank = lowest; rank <= highest; rank++) {
    const known = best[rank];
    const more = start.score - (known?.score ?? -1);
    if (more > 0) {
      best[rank] = start;
      tied[rank] = false;
    } else if (more === 0 && start.rank === known?.rank) tied[rank] = true;
  }
  for (const { rank, tail } of plan.tailed) {
    if (start.index === 0 || rank < lowest || rank > highest) continue;
    const before = endOfPiece(pieces, start.index - 1);
    if (skipWordsBack(pieces.text, before, tail, subject.later) === -1) continue;
    if (start.score > (bestPastTail[rank]?.score ?? -1)) bestPastTail[rank] = start;
  }
}

/** Null where nothing can follow. What goes to the end of the text does so from where it first can. */
function startAt(scan: Scan, index: number, fit: Fit): Start | null {
  const { part, rank } = fit.place;
  const { pieces } = scan;
  const next = part.open ? afterOpen(scan, fit) : afterLine(scan, rank);
  if (!next) return null;
  const bonus = part.must.closing ? (pieces.starts.length - index) * pieces.starts.length : 0;
  const tied = part.open && scan.plan.form.within !== null && scan.tied[rank] === true;
  return { fit, rank, index, next, score: next.score + 1 + bonus, tied };
}

function afterLine({ plan, partial, best, following }: Scan, rank: number): Start | null {
  if (partial) return best[rank] ?? null;
  return better(following.filter((next) => mayFollow(plan, rank, next.rank)));
}

function afterOpen(scan: Scan, { place: { part, rank, tail }, from }: Fit): Start | null {
  const { best, bestPastSides, bestPastTail, sides } = scan;
  if (hasWords(tail)) return bestPastTail[rank] ?? null;
  return (part.must.sides && sides < from ? bestPastSides : best)[rank] ?? null;
}

/** The best of several; of equals the first. */
function better(starts: readonly Start[]): Start | null {
  let found: Start | null = null;
  for (const start of starts) if (start.score > (found?.score ?? -1)) found = start;
  return found;
}

function partsFrom(first: Start, { pieces, subject }: Scan): Composition | null {
  const parts: Fit[] = [];
  const unknown: string[] = [];
  let before: Start | null = null;
  for (let start: Start | null = first; start?.fit && start.next; before = start, start = start.next) {
    const { fit, index, next, tied } = start;
    if (!completed(fit, pieces.text, endOfPiece(pieces, next.index - 1), subject.later)) return null;
    if (tied || before?.tied) fit.words = null;
    parts.push(fit);
    for (let lost = index + 1; lost < next.index && !fit.place.part.open; lost++) {
      unknown.push(pieces.text.slice(pieces.starts[lost], endOfPiece(pieces, lost)));
    }
  }
  return { parts, unknown };
}
