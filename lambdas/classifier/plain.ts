import { completed, type Fit, fitsAt, pieceAt } from './fit.ts';
import { mayFollow, type Plan } from './plan.ts';
import type { Subject } from './subject.ts';

/**
 * Reads a text, from `at` on, in which all that looks like a part is one: nearly every text. Null where the
 * form does not fit; doubtful where `compose` has to find out what is imitation.
 */
export function composePlainly(
  text: string,
  at: number,
  plan: Plan,
  { first, later }: Subject,
): readonly Fit[] | 'doubtful' | null {
  const { separator, slots } = plan.form;
  const piece = pieceAt(text, at, first);
  const parts: Fit[] = [];
  let last: Fit | null = null;
  for (let next = at; next !== -1; piece.start = next + separator.length) {
    next = text.indexOf(separator, piece.start);
    const before = piece.end;
    piece.end = next === -1 ? text.length : next;
    if (last) piece.names = later;
    const fit = fitsAt(piece, plan);
    if (!fit) {
      if (!last) return null;
      if (last.place.part.open) continue;
      return 'doubtful';
    }
    if (fit.other || !mayFollow(plan, last?.place.rank ?? -1, fit.place.rank)) return 'doubtful';
    if (last && !completed(last, text, before, later)) return 'doubtful';
    parts.push(fit);
    last = fit;
  }
  const whole =
    last && mayFollow(plan, last.place.rank, slots.length) && completed(last, text, piece.end, later);
  return whole ? parts : 'doubtful';
}
