import { skipWords } from './addressed.ts';
import { type Composition, compose } from './compose.ts';
import { completed, fitsAt, pieceAt } from './fit.ts';
import { cut } from './pieces.ts';
import { composePlainly } from './plain.ts';
import type { Plan } from './plan.ts';
import type { Subject } from './subject.ts';

const nothing: readonly string[] = [];

/**
 * The parts of a text by a form; null where the form does not fit. A partial reading is one of a text of which
 * some pieces, the first among them, are understood, and some are not.
 */
export function readForm(plan: Plan, text: string, subject: Subject, partial: boolean): Composition | null {
  if (plan.single) return partial ? null : readSingle(plan, text, subject);
  const at = plan.intro ? skipWords(text, 0, plan.intro, subject.first) : 0;
  const parts = at === -1 ? null : composePlainly(text, at, plan, subject);
  if (parts === 'doubtful') return compose(cut(text, plan.form.separator, at), { plan, subject, partial });
  return parts && !partial ? { parts, unknown: nothing } : null;
}

/** A text that is one part: free text in it may break lines, words may not. */
function readSingle(plan: Plan, text: string, { first }: Subject): Composition | null {
  const fit = fitsAt(pieceAt(text, 0, first), plan);
  if (!fit || (!fit.place.part.open && text.includes('\n'))) return null;
  return completed(fit, text, text.length, first) ? { parts: [fit], unknown: nothing } : null;
}
