import fc from 'fast-check';
import { foreignWordings, ownWordings } from './imitations.ts';

/** Pieces that mean something to the software's wordings, to a log, to HTML or to JSON. */
const pieces = [
  ' to ',
  ' from ',
  '; ',
  ';',
  ', ',
  ',',
  '. ',
  ': ',
  '; to: ',
  ' was changed to ',
  ' from panel ',
  'Sources: ',
  'Added comment: ',
  'None',
  'MITOCHONDRIAL',
  ' tag was added',
  '\n',
  '\r\n',
  '\t',
  '\u2028',
  '\u2029',
  '\u0000',
  '\u202E',
  '\uFEFF',
  '"',
  "'",
  '\\',
  '\\n',
  '{label}',
  '$&',
  '$1',
  '<b onclick="x()">&amp;</b>',
  '<!-- -->',
  '𝔄🧬',
  'é',
  'ß',
  'İ',
  'word',
  'PMID: 32275884 ',
  'Microcephaly 5, primary, autosomal recessive, 608716',
  'CO;2-X',
  'https://example.org/?a=1&b=2; c',
  ' ',
  '',
];

const imitation = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...foreignWordings) },
  { weight: 1, arbitrary: fc.constantFrom(...ownWordings) },
);

const piece = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...pieces) },
  { weight: 1, arbitrary: imitation },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 6 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 6 }) },
);

/** Free text at its worst, as entered in a comment or a phenotype; it holds more than white space. */
export const hostileText: fc.Arbitrary<string> = fc
  .oneof(
    { withCrossShrink: true },
    { weight: 2, arbitrary: fc.constantFrom('plain words', 'Three unrelated families; see PMID: 1.') },
    { weight: 5, arbitrary: fc.array(piece, { minLength: 1, maxLength: 5 }).map((all) => all.join('')) },
    { weight: 1, arbitrary: imitation },
    { weight: 1, arbitrary: fc.tuple(piece, imitation).map(([before, wording]) => `${before}\n${wording}`) },
  )
  .filter((text) => text.trim() !== '');

/** Names entered in one-line fields: no line break, no white space around them. */
const names = [
  'Region renamed from A to B',
  'Added Panel x',
  'Panel deleted',
  'removed gene:X from the panel',
  'A from panel B',
  'A to B',
  'A was changed to B',
  'Radboud University Medical Center, Nijmegen',
  'A,B',
  'A, B',
  'Skewed; X',
  'de novo',
  'v1.2.',
  'to be removed from panel',
  'tags were added to gene: X.',
  'gene: BRCA1',
  'X. Sources: Y',
  'Rating Changed from Green List (high evidence) to Red List (low evidence)',
  'Source Expert Review Green was added to X.',
  'Region: A has been removed from the panel.',
  '"quoted" <i>name</i>',
  'İstanbul ẞ 𝔄',
  'tab\there',
  'line\u2028separator',
  '$& {name}',
  '-',
  'x',
];

export const hostileName: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...names) },
  {
    weight: 1,
    arbitrary: fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
      .map((name) => name.replaceAll(/[\r\n]/g, ' ').trim())
      .filter((name) => name !== ''),
  },
);

/** A symbol never holds white space; some read like words of the wordings. */
export const hostileSymbol: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    'BRCA1',
    'C9orf72',
    'HLA-DRB1',
    'NKX2-1',
    'H4C5',
    'MT-ND1',
    'MT-TL1',
    'TO',
    'FROM',
    'gene',
    'A',
    'None',
  ),
  fc.stringMatching(/^[A-Za-z][A-Za-z0-9.@_-]{0,9}$/),
);
