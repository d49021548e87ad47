import { entityTypes } from '../entity-type.ts';
import { singleLines } from './row-shape.ts';

/** Rating by hand and marking as ready: rows that come by two or three. */
export const ratingRows = singleLines(entityTypes, {
  'classified headline': '{Label} has been classified as {list:headline}.',
  // Nothing is removed: the entity goes to "No list".
  'removed from panel': '{Label} has been removed from the panel.',
  classified: 'Classified {label} as {list}',
  'marked ready': 'Marked {label} as ready',
});

/** A comment of its own row, on an entity or on a review. */
export const commentRow = singleLines(entityTypes, { 'comment added': 'Added comment: {comment}' });

/** What the software puts before a comment that was given with an action. */
export const commentOn = {
  list: 'Comment on list classification: ',
  ready: 'Comment when marking as ready: ',
  modeOfInheritance: 'Comment on mode of inheritance: ',
  modeOfPathogenicity: 'Comment on mode of pathogenicity: ',
  phenotypes: 'Comment on phenotypes: ',
  publications: 'Comment on publications: ',
} as const;
