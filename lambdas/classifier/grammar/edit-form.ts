import type { Annotation } from '../../events/changes.ts';
import {
  alone,
  composite,
  type Draft,
  either,
  type Form,
  line,
  open,
  type Part,
  type Read,
  required,
  type Slot,
  several,
} from '../form.ts';
import {
  isTag,
  listOf,
  modesOfInheritance,
  modesOfPathogenicity,
  ratingOf,
  ratingOfSources,
  sidesOf,
  singleOf,
  sourcesOf,
} from '../values.ts';

/** Readings that several forms share: what a part says of one field of an entity. */

type Field = Annotation['field'];

/** The draft of an event that changes one field of an entity. */
export const annotate = (annotation: Annotation): Draft => ({
  'entity.annotated': { changes: [annotation] },
});

/** `from A to B` of a single value. */
const changed = (field: Field, aspect?: string): Read => bothSides(field, singleOf, { aspect });

/** `from A to B` of a value that is nearly always one of the catalogue's own list. */
export const chosen = (field: Field, known: readonly string[]): Read => bothSides(field, singleOf, { known });

/** `from a; b to c` of a list. */
export const listChanged = (field: Field): Read => bothSides(field, listOf);

/** `from 1-2 to 3-4`; coordinates that are not set are written as a lone hyphen. */
const positionChanged = (aspect: string): Read =>
  bothSides('coordinates', (words) => (words === '-' ? null : singleOf(words)), { aspect });

interface Sides {
  readonly aspect?: string | undefined;
  readonly known?: readonly string[];
}

function bothSides(
  field: Field,
  read: (words: string) => Annotation['from'],
  { aspect, known = [] }: Sides = {},
): Read {
  const what = aspect === undefined ? { field } : { field, aspect };
  return (words) => {
    const found = sidesOf(words, { known });
    return annotate(found ? { ...what, from: read(found.from), to: read(found.to) } : what);
  };
}

/** A line that says that the captured source was removed. */
export const sourceRemoved = (pattern: RegExp): Part =>
  line(pattern, (source) => annotate({ field: 'sources', removed: [source] }));

const sourceAdded = (pattern: RegExp): Part =>
  line(pattern, (source) => annotate({ field: 'sources', added: [source] }));

/** A line that says that the captured tag was removed. */
export const tagRemoved = (pattern: RegExp): Part =>
  line(pattern, (tag) => ({ 'entity.tags-changed': { added: [], removed: [tag] } }));

/** A line that says that the captured tag was added. */
export const tagAdded = (pattern: RegExp): Part =>
  line(pattern, (tag) => ({ 'entity.tags-changed': { added: [tag], removed: [] } }));

/** Lines that the software fills with a value that is wrong: only what is right is stated. */

/** A mitochondrial gene gets MITOCHONDRIAL before the line is written, which then shows it on both sides. */
const inheritanceChanged: Read = (words, context, groups) =>
  context.entity?.name.startsWith('MT-') && words === 'MITOCHONDRIAL to MITOCHONDRIAL'
    ? annotate({ field: 'modeOfInheritance', to: 'MITOCHONDRIAL' })
    : chosen('modeOfInheritance', modesOfInheritance)(words, context, groups);

/** The Australian code shows the new list on both sides. */
const publicationsChanged: Read = (words, context, groups) => {
  const after = twiceTheSame(words);
  return after === null
    ? listChanged('publications')(words, context, groups)
    : annotate({ field: 'publications', to: listOf(after) });
};

/** Shows the value before the change as if it were the one after. */
const penetranceSet: Read = (from) => annotate({ field: 'penetrance', from: singleOf(from) });

function twiceTheSame(words: string): string | null {
  const half = words.slice(0, Math.max(0, (words.length - ' to '.length) / 2));
  return words === `${half} to ${half}` ? half : null;
}

/** The edit form: one row that lists what was changed, field by field, in a fixed order. */

/** The last line of an edit that changed the rating. */
const ratingChanged = line(
  /^Rating Changed from (?<from>Green List \(high evidence\)|Amber List \(moderate evidence\)|Red List \(low evidence\)|No List \(delete\)) to (?<to>Green List \(high evidence\)|Amber List \(moderate evidence\)|Red List \(low evidence\)|No List \(delete\))$/,
  (_words, _context, { from = '', to = '' }) => ({
    'entity.classified': { from: ratingOf(from), to: ratingOf(to) },
  }),
);

const phenotypes = either(
  open(/^Phenotypes for ⟨label⟩ were changed from (?<sides>.*)$/s, listChanged('phenotypes')),
  open(/^Added phenotypes (?<list>.*) for ⟨label⟩$/s, (list) =>
    annotate({ field: 'phenotypes', added: listOf(list) }),
  ),
);

const geneEdit = composite({
  name: 'geneEdit',
  level: 'entity',
  types: ['gene'],
  parts: [
    several(sourceRemoved(/^Source (?<source>.+) was removed from ⟨name⟩\.$/s)),
    several(sourceAdded(/^Source (?<source>.+) was added to ⟨name⟩\.$/s)),
    open(/^Mode of inheritance for gene ⟨name⟩ was changed from (?<sides>.*)$/s, inheritanceChanged),
    open(
      /^Mode of pathogenicity for gene ⟨name⟩ was changed from (?<sides>.*)$/s,
      chosen('modeOfPathogenicity', modesOfPathogenicity),
    ),
    phenotypes,
    open(/^Penetrance for gene ⟨name⟩ was set from to (?<from>.*)$/s, penetranceSet),
    either(
      open(/^Publications for gene ⟨name⟩ were changed from (?<sides>.*)$/s, publicationsChanged),
      open(
        [
          /^Publications for gene ⟨name⟩ were updated from (?<sides>.*)$/s,
          /^Publications for ⟨label⟩ were updated from (?<sides>.*)$/s,
        ],
        listChanged('publications'),
      ),
    ),
    either(
      open(/^Transcript for gene ⟨name⟩ was changed from (?<sides>.*)$/s, listChanged('transcript')),
      open(/^Transcript for gene ⟨name⟩ was updated from (?<sides>.*)$/s, listChanged('transcript')),
    ),
    several(tagRemoved(/^Tag (?<tag>.+) was removed from ⟨name⟩\.$/s)),
    several(tagAdded(/^Tag (?<tag>.+) tag was added to ⟨name⟩\.$/s)),
    ratingChanged,
  ],
});

/** What an STR and a region have in common. */

const renamed = line(/^(?<from>.+) was changed to ⟨name⟩$/s, (from, { entity }) => ({
  'entity.renamed': { from, to: entity?.name ?? '' },
}));

const positions = [
  line(/^GRCh37 position for ⟨name⟩ was changed from (?<sides>.*)\.$/s, positionChanged('GRCh37')),
  line(/^GRCh37 position for ⟨label⟩ was removed\.$/, () =>
    annotate({ field: 'coordinates', aspect: 'GRCh37', to: null }),
  ),
  line(/^GRCh38 position for ⟨name⟩ was changed from (?<sides>.*)\.$/s, positionChanged('GRCh38')),
];

const sources = [
  several(sourceRemoved(/^Source (?<source>.+) was removed from ⟨label⟩\.$/s)),
  several(sourceAdded(/^Source (?<source>.+) was added to ⟨label⟩\.$/s)),
];

const publications = open(
  [
    /^Publications for ⟨label⟩ were changed from (?<sides>.*)$/s,
    /^Publications for ⟨label⟩ were updated from (?<sides>.*)$/s,
  ],
  listChanged('publications'),
);

const tags = [
  several(tagRemoved(/^Tag (?<tag>.+) was removed from ⟨label⟩\.$/s)),
  several(tagAdded(/^Tag (?<tag>.+) was added to ⟨label⟩\.$/s)),
];

const linkedGene = (geneSet: RegExp): Slot =>
  either(
    line(/^Gene: (?<gene>\S+) was removed\.$/, (gene) => annotate({ field: 'gene', from: gene, to: null })),
    line(/^Gene: (?<from>\S+) was changed to (?<to>\S+)\.$/, (_words, _context, { from = '', to = '' }) =>
      annotate({ field: 'gene', from, to }),
    ),
    line(geneSet, (to) => annotate({ field: 'gene', to })),
  );

const strParts: readonly (Part | Slot)[] = [
  several(
    line(
      /^Chromosome for ⟨name⟩ was changed from (?<sides>\S* to \S*)\. Panel: ⟨panel⟩$/,
      changed('chromosome'),
    ),
    ...positions,
    line(/^Repeated Sequence for ⟨name⟩ was changed from (?<sides>.*)\.$/s, changed('repeats', 'sequence')),
    line(
      /^Normal Number of Repeats for ⟨name⟩ was changed from (?<sides>.*)\.$/s,
      changed('repeats', 'normal'),
    ),
    line(
      /^Pathogenic Number of Repeats for ⟨name⟩ was changed from (?<sides>.*)\.$/s,
      changed('repeats', 'pathogenic'),
    ),
  ),
  ...sources,
  open(
    /^Mode of inheritance for ⟨label⟩ was changed from (?<sides>.*)$/s,
    chosen('modeOfInheritance', modesOfInheritance),
  ),
  phenotypes,
  open(/^Penetrance for ⟨name⟩ were changed from (?<sides>.*)$/s, changed('penetrance')),
  publications,
  ...tags,
  linkedGene(/^Gene was set to (?<to>\S+)\.$/),
  ratingChanged,
];

const regionParts: readonly (Part | Slot)[] = [
  several(
    line(/^Chromosome for ⟨name⟩ was changed from (?<sides>.*)\.$/s, changed('chromosome')),
    ...positions,
    line(/^Variant type for ⟨name⟩ was changed from (?<sides>.*)\.$/s, changed('variantType')),
    line(
      /^Haploinsufficiency Score for ⟨name⟩ was changed from (?<sides>.*)\.$/s,
      changed('dosage', 'haploinsufficiency'),
    ),
    line(
      /^Triplosensitivity Score for ⟨name⟩ was changed from (?<sides>.*)\.$/s,
      changed('dosage', 'triplosensitivity'),
    ),
    line(
      /^Required Overlap Percentage for ⟨name⟩ was changed from (?<sides>.*)\.$/s,
      changed('requiredOverlapPercentage'),
    ),
  ),
  ...sources,
  open(
    /^Model of inheritance for ⟨label⟩ was changed from (?<sides>.*)$/s,
    chosen('modeOfInheritance', modesOfInheritance),
  ),
  phenotypes,
  open(/^Penetrance for ⟨label⟩ was change from (?<sides>.*)$/s, changed('penetrance')),
  publications,
  ...tags,
  linkedGene(/^Gene was set to (?<to>\S+)\. Panel: ⟨panel⟩$/),
  ratingChanged,
];

/** A verbose name has the wording of a rename, but ends in a name that is not the region's own. */
const verboseName = (first: boolean): Part =>
  line(/^(?<sides>.* was changed to .*)$/s, (words, { entity }) =>
    first && entity && words.endsWith(` was changed to ${entity.name}`)
      ? null
      : annotate({ field: 'verboseName', ...sidesOf(words, { separator: ' was changed to ' }) }),
  );

const str = { name: 'strEdit', level: 'entity', types: ['str'] } as const;
const region = { name: 'regionEdit', level: 'entity', types: ['region'] } as const;

export const editFormForms: readonly Form[] = [
  geneEdit,
  composite({ ...str, parts: strParts }),
  composite({ ...str, parts: [required(renamed), ...strParts] }),
  composite({ ...region, parts: regionParts }),
  composite({ ...region, parts: [required(renamed), verboseName(false), ...regionParts] }),
  composite({ ...region, parts: [required(verboseName(true)), ...regionParts] }),
];

/** Rows of 2018: lines that show the new value alone, and often the panel's name after it. */

const genes = { level: 'entity', types: ['gene'] } as const;

/** A line that may be of a source or of a tag; an expert review states the rating, as no line of its own did. */
function itemAdded(item: string): Draft {
  if (isTag(item)) return { 'entity.tags-changed': { added: [item], removed: [] } };
  const rating = ratingOfSources([item]);
  return {
    ...annotate({ field: 'sources', added: [item] }),
    ...(rating && { 'entity.classified': { to: rating } }),
  };
}

/** At least one of them: the line of the rating never stands alone. */
const editLines: Slot = {
  ...several(
    sourceRemoved(/^Source (?<source>.+) was removed from ⟨name⟩\. Panel: ⟨panel⟩$/s),
    line(/^(?<item>.+) was added to ⟨name⟩\. Panel: ⟨panel⟩$/s, itemAdded),
    tagRemoved(/^(?<tag>.+) was removed from ⟨name⟩\. Panel: ⟨panel⟩$/s),
    open(
      [
        /^Mode of inheritance for gene ⟨name⟩ was set to (?<moi>.*)$/s,
        /^Model of inheritance for gene ⟨name⟩ was set to (?<moi>.*)$/s,
      ],
      (moi) => annotate({ field: 'modeOfInheritance', to: singleOf(moi) }),
    ),
    open(
      [
        /^Mode of pathogenicity for gene ⟨name⟩ was set to (?<mop>.*)$/s,
        /^Model of pathogenicity for gene ⟨name⟩ was set to (?<mop>.*)$/s,
      ],
      (mop) => annotate({ field: 'modeOfPathogenicity', to: singleOf(mop) }),
    ),
    open(/^Phenotypes for gene ⟨name⟩ were set to (?<phenotypes>.*)$/s, (phenotypes) =>
      annotate({ field: 'phenotypes', to: listOf(phenotypes) }),
    ),
    open(/^Penetrance for gene ⟨name⟩ was set to (?<penetrance>.*)$/s, (penetrance) =>
      annotate({ field: 'penetrance', to: singleOf(penetrance) }),
    ),
    // As the software's own language prints a list.
    open(/^Publications for gene ⟨name⟩ was set to (?<publications>.*)$/s, () =>
      annotate({ field: 'publications' }),
    ),
  ),
  required: true,
};

const edit = composite({
  ...genes,
  name: 'earlyGeneEdit',
  parts: [editLines, ratingChanged],
});

const added = composite({
  ...genes,
  name: 'added',
  parts: [
    required(line(/^⟨name⟩ was added by (?<actor>.*)$/s, () => ({ 'entity.added': {} }))),
    several(tagAdded(/^(?<tag>.+) was added to ⟨name⟩\.$/s)),
    required(
      line(/^⟨name⟩ was added to ⟨panel⟩\. Sources: (?<sources>.*)$/s, (sources) => ({
        'entity.added': { sources: sourcesOf(sources) },
      })),
    ),
    either(
      // Written for every symbol that starts with MT-, even where another value was stored.
      line(/^Model of inheritance for gene ⟨name⟩ was set to MITOCHONDRIAL$/, () => ({ 'entity.added': {} })),
    ),
  ],
});

const singleEdits = alone(
  { level: 'entity' },
  {
    phenotypesSet: open(/^Phenotypes for ⟨label⟩ were set to (?<phenotypes>.*)$/s, (phenotypes) =>
      annotate({ field: 'phenotypes', to: listOf(phenotypes) }),
    ),
    pathogenicitySet: open(/^Mode of pathogenicity for ⟨label⟩ was changed to (?<mop>.*)$/s, (mop) =>
      annotate({ field: 'modeOfPathogenicity', to: singleOf(mop) }),
    ),
  },
);

export const formsOf2018: readonly Form[] = [added, ...singleEdits, edit];
