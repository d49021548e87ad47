import { singleLines } from './row-shape.ts';

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
