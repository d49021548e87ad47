import { entityTypes } from '../entity-type.ts';
import { rowShape, singleLines } from './row-shape.ts';

/** Edits of a single field. */
export const singleEdits = singleLines(entityTypes, {
  modeOfInheritance: 'Mode of inheritance for {label} was changed from {from} to {to}',
  modeOfPathogenicity: 'Mode of pathogenicity for {label} was changed from {from} to {to}',
  phenotypes: 'Phenotypes for {label} were changed from {from|; } to {to|; }',
  // Shows the old list, never the new one.
  publications: 'Publications for {label} were set to {from|; }',
  'source cleared': 'Source: {source:line} was removed from {label}',
  'all sources cleared': 'All sources for {label} were removed',
  'sources cleared': 'Removed sources: {removed:line|, }',
});

/** Tags: one row, removals first; the word "tag" is doubled where one was added. */
export const tagsRow = rowShape({
  on: entityTypes,
  lines: {
    'tag removed': 'Tag {tag} was removed from {label}.',
    'tag added': 'Tag {tag} tag was added to {label}.',
  },
  repeated: ['tag removed', 'tag added'],
});
