import type { Annotation, PanelChange } from '../events/changes.ts';
import { annotationName } from '../events/field-names.ts';
import { inheritanceGroupOf } from '../events/inheritance.ts';
import type { EntityStatus } from '../filters/entity-history.ts';
import { cleanLine } from './clean-text.ts';

/** The members of a list. They are joined by semicolons, because a member may hold commas. */
export const listWords = (list: readonly string[]): string => cleanLine(list.join('; '));

/** A changed field and its value: `phenotypes: added Deafness`. */
export function fieldChange(change: Annotation): string {
  const isStated = listChanges(change).length > 0 || valueWord(change.to) !== undefined;
  return `${fieldWord(change)}${isStated ? ':' : ''} ${valueChange(change)}`;
}

/** A change of value, as far as the event states it: `“A” → “B”`. */
export function valueChange(change: Annotation | PanelChange): string {
  const lists = listChanges(change);
  if (lists.length > 0) return lists.join('; ');
  const [before, now] = [valueWord(change.from), valueWord(change.to)];
  if (now === undefined && before === EMPTY) return 'filled in (the log does not say with what)';
  if (now === undefined) return before === undefined ? 'changed' : `changed (before: ${before})`;
  return before === undefined ? `now ${now}` : `${before} → ${now}`;
}

/**
 * A mode of inheritance in short: `BOTH monoallelic and biallelic`. What nearly every gene has is left out; imprinting and
 * severity are not.
 */
const shortInheritance = (mode: string): string =>
  cleanLine(mode.replace(', autosomal or pseudoautosomal', '').replace(', NOT imprinted', ''));

/** `mode of inheritance: BIALLELIC`, in short; empty where none is known. */
export const inheritanceLabel = (mode: string | null | undefined): string =>
  mode ? `mode of inheritance: ${inheritanceWords(mode)}` : '';

/** A mode of inheritance in short beside another one: never empty. */
export const inheritanceWords = (mode: string | null): string =>
  inheritanceGroupOf(mode) === 'unknown' ? 'not stated' : shortInheritance(mode ?? '');

/** What a list of changes of the mode of inheritance is called. */
export const INHERITANCE_CHANGED = 'mode of inheritance changed';

/** Whether an entity whose mode of inheritance changed is green. */
export const ratedAsWords = (rating: EntityStatus): string =>
  rating === 'green' ? 'green' : 'the rating is unknown';

/** What was added to a list and removed from it. */
function listChanges(change: Annotation | PanelChange): readonly string[] {
  const { added = [], removed = [] } = change as Pick<Annotation, 'added' | 'removed'>;
  return [
    ...(added.length > 0 ? [`added ${listWords(added)}`] : []),
    ...(removed.length > 0 ? [`removed ${listWords(removed)}`] : []),
  ];
}

function valueWord(value: string | readonly string[] | null | undefined): string | undefined {
  if (value === undefined) return undefined;
  const text = value === null ? '' : typeof value === 'string' ? cleanLine(value) : listWords(value);
  return text === '' ? EMPTY : text;
}

const EMPTY = 'empty';

/** The name of a changed field. Its aspect is text of the catalogue. */
export const fieldWord = (change: Annotation): string => cleanLine(annotationName(change));
