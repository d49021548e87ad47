import { type EntityType, entityTypes } from '../values.ts';

/**
 * The lines that one row of the log can hold, in the order in which the software writes them. The key of a line
 * is what it means, and lines of different rows that mean the same have the same key. Keys of annotations are
 * the field, and its aspect after a dot: `modeOfInheritance`, `coordinates.GRCh37`.
 */
export interface RowShape<Key extends string = string> {
  /** The entities that such a row is written for, or `panel` for a row about a panel. */
  readonly on: readonly EntityType[] | 'panel';
  /** What stands before the first line, in the same line. */
  readonly opening?: string;
  /** What stands between the lines: a newline where nothing is said. */
  readonly separator?: string;
  readonly lines: Readonly<Record<Key, string>>;
  readonly must?: readonly NoInfer<Key>[];
  readonly repeated?: readonly NoInfer<Key>[];
  /** Lines of so little wording of their own that any other reading goes before theirs. */
  readonly weak?: readonly NoInfer<Key>[];
}

/** The keys of a shape's lines; of any of them, where it may be one of several shapes. */
export type KeyOf<Shape> = Shape extends RowShape<infer Key> ? Key : never;

function rowShape<const Key extends string>(shape: RowShape<Key>): RowShape<Key> {
  return shape;
}

function singleLines<const Key extends string>(
  on: RowShape['on'],
  lines: Readonly<Record<Key, string>>,
): { readonly [K in Key]: RowShape<K> } {
  const shapes = (Object.entries(lines) as [Key, string][]).map(([key, text]) => [
    key,
    { on, lines: { [key]: text } },
  ]);
  return Object.fromEntries(shapes);
}

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

/** The edit form: one row, the rating last. One table for each type of entity. */

const ratingLine = { rating: 'Rating Changed from {from:changedList} to {to:changedList}' } as const;

const repeated = ['source removed', 'source added', 'tag removed', 'tag added'] as const;

export const geneForm = rowShape({
  on: ['gene'],
  lines: {
    'source removed': 'Source {source:line} was removed from {symbol}.',
    'source added': 'Source {source:line} was added to {symbol}.',
    modeOfInheritance: 'Mode of inheritance for gene {symbol} was changed from {from} to {to}',
    modeOfPathogenicity: 'Mode of pathogenicity for gene {symbol} was changed from {from} to {to}',
    phenotypes: 'Phenotypes for {label} were changed from {from|; } to {to|; }',
    'phenotypes appended': 'Added phenotypes {added|; } for {label}',
    // "from" has no value, and "to" shows the old one.
    penetrance: 'Penetrance for gene {symbol} was set from to {from}',
    publications: 'Publications for gene {symbol} were changed from {from|; } to {to|; }',
    'publications appended': 'Publications for gene {symbol} were updated from {from|; } to {to|; }',
    transcript: 'Transcript for gene {symbol} was changed from {from|; } to {to|; }',
    'transcript appended': 'Transcript for gene {symbol} was updated from {from|; } to {to|; }',
    'tag removed': 'Tag {tag} was removed from {symbol}.',
    'tag added': 'Tag {tag} tag was added to {symbol}.',
    ...ratingLine,
  },
  repeated,
});

/** Another symbol in the edit form: rows under the new symbol, after the form's own row under the old one. */
export const replacedGene = singleLines(['gene'], {
  renamed: '{from:symbol} was changed to {symbol}',
  modeOfInheritance: 'Mode of inheritance for gene {oldSymbol:symbol} was set to MITOCHONDRIAL',
});

const rename = { renamed: '{from:line} was changed to {name}' } as const;

const positions = {
  'coordinates.GRCh37': 'GRCh37 position for {name} was changed from {from:positionOrDash} to {to:position}.',
  'coordinates.GRCh37 removed': 'GRCh37 position for {label} was removed.',
  'coordinates.GRCh38': 'GRCh38 position for {name} was changed from {from:positionOrDash} to {to:position}.',
} as const;

const sources = {
  'source removed': 'Source {source:line} was removed from {label}.',
  'source added': 'Source {source:line} was added to {label}.',
} as const;

const phenotypes = {
  phenotypes: 'Phenotypes for {label} were changed from {from|; } to {to|; }',
  'phenotypes appended': 'Added phenotypes {added|; } for {label}',
} as const;

const publications = {
  publications: 'Publications for {label} were changed from {from|; } to {to|; }',
} as const;

// One "tag", where the wordings for genes have two.
const tags = {
  'tag removed': 'Tag {tag} was removed from {label}.',
  'tag added': 'Tag {tag} was added to {label}.',
} as const;

const linkedGene = {
  'gene removed': 'Gene: {from:symbol} was removed.',
  gene: 'Gene: {from:symbol} was changed to {to:symbol}.',
} as const;

export const strForm = rowShape({
  on: ['str'],
  lines: {
    ...rename,
    chromosome:
      'Chromosome for {name} was changed from {from:lineOrNothing} to {to:lineOrNothing}. Panel: {panel}',
    ...positions,
    'repeats.sequence':
      'Repeated Sequence for {name} was changed from {from:lineOrNothing} to {to:lineOrNothing}.',
    'repeats.normal':
      'Normal Number of Repeats for {name} was changed from {from:lineOrNothing} to {to:lineOrNothing}.',
    'repeats.pathogenic':
      'Pathogenic Number of Repeats for {name} was changed from {from:lineOrNothing} to {to:lineOrNothing}.',
    ...sources,
    modeOfInheritance: 'Mode of inheritance for {label} was changed from {from} to {to}',
    ...phenotypes,
    penetrance: 'Penetrance for {name} were changed from {from} to {to}',
    ...publications,
    ...tags,
    ...linkedGene,
    'gene set': 'Gene was set to {to:symbol}.',
    ...ratingLine,
  },
  repeated,
});

export const regionForm = rowShape({
  on: ['region'],
  lines: {
    ...rename,
    verboseName: '{from:line} was changed to {to:line}',
    chromosome: 'Chromosome for {name} was changed from {from:lineOrNothing} to {to:lineOrNothing}.',
    ...positions,
    variantType: 'Variant type for {name} was changed from {from:lineOrNothing} to {to:lineOrNothing}.',
    'dosage.haploinsufficiency':
      'Haploinsufficiency Score for {name} was changed from {from:lineOrNothing} to {to:lineOrNothing}.',
    'dosage.triplosensitivity':
      'Triplosensitivity Score for {name} was changed from {from:lineOrNothing} to {to:lineOrNothing}.',
    requiredOverlapPercentage:
      'Required Overlap Percentage for {name} was changed from {from:lineOrNothing} to {to:lineOrNothing}.',
    ...sources,
    modeOfInheritance: 'Model of inheritance for {label} was changed from {from} to {to}',
    ...phenotypes,
    penetrance: 'Penetrance for {label} was change from {from} to {to}',
    ...publications,
    ...tags,
    ...linkedGene,
    'gene set': 'Gene was set to {to:symbol}. Panel: {panel}',
    ...ratingLine,
  },
  repeated,
  weak: ['verboseName'],
});

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

/**
 * Shapes of older rows, with and without the label before the gene. Source: docs/interfaces.md, "Activity".
 */
export const legacyRows = singleLines(['gene'], {
  commented: 'commented on {symbol}',
  reviewed: 'reviewed {symbol}',
  'reviewed with label': 'reviewed {label}',
  'review edited': 'edited their review of {symbol}',
  'review edited with label': 'edited their review of {label}',
  'marked ready': 'marked {symbol} as ready',
  'marked ready with label': 'marked {label} as ready',
  classified: 'classified {symbol} as {colour}',
  'classified with label': 'classified {label} as {colour}',
  added: 'added {symbol} to panel',
  'added with label': 'added {label} to panel',
});

/** Fields of a gene, set in a row of their own. */
export const legacySetRows = singleLines(['gene'], {
  phenotypes: 'Phenotypes for gene {symbol} were set to {to|; }',
  publications: 'Publications for gene {symbol} were set to {to|; }',
  modeOfInheritance: 'Mode of inheritance for gene {symbol} was set to {to}',
});

/** Fields of a gene, changed in a row of their own. */
export const legacyChangedRows = singleLines(['gene'], {
  phenotypes: 'Phenotypes for gene {symbol} were changed from {from|; } to {to|; }',
  publications: 'Publications for gene {symbol} were changed from {from|; } to {to|; }',
  modeOfInheritance: 'Mode of inheritance for gene {symbol} was changed from {from} to {to}',
});

/** Rows about a panel; those about an entity carry it only in the text. */
export const panelRows = singleLines('panel', {
  'gene removed': 'removed gene:{entity:symbol} from the panel',
  'str removed': 'removed STR:{entity:line} from the panel',
  'region removed': 'removed region:{entity:line} from the panel',
  promoted: 'promoted panel to version {version}',
  'created by import': 'Added panel {panel}',
  deleted: 'Panel deleted',
  'gene copied': 'Copied gene {entity:symbol} from panel {otherPanel:line}',
  'str copied': 'Copied STR {entity:line} from panel {otherPanel:line}',
  'region copied': 'Copied Region {entity:line} from panel {otherPanel:line}',
  'gene reviews copied': 'Added reviews for gene {entity:symbol} from panel {otherPanel:line}',
  'str reviews copied': 'Added reviews for STR {entity:line} from panel {otherPanel:line}',
  'region reviews copied': 'Added reviews for Region {entity:line} from panel {otherPanel:line}',
});

export const createdPanelRow = rowShape({
  on: 'panel',
  lines: {
    created: 'Added Panel {panel}',
    relatedPanels: 'Set list of related panels to {to:line|; }',
    childPanels: 'Set child panels to: {to:line|; }',
    types: 'Set panel types to: {to:line|; }',
  },
  must: ['created'],
});

export const editedPanelRow = rowShape({
  on: 'panel',
  lines: {
    // The row itself carries the new name.
    name: 'Panel name changed from {from:line} to {panel}',
    hpoTerms: 'HPO terms changed from {from:lineOrNothing|, } to {to:lineOrNothing|, }',
    relatedPanels: 'List of related panels changed from {from:lineOrNothing|; } to {to:lineOrNothing|; }',
    status: 'Panel status changed from {from:status} to {to:status}',
    childPanels: 'Changed child panels to: {to:lineOrNothing|; }',
    types: 'Panel types changed to {to:lineOrNothing|; }',
    'sign-off removed': 'Panel signed off version has been removed',
    'signed off': 'Panel version has been signed off',
  },
});

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
