import { type Fit, type Found, fitsAt, foundBy } from './fit.ts';
import { endOfPiece, type Pieces } from './pieces.ts';
import { mayFollow, type Plan } from './plan.ts';
import type { Subject } from './subject.ts';

/**
 * Reads a text in which all that looks like a part is one, from the first piece to the last: nearly every
 * text. Null where the form does not fit; doubtful where `compose` has to find out what is imitation.
 */
export function composePlainly(
  pieces: Pieces,
  plan: Plan,
  subject: Subject,
): readonly Found[] | 'doubtful' | null {
  const count = pieces.starts.length;
  const parts: Found[] = [];
  let last: Fit | null = null;
  for (let index = 0; index < count; index++) {
    const fit = fitsAt(pieces, index, plan, subject);
    if (!fit && !last) return null;
    if (!fit && last?.place.part.open) continue;
    if (!fit || fit.other || !mayFollow(plan, last?.place.rank ?? -1, fit.place.rank)) return 'doubtful';
    if (last) {
      const found = foundBefore(index, last, pieces, subject);
      if (!found) return 'doubtful';
      parts.push(found);
    }
    last = fit;
  }
  const found = last && foundBefore(count, last, pieces, subject);
  if (!found || !last || !mayFollow(plan, last.place.rank, plan.form.slots.length)) return 'doubtful';
  parts.push(found);
  return parts;
}

function foundBefore(index: number, fit: Fit, pieces: Pieces, { entity, later }: Subject): Found | null {
  return foundBy(fit, pieces.text, endOfPiece(pieces, index - 1), index === 1 ? entity : later);
}
