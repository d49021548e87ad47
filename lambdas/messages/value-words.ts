import type { Annotation, PanelChange } from '../events/changes.ts';
import { annotationName } from '../events/field-names.ts';
import { cleanLine } from './clean-text.ts';

/** The members of a list. They are joined by semicolons, because a member may hold commas. */
export const listWords = (list: readonly string[]): string => cleanLine(list.join('; '));

/** A changed field and its value: `phenotypes: added Deafness`. */
export function fieldChange(change: Annotation): string {
  const value = valueChange(change);
  return value.startsWith('changed') ? `${fieldWord(change)} ${value}` : `${fieldWord(change)}: ${value}`;
}

/** A change of value, as far as the event states it: `“A” → “B”`. */
export function valueChange({ from, to, ...lists }: Annotation | PanelChange): string {
  const { added = [], removed = [] } = lists as Pick<Annotation, 'added' | 'removed'>;
  const parts = [
    added.length > 0 && `added ${listWords(added)}`,
    removed.length > 0 && `removed ${listWords(removed)}`,
  ].filter(Boolean);
  if (parts.length > 0) return parts.join('; ');
  const [before, now] = [valueWord(from), valueWord(to)];
  if (now === undefined) return before === undefined ? 'changed' : `changed, earlier: ${before}`;
  return before === undefined ? `now ${now}` : `${before} → ${now}`;
}

function valueWord(value: string | readonly string[] | null | undefined): string | undefined {
  if (value === undefined) return undefined;
  const text = value === null ? '' : typeof value === 'string' ? cleanLine(value) : listWords(value);
  return text === '' ? 'empty' : text;
}

/** The name of a changed field. Its aspect is text of the catalogue. */
export const fieldWord = (change: Annotation): string => cleanLine(annotationName(change));
