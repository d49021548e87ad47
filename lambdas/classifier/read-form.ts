import { type Composition, compose } from './compose.ts';
import { fitsAt, foundBy } from './fit.ts';
import { cut, type Pieces } from './pieces.ts';
import { composePlainly } from './plain.ts';
import type { Plan } from './plan.ts';
import type { Subject } from './subject.ts';
import { skipWords } from './wording.ts';

/** A text that is tried on several forms, with its lines once one of them asks. */
export interface Text {
  readonly text: string;
  lines?: Pieces;
}

export interface Trying {
  readonly subject: Subject;
  /** Accept only a text of which some pieces, the first among them, are understood, and some are not. */
  readonly partial: boolean;
}

/** The parts of a text by a form; null where the form does not fit. */
export function readForm(plan: Plan, whole: Text, trying: Trying): Composition | null {
  const { text } = whole;
  const { within, separator } = plan.form;
  if (plan.single) return trying.partial ? null : readSingle(whole, plan, trying.subject);
  if (!within) {
    whole.lines ??= cut(text, separator);
    return readPieces(whole.lines, plan, trying);
  }
  const [wording] = within.wordings;
  const at = wording ? skipWords(text, 0, wording.head, trying.subject.entity) : -1;
  return at === -1 ? null : readPieces(cut(text, separator, at), plan, trying);
}

/** A text that is one part: free text in it may break lines, words may not. */
function readSingle({ text }: Text, plan: Plan, subject: Subject): Composition | null {
  const fit = fitsAt({ text, starts: [0], separator: '' }, 0, plan, subject);
  if (!fit || (!fit.place.part.open && text.includes('\n'))) return null;
  const found = foundBy(fit, text, text.length, subject.entity);
  return found && { parts: [found], unknown: [] };
}

function readPieces(pieces: Pieces, plan: Plan, { subject, partial }: Trying): Composition | null {
  const plain = composePlainly(pieces, plan, subject);
  if (plain !== 'doubtful') return plain && !partial ? { parts: plain, unknown: [] } : null;
  return compose(pieces, { plan, subject, partial });
}
