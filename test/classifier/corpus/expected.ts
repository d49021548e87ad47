import type { Draft } from '../../../lambdas/classifier/form.ts';
import type { Annotation, Changes, PanelChange, Review } from '../../../lambdas/events/changes.ts';

/** What a row of the corpus says, in few words. */

type Classified = Partial<Changes['entity.classified']>;
type Added = Partial<Changes['entity.added']>;
type Rating = Changes['entity.classified']['to'];

export const classified = (to: Rating, more: Classified = {}): Draft => ({
  'entity.classified': { to, ...more },
});

/** An addition without any source that carries a rating. */
export const added = (fields: Added = {}): Draft => ({
  'entity.added': { rating: null, sources: [], tags: [], copiedFrom: null, ...fields },
});

/** An addition with tags that cannot be separated. */
export function addedWithUnknownTags(fields: Added = {}): Draft {
  return { 'entity.added': { rating: null, sources: [], copiedFrom: null, ...fields } };
}

/** An addition of which a source carries the rating. */
export const addedAs = (rating: Rating, sources: string[], fields: Added = {}): Draft => ({
  ...added({ rating, sources, ...fields }),
  ...classified(rating, { from: null, direction: 'new' }),
});

export const annotated = (...changes: Annotation[]): Draft => ({ 'entity.annotated': { changes } });

export const tags = (change: Partial<Changes['entity.tags-changed']> = {}): Draft => ({
  'entity.tags-changed': { added: [], removed: [], ...change },
});

export const renamed = (from: string, to: string): Draft => ({ 'entity.renamed': { from, to } });

export const reviewed = (fields: Partial<Review> = {}): Draft => ({
  'entity.reviewed': { edited: false, ...fields },
});

export const reviewEdited = (fields: Partial<Review> = {}): Draft => ({
  'entity.reviewed': { edited: true, ...fields },
});

export const commented = (comment: string | null): Draft => ({
  'entity.commented': { action: 'added', comment },
});

export const panelChanged = (...changes: PanelChange[]): Draft => ({ 'panel.changed': { changes } });
