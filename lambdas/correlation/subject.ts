import type { Rating } from '../events/changes.ts';
import { entityKey } from './entity-key.ts';
import type { ReadEntry } from './entry.ts';

/** The key of the entity on a panel that a row is about; null for a row about something else. */
export function subjectOf({ activity, reading }: ReadEntry): string | null {
  return reading?.entity ? entityKey(activity.panel_id, reading.entity) : null;
}

/** The key of the entity under its name before a rename. */
export function formerOf({ activity, reading }: ReadEntry): string | null {
  const from = reading?.draft['entity.renamed']?.from;
  return from !== undefined && reading?.entity
    ? entityKey(activity.panel_id, { type: reading.entity.type, name: from })
    : null;
}

/** Clearing sources may change the rating without saying so. */
const clearings = ['sourceCleared', 'sourcesCleared', 'expertReviewCleared'];

/** The rating from this row on; null where it may be another without a word; undefined where it stays. */
export function ratingAfter({ reading }: ReadEntry): Rating | null | undefined {
  if (!reading) return undefined;
  const { draft, form } = reading;
  if (draft['entity.classified']) return draft['entity.classified'].to ?? null;
  const unsaid = draft['entity.added'] ?? draft['entity.removed'];
  return (unsaid && form !== 'copied') || clearings.includes(form) ? null : undefined;
}
