import { skipWords } from './addressed.ts';
import { type Composition, compose } from './compose.ts';
import { completed, type Fit, fitsAt, pieceAt } from './fit.ts';
import { cut } from './pieces.ts';
import { composePlainly } from './plain.ts';
import type { Plan } from './plan.ts';
import type { Subject } from './subject.ts';

/** The parts of a text by a form; null where the form does not fit. */
export function readForm(plan: Plan, text: string, subject: Subject): readonly Fit[] | null {
  if (plan.single) return readSingle(plan, text, subject);
  const at = startIn(text, plan, subject);
  const parts = at === -1 ? null : composePlainly(text, at, plan, subject);
  if (parts !== 'doubtful') return parts;
  const pieces = cut(text, plan.form.separator, at);
  return compose(pieces, { plan, subject, partial: false })?.parts ?? null;
}

/** The same of a text of which some pieces, the first among them, are understood, and some are not. */
export function readInPart(plan: Plan, text: string, subject: Subject): Composition | null {
  const at = plan.single ? -1 : startIn(text, plan, subject);
  if (at === -1) return null;
  return compose(cut(text, plan.form.separator, at), { plan, subject, partial: true });
}

/** Where the parts start in the text; -1 where the form does not fit. */
function startIn(text: string, { intro }: Plan, { first }: Subject): number {
  return intro ? skipWords(text, 0, intro, first) : 0;
}

/** A text that is one part: free text in it may break lines, words may not. */
function readSingle(plan: Plan, text: string, { first }: Subject): readonly Fit[] | null {
  const fit = fitsAt(pieceAt(text, 0, first), plan);
  if (!fit || (!fit.place.part.open && text.includes('\n'))) return null;
  return completed(fit, text, text.length, first) ? [fit] : null;
}
