import type { Activity } from '../../lambdas/catalogue/schemas.ts';
import { activityOf, BRCA1, HTT, ISCA, on, onUnnamed, panel, type RowFrame } from './corpus/row.ts';

/** Texts built to stall a reader: `times` says how often what is repeated is repeated. */
interface Adversarial {
  readonly name: string;
  readonly row: (times: number) => Activity;
}

const start = 'gene: BRCA1 was added\ngene: BRCA1 was added to Hearing loss. Sources: a';
const review =
  'reviewed gene: BRCA1: Rating: GREEN; Mode of pathogenicity: None; Publications: ; Phenotypes: ';
const edited = 'edited their review of gene: BRCA1: ';
const rating = 'Rating Changed from Red List (low evidence) to Green List (high evidence)';

const texts: readonly (readonly [name: string, on: RowFrame, text: (times: number) => string])[] = [
  ['nothing but letters', BRCA1, (n) => 'x'.repeat(n)],
  ['nothing but line breaks', BRCA1, (n) => '\n'.repeat(n)],
  ['a comment of line breaks', BRCA1, (n) => `Added comment: ${'\n'.repeat(n)}`],
  ['an addition, then line breaks', BRCA1, (n) => `${start}${'\n'.repeat(n)}`],
  ['an addition, then unknown lines', BRCA1, (n) => `${start}${'\nx'.repeat(n)}`],
  ['an addition over and over', BRCA1, (n) => `${start}\n`.repeat(n)],
  ['an addition of many sources', BRCA1, (n) => `${start}${',a'.repeat(n)}`],
  ['an addition of many names with commas', BRCA1, (n) => `${start}${', a'.repeat(n)}`],
  ['an addition of many ends of a panel name', BRCA1, (n) => `${start}${'. Sources: '.repeat(n)}`],
  ['an addition of many tags', BRCA1, (n) => `${start}\na${', a'.repeat(n)} tags were added to gene: BRCA1.`],
  ['an addition with many comments', BRCA1, (n) => `${start}${'\nAdded comment: x'.repeat(n)} \nSources: a`],
  [
    'an addition with many comments and a long last line',
    BRCA1,
    (n) => `${start}${'\nAdded comment: x'.repeat(n)}\n${'x'.repeat(n)}`,
  ],
  [
    'an addition with its lines in the wrong order',
    BRCA1,
    (n) =>
      `${start}${'\nPhenotypes for gene: BRCA1 were set to a\nMode of inheritance for gene: BRCA1 was set to b'.repeat(n)}`,
  ],
  [
    'phenotypes without another side',
    BRCA1,
    (n) => 'Phenotypes for gene: BRCA1 were changed from a\n'.repeat(n),
  ],
  [
    'phenotypes with another side in the end',
    BRCA1,
    (n) => `${'Phenotypes for gene: BRCA1 were changed from a\n'.repeat(n)} to b`,
  ],
  [
    'phenotypes of many sides',
    BRCA1,
    (n) => `Phenotypes for gene: BRCA1 were changed from a${' to '.repeat(n)}`,
  ],
  [
    'phenotypes of many items',
    BRCA1,
    (n) => `Phenotypes for gene: BRCA1 were changed from a${'; b'.repeat(n)} to c`,
  ],
  ['phenotypes appended without an end', BRCA1, (n) => 'Added phenotypes a\n'.repeat(n)],
  ['phenotypes appended over and over', BRCA1, (n) => 'Added phenotypes a for gene: BRCA1\n'.repeat(n)],
  [
    'phenotypes appended with a long last line',
    BRCA1,
    (n) => `${'Added phenotypes a\n'.repeat(n)}${'x'.repeat(n)} for gene: BRCA1`,
  ],
  ['ratings over and over', BRCA1, (n) => `${rating}\n`.repeat(n)],
  [
    'a penetrance full of ratings',
    BRCA1,
    (n) => `Penetrance for gene BRCA1 was set from to ${`\n${rating}`.repeat(n)}`,
  ],
  [
    'sources over and over',
    BRCA1,
    (n) => `Source a was added to BRCA1.${'\nSource a was added to BRCA1.'.repeat(n)}`,
  ],
  [
    'sources over and over, and one line unknown',
    BRCA1,
    (n) => `Source a was added to BRCA1.${'\nSource a was added to BRCA1.'.repeat(n)}\nx`,
  ],
  [
    'sources, every other line unknown',
    BRCA1,
    (n) => `Source a was added to BRCA1.${'\nx\nSource a was added to BRCA1.'.repeat(n)}`,
  ],
  ['one source with many endings', BRCA1, (n) => `Source a${' was added to BRCA1.'.repeat(n)}`],
  ['tags over and over', BRCA1, (n) => 'Tag a tag was added to gene: BRCA1.\n'.repeat(n)],
  [
    'one tag with many mentions',
    BRCA1,
    (n) => `Tag ${'gene: BRCA1. '.repeat(n)}tag was added to gene: BRCA1.`,
  ],
  ['mentions', BRCA1, (n) => 'gene: BRCA1 '.repeat(n)],
  ['a review full of separators', BRCA1, (n) => `${review}${'; '.repeat(n)}; Mode of inheritance: None`],
  [
    'a review full of ratings',
    BRCA1,
    (n) => `${review}${'; Rating: GREEN'.repeat(n)}; Mode of inheritance: None`,
  ],
  ['a review full of modes of inheritance', BRCA1, (n) => `${review}${'; Mode of inheritance: a'.repeat(n)}`],
  ['a review of many items', BRCA1, (n) => `${review}a${', b'.repeat(n)}; Mode of inheritance: a`],
  ['an edited review full of comments', BRCA1, (n) => `${edited}${'Added comment: a; '.repeat(n)}`],
  ['an edited review full of ratings', BRCA1, (n) => `${edited}${'Changed rating: RED; '.repeat(n)}`],
  [
    'an edited review, all its fields over and over',
    BRCA1,
    (n) => `${edited}${'Added comment: a; Changed rating: RED; Changed phenotypes: a; '.repeat(n)}`,
  ],
  ['an edited comment of many ends', BRCA1, (n) => `changed review comment from: ${'; to: '.repeat(n)}`],
  ['names of a region', ISCA, (n) => `a${' was changed to b'.repeat(n)}`],
  ['lines that are names of a region', ISCA, (n) => 'a was changed to b\n'.repeat(n)],
  [
    'a renamed region with lines that are names',
    ISCA,
    (n) => `a was changed to ISCA-37390-Loss${'\na was changed to b'.repeat(n)}`,
  ],
  [
    'coordinates over and over',
    HTT,
    (n) => 'GRCh37 position for HTT_CAG was changed from - to 1-2.\n'.repeat(n),
  ],
  [
    'coordinates of many sides',
    HTT,
    (n) => `GRCh37 position for HTT_CAG was changed from ${' to '.repeat(n)}.`,
  ],
  [
    'a chromosome of dots',
    HTT,
    (n) => `Chromosome for HTT_CAG was changed from ${'. Panel: '.repeat(n)} to 1. Panel: `,
  ],
  ['a panel of many types', panel, (n) => `Panel types changed to a${'; b'.repeat(n)}`],
  ['a panel edited over and over', panel, (n) => 'Panel types changed to a\n'.repeat(n)],
  ['a copy from many panels', panel, (n) => `Copied STR a${' from panel b'.repeat(n)}`],
  ['a removal of a long name', panel, (n) => `removed STR:${'from the panel '.repeat(n)}from the panel`],
  ['an unnamed row of mentions', onUnnamed, (n) => 'commented on gene: '.repeat(n)],
  ['an unnamed row of spaces', onUnnamed, (n) => `Tag${' '.repeat(n)}`],
  ['an unnamed row of one long word', onUnnamed, (n) => `commented on ${'x'.repeat(3 * n)}`],
  ['an unnamed row of many lines', onUnnamed, (n) => `Tag a was removed from gene: BRCA1.${'\nx'.repeat(n)}`],
];

const names: readonly Adversarial[] = [
  {
    name: 'a long name, mentioned once',
    row: (n) => activityOf({ on: on('gene', 'a'.repeat(n)), text: `commented on gene: ${'a'.repeat(n)}` }),
  },
  {
    name: 'a long name, nearly mentioned',
    row: (n) =>
      activityOf({
        on: on('gene', `${'a'.repeat(n)}b`),
        text: `commented on gene: ${'a'.repeat(n)}`,
      }),
  },
  {
    name: 'a long name of a panel',
    row: (n) =>
      activityOf({
        on: on('region', 'a', 'b'.repeat(n)),
        text: `Gene was set to X. Panel: ${'b'.repeat(n)}`,
      }),
  },
  {
    name: 'a short name in a text of it',
    row: (n) =>
      activityOf({ on: on('str', 'a'), text: `Tag ${'STR: a '.repeat(n)}was removed from STR: a.` }),
  },
];

export const adversarial: readonly Adversarial[] = [
  ...texts.map(([name, frame, text]) => ({
    name,
    row: (times: number) => activityOf({ on: frame, text: text(times) }),
  })),
  ...names,
];
