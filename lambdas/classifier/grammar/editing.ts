import { alone, type Form, line, open, type Part } from '../form.ts';
import { listOf, ratingOf, sidesOf, singleOf } from '../values.ts';
import { annotate, changed, listChanged, twiceTheSame, wordChanged } from './annotate.ts';

/** Single-field edits and the edit form, whose composite lists the fields in a fixed order. */

const sourceRemoved = (pattern: RegExp): Part =>
  line(pattern, ({ source = '' }) => annotate({ field: 'sources', removed: [source] }));
const sourceAdded = (pattern: RegExp): Part =>
  line(pattern, ({ source = '' }) => annotate({ field: 'sources', added: [source] }));
const tagRemoved = (pattern: RegExp): Part =>
  line(pattern, ({ tag = '' }) => ({ 'entity.tags-changed': { removed: [tag] } }));
const tagAdded = (pattern: RegExp): Part =>
  line(pattern, ({ tag = '' }) => ({ 'entity.tags-changed': { added: [tag] } }));

const to = { sides: true } as const;

const ratingChanged = line(
  /^Rating Changed from (?<from>Green List \(high evidence\)|Amber List \(moderate evidence\)|Red List \(low evidence\)|No List \(delete\)) to (?<to>Green List \(high evidence\)|Amber List \(moderate evidence\)|Red List \(low evidence\)|No List \(delete\))$/,
  (sides) => ({ 'entity.classified': { from: ratingOf(sides.from ?? ''), to: ratingOf(sides.to ?? '') } }),
);

const renamed = line(/^(?<from>.+) was changed to ⟨name⟩$/, ({ from = '' }, { entity }) => ({
  'entity.renamed': { from, to: entity?.name ?? '' },
}));

const inheritanceChanged = open(
  /^Mode of inheritance for ⟨label⟩ was changed from (?<sides>.*)$/s,
  changed('modeOfInheritance'),
  to,
);

const phenotypesChanged = [
  open(/^Phenotypes for ⟨label⟩ were changed from (?<sides>.*)$/s, listChanged('phenotypes'), to),
  open(
    /^Added phenotypes (?<phenotypes>.*)$/s,
    ({ phenotypes = '' }) => annotate({ field: 'phenotypes', added: listOf(phenotypes) }),
    { ends: ' for ⟨label⟩' },
  ),
];

const publicationsUpdated = (pattern: RegExp): Part => open(pattern, listChanged('publications'), to);

const tagRemovedLabel = tagRemoved(/^Tag (?<tag>.+) was removed from ⟨label⟩\.$/);
const sourceRemovedLabel = sourceRemoved(/^Source (?<source>.+) was removed from ⟨label⟩\.$/);
const sourceAddedLabel = sourceAdded(/^Source (?<source>.+) was added to ⟨label⟩\.$/);

const geneEdit: Form = {
  name: 'geneEdit',
  level: 'entity',
  type: 'gene',
  parts: [
    renamed,
    sourceRemoved(/^Source (?<source>.+) was removed from ⟨name⟩\.$/),
    sourceAdded(/^Source (?<source>.+) was added to ⟨name⟩\.$/),
    [
      inheritanceChanged,
      // A mitochondrial gene gets MITOCHONDRIAL before the line is written, which then shows it on both sides.
      open(
        /^Mode of inheritance for gene ⟨name⟩ was changed from (?<sides>.*)$/s,
        (groups, context) =>
          context.entity?.name.startsWith('MT-') && groups.sides === 'MITOCHONDRIAL to MITOCHONDRIAL'
            ? annotate({ field: 'modeOfInheritance', to: 'MITOCHONDRIAL' })
            : changed('modeOfInheritance')(groups, context),
        to,
      ),
    ],
    open(
      /^Mode of pathogenicity for gene ⟨name⟩ was changed from (?<sides>.*)$/s,
      changed('modeOfPathogenicity'),
      to,
    ),
    phenotypesChanged,
    // Shows the value before the change as if it were the one after.
    open(/^Penetrance for gene ⟨name⟩ was set from to (?<from>.*)$/s, ({ from = '' }) =>
      annotate({ field: 'penetrance', from: singleOf(from) }),
    ),
    [
      open(
        /^Publications for gene ⟨name⟩ were changed from (?<sides>.*)$/s,
        (groups, context) => {
          const after = twiceTheSame(groups.sides ?? '');
          return after === null
            ? listChanged('publications')(groups, context)
            : annotate({ field: 'publications', to: listOf(after) });
        },
        to,
      ),
      publicationsUpdated(/^Publications for gene ⟨name⟩ were updated from (?<sides>.*)$/s),
    ],
    open(
      /^Transcript for gene ⟨name⟩ was (?:changed|updated) from (?<sides>.*)$/s,
      listChanged('transcript'),
      to,
    ),
    tagRemoved(/^Tag (?<tag>.+) was removed from ⟨name⟩\.$/),
    tagAdded(/^Tag (?<tag>.+) tag was added to ⟨name⟩\.$/),
    ratingChanged,
  ],
};

const tagAddedTwice = tagAdded(/^Tag (?<tag>.+) tag was added to ⟨label⟩\.$/);
const tagAddedOnce = tagAdded(/^Tag (?<tag>.+)(?<! tag) was added to ⟨label⟩\.$/);

const assemblies = { GRCh37: 'GRCh37', GRCh38: 'GRCh38' };

const positions = [
  line(
    /^(?<what>GRCh37|GRCh38) position for ⟨name⟩ was changed from (?<from>\S+) to (?<to>\S+)\.$/,
    wordChanged('coordinates', assemblies),
  ),
  line(/^(?<what>GRCh37|GRCh38) position for ⟨label⟩ was removed\.$/, ({ what = '' }) =>
    annotate({ field: 'coordinates', aspect: what, to: null }),
  ),
];

const linkedGene = [
  line(/^Gene: (?<gene>\S+) was removed\.$/, ({ gene = '' }) =>
    annotate({ field: 'gene', from: gene, to: null }),
  ),
  line(/^Gene: (?<from>\S+) was changed to (?<to>\S+)\.$/, wordChanged('gene')),
];

const strEdit: Form = {
  name: 'strEdit',
  level: 'entity',
  type: 'str',
  parts: [
    renamed,
    [
      line(
        /^Chromosome for ⟨name⟩ was changed from (?<from>\S*) to (?<to>\S*)\. Panel: .*$/,
        wordChanged('chromosome'),
      ),
      ...positions,
      line(
        /^(?<what>Repeated Sequence|Normal Number of Repeats|Pathogenic Number of Repeats) for ⟨name⟩ was changed from (?<from>\S*) to (?<to>\S*)\.$/,
        wordChanged('repeats', {
          'Repeated Sequence': 'sequence',
          'Normal Number of Repeats': 'normal',
          'Pathogenic Number of Repeats': 'pathogenic',
        }),
      ),
    ],
    sourceRemovedLabel,
    sourceAddedLabel,
    inheritanceChanged,
    phenotypesChanged,
    open(/^Penetrance for ⟨name⟩ were changed from (?<sides>.*)$/s, changed('penetrance'), to),
    publicationsUpdated(/^Publications for ⟨label⟩ were changed from (?<sides>.*)$/s),
    tagRemovedLabel,
    [tagAddedOnce, tagAddedTwice],
    [
      ...linkedGene,
      line(/^Gene was set to (?<to>\S+)\.$/, (groups) => annotate({ field: 'gene', to: groups.to ?? '' })),
    ],
    ratingChanged,
  ],
};

const regionEdit: Form = {
  name: 'regionEdit',
  level: 'entity',
  type: 'region',
  parts: [
    renamed,
    // The verbose name has the wording of a rename, but ends in a name that is not the region's.
    line(/^(?!.*⟨(?:name|label)⟩)(?!Gene: )(?<sides>.+ was changed to .+)$/, ({ sides = '' }) =>
      annotate({ field: 'verboseName', ...sidesOf(sides, ' was changed to ') }),
    ),
    [
      line(
        /^Chromosome for ⟨name⟩ was changed from (?<from>\S*) to (?<to>\S*)\.$/,
        wordChanged('chromosome'),
      ),
      ...positions,
      line(
        /^Variant type for ⟨name⟩ was changed from (?<from>\S*) to (?<to>\S*)\.$/,
        wordChanged('variantType'),
      ),
      line(
        /^(?<what>Haploinsufficiency|Triplosensitivity) Score for ⟨name⟩ was changed from (?<from>\S*) to (?<to>\S*)\.$/,
        wordChanged('dosage', {
          Haploinsufficiency: 'haploinsufficiency',
          Triplosensitivity: 'triplosensitivity',
        }),
      ),
      line(
        /^Required Overlap Percentage for ⟨name⟩ was changed from (?<from>\S*) to (?<to>\S*)\.$/,
        wordChanged('requiredOverlapPercentage'),
      ),
    ],
    sourceRemovedLabel,
    sourceAddedLabel,
    [
      inheritanceChanged,
      open(
        /^Model of inheritance for ⟨label⟩ was changed from (?<sides>.*)$/s,
        changed('modeOfInheritance'),
        to,
      ),
    ],
    phenotypesChanged,
    open(/^Penetrance for ⟨label⟩ was change from (?<sides>.*)$/s, changed('penetrance'), to),
    publicationsUpdated(/^Publications for ⟨label⟩ were changed from (?<sides>.*)$/s),
    tagRemovedLabel,
    [tagAddedOnce, tagAddedTwice],
    [
      ...linkedGene,
      line(/^Gene was set to (?<to>\S+)\. Panel: .*$/, (groups) =>
        annotate({ field: 'gene', to: groups.to ?? '' }),
      ),
    ],
    ratingChanged,
  ],
};

const tagsEdit: Form = {
  name: 'tagsEdit',
  level: 'entity',
  type: 'gene',
  parts: [tagRemovedLabel, tagAddedTwice],
};

const fieldEdits = alone('entity', {
  pathogenicityEdit: open(
    /^Mode of pathogenicity for ⟨label⟩ was changed from (?<sides>.*)$/s,
    changed('modeOfPathogenicity'),
    to,
  ),
  phenotypesEdit: open(
    /^Phenotypes for gene ⟨name⟩ were changed from (?<sides>.*)$/s,
    listChanged('phenotypes'),
    to,
  ),
  // Always the list before the edit, never the new one.
  publicationsEdit: open(
    /^Publications for (?:⟨label⟩|gene ⟨name⟩) were set to (?<publications>.*)$/s,
    ({ publications = '' }) => annotate({ field: 'publications', from: listOf(publications) }),
  ),
  phenotypesSet: open(
    /^Phenotypes for (?:⟨label⟩|gene ⟨name⟩) were set to (?<phenotypes>.*)$/s,
    ({ phenotypes = '' }) => annotate({ field: 'phenotypes', to: listOf(phenotypes) }),
  ),
  inheritanceSet: open(
    /^Mode of inheritance for (?:gene )?(?:⟨label⟩|⟨name⟩) was set to (?<moi>.*)$/s,
    ({ moi = '' }) => annotate({ field: 'modeOfInheritance', to: singleOf(moi) }),
  ),
  // The third row of a gene replacement: it names the old symbol, the row the new one.
  inheritanceOfNewSymbol: line(/^Mode of inheritance for gene [^⟨\s]+ was set to MITOCHONDRIAL$/, () =>
    annotate({ field: 'modeOfInheritance', to: 'MITOCHONDRIAL' }),
  ),
  sourceCleared: sourceRemoved(/^Source: (?<source>.+) was removed from ⟨label⟩$/),
  sourcesCleared: line(/^All sources for ⟨label⟩ were removed$/, () =>
    annotate({ field: 'sources', aspect: 'all' }),
  ),
  expertReviewCleared: line(/^Removed sources: (?<sources>.*)$/, ({ sources = '' }) =>
    annotate({ field: 'sources', removed: sources.split(', ') }),
  ),
});

export const editingForms: readonly Form[] = [...fieldEdits, tagsEdit, geneEdit, strEdit, regionEdit];
