import { modesOfInheritance, modesOfPathogenicity } from '../fixed-lists.ts';
import {
  composite,
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
import { listOf, ratingOf, sidesOf, singleOf } from '../values.ts';
import {
  annotate,
  changed,
  chosen,
  listChanged,
  positionChanged,
  sides,
  sourceAdded,
  sourceRemoved,
  tagAdded,
  tagRemoved,
} from './annotate.ts';

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
export const ratingChanged = line(
  /^Rating Changed from (?<from>Green List \(high evidence\)|Amber List \(moderate evidence\)|Red List \(low evidence\)|No List \(delete\)) to (?<to>Green List \(high evidence\)|Amber List \(moderate evidence\)|Red List \(low evidence\)|No List \(delete\))$/,
  (_words, _context, { from = '', to = '' }) => ({
    'entity.classified': { from: ratingOf(from), to: ratingOf(to) },
  }),
);

const phenotypes = either(
  open(/^Phenotypes for ⟨label⟩ were changed from (?<sides>.*)$/s, listChanged('phenotypes'), sides),
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
    open(/^Mode of inheritance for gene ⟨name⟩ was changed from (?<sides>.*)$/s, inheritanceChanged, sides),
    open(
      /^Mode of pathogenicity for gene ⟨name⟩ was changed from (?<sides>.*)$/s,
      chosen('modeOfPathogenicity', modesOfPathogenicity),
      sides,
    ),
    phenotypes,
    open(/^Penetrance for gene ⟨name⟩ was set from to (?<from>.*)$/s, penetranceSet),
    either(
      open(/^Publications for gene ⟨name⟩ were changed from (?<sides>.*)$/s, publicationsChanged, sides),
      open(
        [
          /^Publications for gene ⟨name⟩ were updated from (?<sides>.*)$/s,
          /^Publications for ⟨label⟩ were updated from (?<sides>.*)$/s,
        ],
        listChanged('publications'),
        sides,
      ),
    ),
    either(
      open(/^Transcript for gene ⟨name⟩ was changed from (?<sides>.*)$/s, listChanged('transcript'), sides),
      open(/^Transcript for gene ⟨name⟩ was updated from (?<sides>.*)$/s, listChanged('transcript'), sides),
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
  line(/^GRCh37 position for ⟨name⟩ was changed from (?<sides>.*)\.$/s, positionChanged('GRCh37'), sides),
  line(/^GRCh37 position for ⟨label⟩ was removed\.$/, () =>
    annotate({ field: 'coordinates', aspect: 'GRCh37', to: null }),
  ),
  line(/^GRCh38 position for ⟨name⟩ was changed from (?<sides>.*)\.$/s, positionChanged('GRCh38'), sides),
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
  sides,
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
    line(
      /^Repeated Sequence for ⟨name⟩ was changed from (?<sides>.*)\.$/s,
      changed('repeats', 'sequence'),
      sides,
    ),
    line(
      /^Normal Number of Repeats for ⟨name⟩ was changed from (?<sides>.*)\.$/s,
      changed('repeats', 'normal'),
      sides,
    ),
    line(
      /^Pathogenic Number of Repeats for ⟨name⟩ was changed from (?<sides>.*)\.$/s,
      changed('repeats', 'pathogenic'),
      sides,
    ),
  ),
  ...sources,
  open(
    /^Mode of inheritance for ⟨label⟩ was changed from (?<sides>.*)$/s,
    chosen('modeOfInheritance', modesOfInheritance),
    sides,
  ),
  phenotypes,
  open(/^Penetrance for ⟨name⟩ were changed from (?<sides>.*)$/s, changed('penetrance'), sides),
  publications,
  ...tags,
  linkedGene(/^Gene was set to (?<to>\S+)\.$/),
  ratingChanged,
];

const regionParts: readonly (Part | Slot)[] = [
  several(
    line(/^Chromosome for ⟨name⟩ was changed from (?<sides>.*)\.$/s, changed('chromosome'), sides),
    ...positions,
    line(/^Variant type for ⟨name⟩ was changed from (?<sides>.*)\.$/s, changed('variantType'), sides),
    line(
      /^Haploinsufficiency Score for ⟨name⟩ was changed from (?<sides>.*)\.$/s,
      changed('dosage', 'haploinsufficiency'),
      sides,
    ),
    line(
      /^Triplosensitivity Score for ⟨name⟩ was changed from (?<sides>.*)\.$/s,
      changed('dosage', 'triplosensitivity'),
      sides,
    ),
    line(
      /^Required Overlap Percentage for ⟨name⟩ was changed from (?<sides>.*)\.$/s,
      changed('requiredOverlapPercentage'),
      sides,
    ),
  ),
  ...sources,
  open(
    /^Model of inheritance for ⟨label⟩ was changed from (?<sides>.*)$/s,
    chosen('modeOfInheritance', modesOfInheritance),
    sides,
  ),
  phenotypes,
  open(/^Penetrance for ⟨label⟩ was change from (?<sides>.*)$/s, changed('penetrance'), sides),
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
