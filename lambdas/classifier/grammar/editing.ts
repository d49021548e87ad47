import { isExpertSource, modesOfInheritance, modesOfPathogenicity } from '../fixed-lists.ts';
import { alone, composite, type Form, line, open, type Read, required, several } from '../form.ts';
import { certainListOf, listOf, ratingOf } from '../values.ts';
import { annotate, chosen, listChanged, sides, sourceRemoved, tagAdded, tagRemoved } from './annotate.ts';

/** Edits of a single field, each by a form of its own. */

const fieldEdits = [
  ...alone(
    { level: 'entity', types: ['gene', 'region'] },
    {
      // An STR's is worded as in its edit form.
      inheritanceEdit: open(
        /^Mode of inheritance for ⟨label⟩ was changed from (?<sides>.*)$/s,
        chosen('modeOfInheritance', modesOfInheritance),
        sides,
      ),
    },
  ),
  ...alone(
    { level: 'entity' },
    {
      pathogenicityEdit: open(
        /^Mode of pathogenicity for ⟨label⟩ was changed from (?<sides>.*)$/s,
        chosen('modeOfPathogenicity', modesOfPathogenicity),
        sides,
      ),
      // Always the list before the edit, never the new one.
      publicationsEdit: open(/^Publications for ⟨label⟩ were set to (?<publications>.*)$/s, (publications) =>
        annotate({ field: 'publications', from: listOf(publications) }),
      ),
      sourceCleared: sourceRemoved(/^Source: (?<source>.+) was removed from ⟨label⟩$/s),
      sourcesCleared: line(/^All sources for ⟨label⟩ were removed$/, () =>
        annotate({ field: 'sources', aspect: 'all' }),
      ),
      expertReviewCleared: line(/^Removed sources: (?<sources>.*)$/s, (sources) =>
        annotate({ field: 'sources', removed: certainListOf(sources, ', ', isExpertSource) ?? [] }),
      ),
    },
  ),
];

const tagRemovedLabel = tagRemoved(/^Tag (?<tag>.+) was removed from ⟨label⟩\.$/s);
const tagAddedTwice = tagAdded(/^Tag (?<tag>.+) tag was added to ⟨label⟩\.$/s);

const tagEdits = [
  composite({
    name: 'tagsEdit',
    level: 'entity',
    types: ['gene'],
    parts: [several(tagRemovedLabel), several(tagAddedTwice)],
  }),
  // Without an added tag, it is worded as in their edit forms.
  composite({
    name: 'tagsEdit',
    level: 'entity',
    types: ['str', 'region'],
    parts: [several(tagRemovedLabel), { ...required(tagAddedTwice), many: true }],
  }),
];

/** Rows from before the software was rewritten, all of them about genes. */
const legacyEdits = alone(
  { level: 'entity', types: ['gene'] },
  {
    phenotypesEdit: open(
      /^Phenotypes for gene ⟨name⟩ were changed from (?<sides>.*)$/s,
      listChanged('phenotypes'),
      sides,
    ),
    // The text does not say whether the list is the old or the new one.
    publicationsSet: open(/^Publications for gene ⟨name⟩ were set to (?<publications>.*)$/s, () =>
      annotate({ field: 'publications' }),
    ),
    inheritanceTouched: line(/^Set mode of inheritance for ⟨entity⟩$/, () =>
      annotate({ field: 'modeOfInheritance' }),
    ),
  },
);

/** Another symbol in the edit form: rows that carry the new one. */
const replacement = alone(
  { level: 'entity', types: ['gene'] },
  {
    symbolReplaced: line(/^(?<from>\S+) was changed to ⟨name⟩$/, (from, { entity }) => ({
      'entity.renamed': { from, to: entity?.name ?? '' },
    })),
    // It names the old symbol.
    inheritanceOfNewSymbol: line(
      /^Mode of inheritance for gene (?<from>\S+) was set to MITOCHONDRIAL$/,
      (from, { entity }) =>
        from === entity?.name ? null : annotate({ field: 'modeOfInheritance', to: 'MITOCHONDRIAL' }),
    ),
  },
);

export const editingForms: readonly Form[] = [...fieldEdits, ...tagEdits, ...legacyEdits, ...replacement];

const classified: Read = (list) => ({ 'entity.classified': { to: ratingOf(list) } });

/**
 * Ratings set by hand. One action writes a banner (`Gene: brca1 has been classified as …`) and a paired row
 * (`Classified gene: BRCA1 as …`); marking as ready writes the banner again.
 */
export const ratingForms = alone(
  { level: 'entity' },
  {
    banner: line(
      /^⟨Label⟩ has been classified as (?<list>Green List \(High Evidence\)|Amber List \(Moderate Evidence\)|Red List \(Low Evidence\))\.$/,
      classified,
    ),
    // Says "removed", but only moves the entity to "No list".
    bannerNoList: line(/^⟨Label⟩ has been removed from the panel\.$/, () => ({
      'entity.classified': { to: 'none' },
    })),
    click: line(
      [
        /^Classified ⟨entity⟩ as (?<list>Green List \(high evidence\)|Amber List \(moderate evidence\)|Red List \(low evidence\)|No list)$/,
        /^classified ⟨entity⟩ as (?<list>green|amber|red)$/,
      ],
      classified,
    ),
    ready: line(/^Marked ⟨entity⟩ as ready$/, () => ({ 'entity.marked-ready': {} })),
  },
);
