import { entityTypes } from '../entity-type.ts';
import { rowShape } from './row-shape.ts';

/** Adding an entity: one row. */
export const addedRow = rowShape({
  on: entityTypes,
  lines: {
    added: '{label} was added',
    'added to panel': '{label} was added to {panel}. Sources: {sources:lineOrNothing|,}',
    'tags given': '{tags:line|, } tags were added to {label}.',
    modeOfInheritance: 'Mode of inheritance for {label} was set to {modeOfInheritance}',
    // The label after "gene" doubles the word: "for gene gene: MT-ND1".
    mitochondrial: 'Mode of inheritance for gene {label} was set to MITOCHONDRIAL',
    publications: 'Publications for {label} were set to {publications|; }',
    phenotypes: 'Phenotypes for {label} were set to {phenotypes|; }',
    penetrance: 'Penetrance for {label} were set to {penetrance}',
    modeOfPathogenicity: 'Mode of pathogenicity for {label} was set to {modeOfPathogenicity}',
    'review rating': 'Review for {label} was set to {rating}',
    'clinically relevant': '{label} was marked as clinically relevant',
    'current diagnostic': '{label} was marked as current diagnostic',
    // The line of sources belongs to the comment.
    comment: 'Added comment: {comment} \nSources: {commentSources:lineOrNothing|, }',
    'comment of sources': 'Added comment: Sources: {commentSources:lineOrNothing|, }',
  },
  must: ['added', 'added to panel'],
});
