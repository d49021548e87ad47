import { rowShape } from './row-shape.ts';

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
export const replacedGene = {
  renamed: { on: ['gene'], lines: { renamed: '{from:symbol} was changed to {symbol}' } },
  mitochondrial: {
    on: ['gene'],
    lines: { modeOfInheritance: 'Mode of inheritance for gene {oldSymbol:symbol} was set to MITOCHONDRIAL' },
  },
} as const;

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
