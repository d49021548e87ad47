import { entityTypes } from '../entity-type.ts';
import { rowShape, singleLines } from './row-shape.ts';

/** A new review: one row, its parts joined by semicolons; its comment is not in the text. */
export const reviewedRow = rowShape({
  on: entityTypes,
  opening: 'reviewed {label}: ',
  separator: '; ',
  lines: {
    rating: 'Rating: {rating:ratingOrNothing}',
    modeOfPathogenicity: 'Mode of pathogenicity: {modeOfPathogenicity}',
    publications: 'Publications: {publications|, }',
    phenotypes: 'Phenotypes: {phenotypes|, }',
    modeOfInheritance: 'Mode of inheritance: {modeOfInheritance}',
    currentDiagnostic: 'Current diagnostic: yes',
    clinicallyRelevant: 'Clinically relevant: yes',
  },
  must: ['rating', 'modeOfPathogenicity', 'publications', 'phenotypes', 'modeOfInheritance'],
});

/** An edited review: only what changed. */
export const editedReviewRow = rowShape({
  on: entityTypes,
  opening: 'edited their review of {label}: ',
  separator: '; ',
  lines: {
    comment: 'Added comment: {comment}',
    rating: 'Changed rating: {rating}',
    modeOfPathogenicity: 'Changed mode of pathogenicity: {modeOfPathogenicity}',
    publications: 'Changed publications: {publications|, }',
    phenotypes: 'Changed phenotypes: {phenotypes|, }',
    modeOfInheritance: 'Changed mode of inheritance: {modeOfInheritance}',
    currentDiagnostic: 'Set current diagnostic: yes',
    clinicallyRelevant: 'Set clinically relevant: {clinicallyRelevant:yesNo}',
  },
});

/** Comments, and what was deleted. */
export const reviewRows = singleLines(entityTypes, {
  // Without the comment's text, and also where there was no comment at all.
  commented: 'commented on {label}',
  'commented again': 'commented on {label}: {comment}',
  'comment edited': 'changed review comment from: {from}; to: {to}',
  'comment deleted': 'Deleted their comment',
  'review deleted': 'Deleted their review',
});
