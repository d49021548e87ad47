import { addressed, skipWords, skipWordsBack } from '../../lambdas/classifier/addressed.ts';
import type { Form, Part, Slot } from '../../lambdas/classifier/form.ts';
import { forms } from '../../lambdas/classifier/grammar/forms.ts';
import { labelOf, type Mention, spellingOf } from '../../lambdas/classifier/mention.ts';
import { readMiddle, type Wording } from '../../lambdas/classifier/wording.ts';
import type { Entity } from '../../lambdas/events/schemas.ts';
import type { RowFrame } from './corpus/row.ts';

/** A wording of the grammar, and where it stands. */
export interface Placed {
  readonly form: Form;
  readonly part: Part;
  readonly wording: Wording;
}

/** Every wording of the grammar; of one that several forms share, the first form. */
export const wordings: readonly Placed[] = [
  ...new Map(
    forms
      .toReversed()
      .flatMap((form) =>
        partsOf(form).flatMap((part) =>
          part.wordings.map((wording) => [wording, { form, part, wording }] as const),
        ),
      ),
  ).values(),
];

/** Every pattern as the grammar has it. */
export const patterns: readonly RegExp[] = [
  ...new Map(wordings.map(({ wording: { pattern } }) => [String(pattern), pattern])).values(),
];

function partsOf({ within, slots }: Form): readonly Part[] {
  return [...(within ? [within] : []), ...slots.flatMap(({ parts }) => parts)];
}

/** A pattern, and in which spelling. */
export function nameOf({ form, wording: { pattern, head } }: Placed): string {
  const spelling = pattern.source.includes('⟨entity⟩') ? ` with ⟨${head.mention}⟩` : '';
  return `${form.name}: ${pattern}${spelling}`;
}

/** The grammar without one wording. */
export function without({ part, wording }: Placed): readonly Form[] {
  const reduced = (other: Part): Part[] => {
    if (other !== part) return [other];
    const rest = other.wordings.filter((one) => one !== wording);
    return rest.length > 0 ? [{ ...other, wordings: rest }] : [];
  };
  return forms.flatMap((form): Form[] => {
    if (form.within === part) return [];
    const slots = form.slots.map((slot): Slot => ({ ...slot, parts: slot.parts.flatMap(reduced) }));
    return [{ ...form, slots }];
  });
}

/** The pattern as it is written, with the row's own names where it has mentions; null where a name is missing. */
export function spelledOut(
  { pattern, head }: Wording,
  { entity_name, entity_type, panel_name }: RowFrame,
): RegExp | null {
  const names = { name: entity_name, panel: panel_name };
  let missing = false;
  const source = pattern.source
    .replace('⟨entity⟩', `⟨${head.mention}⟩`)
    .replace(/⟨(\w+)⟩/g, (_mention, mention: Mention) => {
      const spelling = spellingOf(mention, names);
      missing ||= spelling === null || (mention !== 'panel' && entity_type === null);
      return escaped(labelOf(mention, (entity_type ?? 'gene') as Entity['type']) + spelling);
    });
  return missing ? null : new RegExp(source, pattern.flags);
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

/** Whether the wording, taken apart, fits the text. */
export function fits(
  { head, middle, tail }: Wording,
  text: string,
  { entity_name, entity_type, panel_name }: RowFrame,
): boolean {
  const names = { name: entity_name, panel: panel_name };
  const [start, end] = [head, tail].map((words) => addressed(words, entity_type as Entity['type'] | null));
  if (!start || !end) return false;
  const from = skipWords(text, 0, start, names);
  return from !== -1 && readMiddle(middle, text, from, skipWordsBack(text, text.length, end, names)) !== null;
}
