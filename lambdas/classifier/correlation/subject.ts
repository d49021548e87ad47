import { hash } from 'node:crypto';
import type { Activity } from '../../catalogue/schemas.ts';
import type { Direction, Rating } from '../../events/changes.ts';
import type { Entity } from '../../events/schemas.ts';
import type { RecognisedRow } from '../classify.ts';

type Draft = RecognisedRow['reading']['draft'];

/** The key of the entity on a panel that a row is about; null for a row about the panel itself. */
export function subjectOf({ activity, reading }: RecognisedRow): string | null {
  return reading.entity ? entityKey(panelOf(activity), reading.entity) : null;
}

/** The key of the entity under its name before a rename; null where the row renames nothing. */
export function formerSubjectOf({ activity, reading }: RecognisedRow): string | null {
  const from = reading.draft['entity.renamed']?.from;
  return from !== undefined && reading.entity
    ? entityKey(panelOf(activity), { type: reading.entity.type, name: from })
    : null;
}

/**
 * Forms that remove sources: the rating may change, and the text does not say so. The command that removes expert
 * reviews is not among them: it keeps the one that gives the rating.
 */
const clearingForms = ['sourceCleared', 'sourcesCleared'];

/** The rating after a row: null where the row may have changed it silently, undefined where it is unchanged. */
export function ratingAfter({ reading: { draft, form } }: RecognisedRow): Rating | null | undefined {
  if (draft['entity.classified']) return draft['entity.classified'].to ?? null;
  if (clearingForms.includes(form)) return null;
  const changed = draft['entity.added'] ?? draft['entity.removed'];
  return changed && form !== 'copied' ? null : undefined;
}

/** A deleted panel has no id any more, but still its name. */
function panelOf({ panel_id, panel_name }: Activity): number | string {
  return panel_id ?? `deleted ${shortName(panel_name)}`;
}

/**
 * Whether a row adds an expert review to an entity on "No list" without changing the rating: the entity is flagged,
 * and a review does not clear the flag.
 */
export function staysUnrated({ 'entity.classified': rated }: Draft, before: Rating | null): boolean {
  return rated?.direction === 'unchanged' && rated.to !== before && before === 'none';
}

/** Whether a row changes the mode of inheritance: what that means depends on the rating. */
export const setsInheritance = ({ 'entity.annotated': annotated }: Draft): boolean =>
  annotated?.changes?.some(({ field }) => field === 'modeOfInheritance') === true;

/** Whether the event of an annotation states the rating: of a mode of inheritance, and of a source that was removed. */
export const needsRating = (draft: Draft): boolean =>
  setsInheritance(draft) ||
  draft['entity.annotated']?.changes?.some(
    ({ field, aspect, removed }) => field === 'sources' && (aspect === 'all' || removed !== undefined),
  ) === true;

/** Whether a row adds or removes its entity; undefined where it does neither. */
export function membershipAfter({ reading: { draft } }: RecognisedRow): 'added' | 'removed' | undefined {
  if (draft['entity.removed']) return 'removed';
  return draft['entity.added'] ? 'added' : undefined;
}

/** The key of an entity on a panel, which has an id or, once it was deleted, a name. */
export function entityKey(panel: number | string, { type, name }: Entity): string {
  return `${panel}#${type}#${shortName(name)}`;
}

/** Longer names are kept as their hash; names in the catalogue are far shorter. */
const LONGEST_NAME = 100;

/** A name as it is kept and compared: a long one by its hash, because what is kept has a limited size. */
export function shortName(name: string): string {
  return name.length <= LONGEST_NAME ? name : hash('sha256', name, 'hex');
}

const upwards: readonly Rating[] = ['none', 'red', 'amber', 'green'];

/** The direction from one rating to another; `unknown` unless both are known. */
export function directionOf(from: Rating | null, to: Rating | null): Direction {
  if (from === null || to === null) return 'unknown';
  if (from === to) return 'unchanged';
  return upwards.indexOf(from) < upwards.indexOf(to) ? 'upgraded' : 'downgraded';
}
