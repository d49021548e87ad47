import type { Changes, Review } from '../../events/changes.ts';
import {
  alone,
  composite,
  type Draft,
  either,
  type Form,
  line,
  open,
  type Read,
  required,
  rest,
  several,
} from '../form.ts';
import {
  certainListOf,
  isExpertSource,
  isOnePublication,
  isTag,
  listOf,
  modesOfInheritance,
  modesOfPathogenicity,
  ratingOf,
  sidesOf,
  singleOf,
  sourcesOf,
} from '../values.ts';
import {
  annotate,
  chosen,
  editFormForms,
  formsOf2018,
  listChanged,
  sourceRemoved,
  tagAdded,
  tagRemoved,
} from './edit-form.ts';
import { panelForms } from './panels.ts';

const added = (fields: Partial<Changes['entity.added']>): Draft => ({ 'entity.added': fields });

const commented: Read = (comment) => ({
  'entity.commented': { action: 'added', comment },
});

/** An entity added to a panel: one row of up to twelve parts. The rating it got is not among them. */
const adding = composite({
  name: 'added',
  level: 'entity',
  parts: [
    required(line(/^⟨label⟩ was added$/, () => added({}))),
    required(
      line(
        [
          /^⟨label⟩ was added to ⟨panel⟩\. Sources: (?<sources>.*)$/s,
          // A panel that has another name in its row.
          /^⟨label⟩ was added to .*\. Sources: (?<sources>.*)$/s,
        ],
        (sources) => added({ sources: sourcesOf(sources) }),
      ),
    ),
    // For some months of 2018 it was written without a tag, too.
    line(/^(?<tags>.*) tags were added to ⟨label⟩\.$/s, (words) => {
      if (words === '') return {};
      const tags = certainListOf(words, ', ', isTag);
      // Where the tags cannot be separated, nothing states which ones were added.
      if (!tags) return added({ tags });
      return { ...added({ tags }), 'entity.tags-changed': { added: [...tags], removed: [] } };
    }),
    either(
      open(/^Mode of inheritance for ⟨label⟩ was set to (?<moi>.*)$/s, (moi) =>
        added({ modeOfInheritance: singleOf(moi) }),
      ),
      // Written for every symbol that starts with MT-, even where another value was stored.
      line(/^Mode of inheritance for gene ⟨label⟩ was set to MITOCHONDRIAL$/, () => added({})),
    ),
    open(/^Publications for ⟨label⟩ were set to (?<publications>.*)$/s, (publications) =>
      added({ publications: listOf(publications) }),
    ),
    open(/^Phenotypes for ⟨label⟩ were set to (?<phenotypes>.*)$/s, (phenotypes) =>
      added({ phenotypes: listOf(phenotypes) }),
    ),
    open(/^Penetrance for ⟨label⟩ were set to (?<penetrance>.*)$/s, (penetrance) =>
      added({ penetrance: singleOf(penetrance) }),
    ),
    // An STR or region has no mode of pathogenicity: what the software writes there was never stored.
    open(/^Mode of pathogenicity for ⟨label⟩ was set to (?<mop>.*)$/s, (mop, { entity }) =>
      entity?.type === 'gene' ? added({ modeOfPathogenicity: singleOf(mop) }) : {},
    ),
    line(/^Review for ⟨label⟩ was set to (?<rating>GREEN|AMBER|RED)$/, (rating) => ({
      'entity.reviewed': { edited: false, rating: ratingOf(rating) },
    })),
    line(/^⟨label⟩ was marked as clinically relevant$/, () => ({
      'entity.reviewed': { edited: false, clinicallyRelevant: true },
    })),
    line(/^⟨label⟩ was marked as current diagnostic$/, () => ({
      'entity.reviewed': { edited: false, currentDiagnostic: true },
    })),
    // The line of sources belongs to the comment, and is all of it where only a rating was given.
    either(
      rest(/^Added comment: (?<comment>.*)$/s, commented, { closing: 'Sources: ' }),
      line(/^Added comment: (?<comment>Sources: .*)$/s, commented),
    ),
  ],
});

const legacyAdding = alone(
  { level: 'entity' },
  {
    added: line([/^added ⟨entity⟩ to panel$/, /^Added gene to panel$/, /^Added STR to panel$/], () =>
      added({}),
    ),
  },
);

/** Written right after the row of an addition, with the version of the panel that the entity was copied from. */
const copied = alone(
  { level: 'entity' },
  {
    copied: line(/^Entity copied from (?<panel>.+) v(?<version>\d+\.\d+)$/s, (panel) =>
      added({ copiedFrom: panel }),
    ),
  },
);

const addingForms: readonly Form[] = [adding, ...legacyAdding, ...copied];

/** Edits of a single field, each by a form of its own. */

const fieldEdits = [
  ...alone(
    { level: 'entity', types: ['gene', 'region'] },
    {
      // An STR's is worded as in its edit form.
      inheritanceEdit: open(
        /^Mode of inheritance for ⟨label⟩ was changed from (?<sides>.*)$/s,
        chosen('modeOfInheritance', modesOfInheritance),
      ),
    },
  ),
  ...alone(
    { level: 'entity' },
    {
      pathogenicityEdit: open(
        /^Mode of pathogenicity for ⟨label⟩ was changed from (?<sides>.*)$/s,
        chosen('modeOfPathogenicity', modesOfPathogenicity),
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

const editingForms: readonly Form[] = [...fieldEdits, ...tagEdits, ...legacyEdits, ...replacement];

const classified: Read = (list) => ({ 'entity.classified': { to: ratingOf(list) } });

/**
 * Ratings set by hand. One action writes a banner (`Gene: brca1 has been classified as …`) and a paired row
 * (`Classified gene: BRCA1 as …`); marking as ready writes the banner again.
 */
const ratingForms = alone(
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

/** Reviews and comments. Their fields are joined by `; ` in one line, and any of them may be free text. */

const review = (fields: Partial<Review>): Draft => ({ 'entity.reviewed': fields });
const comment = (fields: Partial<Changes['entity.commented']>): Draft => ({ 'entity.commented': fields });

/** A review's lists are joined by `, `, which most phenotypes hold themselves. An uncertain split is left out. */
function phenotypesIn(list: string): Partial<Review> {
  return list.includes(', ') ? {} : { phenotypes: listOf(list, ', ') };
}

function publicationsIn(list: string): Partial<Review> {
  const publications = listOf(list, ', ');
  return publications.length < 2 || publications.every(isOnePublication) ? { publications } : {};
}

const newReview = composite({
  name: 'review',
  level: 'entity',
  within: rest(/^reviewed ⟨label⟩: (?<fields>.*)$/s, () => review({ edited: false })),
  separator: '; ',
  parts: [
    required(
      line(/^Rating: (?<rating>GREEN|AMBER|RED|None|)$/, (rating) => review({ rating: ratingOf(rating) })),
    ),
    required(
      open(/^Mode of pathogenicity: (?<mop>.*)$/s, (mop) => review({ modeOfPathogenicity: singleOf(mop) })),
    ),
    required(open(/^Publications: (?<list>.*)$/s, (list) => review(publicationsIn(list)))),
    required(open(/^Phenotypes: (?<list>.*)$/s, (list) => review(phenotypesIn(list)))),
    required(
      open(/^Mode of inheritance: (?<moi>.*)$/s, (moi) => review({ modeOfInheritance: singleOf(moi) })),
    ),
    line(/^Current diagnostic: yes$/, () => review({ currentDiagnostic: true })),
    line(/^Clinically relevant: yes$/, () => review({ clinicallyRelevant: true })),
  ],
});

const editedReview = composite({
  name: 'reviewEdit',
  level: 'entity',
  within: rest(/^edited their review of ⟨label⟩: (?<fields>.*)$/s, () => review({ edited: true })),
  separator: '; ',
  parts: [
    open(/^Added comment: (?<comment>.*)$/s, (words) => review({ comment: words })),
    line(/^Changed rating: (?<rating>GREEN|AMBER|RED)$/, (rating) => review({ rating: ratingOf(rating) })),
    open(/^Changed mode of pathogenicity: (?<mop>.*)$/s, (mop) =>
      review({ modeOfPathogenicity: singleOf(mop) }),
    ),
    open([/^Changed publications: (?<list>.*)$/s, /^Changed publications to: (?<list>.*)$/s], (list) =>
      review(publicationsIn(list)),
    ),
    open([/^Changed phenotypes: (?<list>.*)$/s, /^Changed phenotypes to: (?<list>.*)$/s], (list) =>
      review(phenotypesIn(list)),
    ),
    open(/^Changed mode of inheritance: (?<moi>.*)$/s, (moi) => review({ modeOfInheritance: singleOf(moi) })),
    line(/^Set current diagnostic: yes$/, () => review({ currentDiagnostic: true })),
    line(/^Set clinically relevant: (?<set>yes|no)$/, (set) => review({ clinicallyRelevant: set === 'yes' })),
  ],
});

const others = alone(
  { level: 'entity' },
  {
    reviewWithoutFields: line(/^reviewed ⟨entity⟩$/, () => review({ edited: false })),
    // Nothing is named where fields were only emptied.
    reviewEditWithoutFields: line(
      [/^edited their review of ⟨entity⟩$/, /^edited their review of ⟨label⟩: $/],
      () => review({ edited: true }),
    ),
    reviewDeleted: line(/^Deleted their review$/, () => ({ 'entity.review-deleted': {} })),
    commented: line(/^commented on ⟨entity⟩$/, () => comment({ action: 'added', comment: null })),
    commentedAgain: rest(/^commented on ⟨label⟩: (?<comment>.*)$/s, (words) =>
      comment({ action: 'added', comment: words }),
    ),
    commentAdded: rest(/^Added comment: (?<comment>.*)$/s, (words) =>
      comment({ action: 'added', comment: words }),
    ),
    commentEdited: rest(/^changed review comment from: (?<sides>.*)$/s, (sides) => {
      const known = sidesOf(sides, { separator: '; to: ' });
      if (!known && !sides.includes('; to: ')) return null;
      return comment({
        action: 'edited',
        comment: known?.to ?? null,
        ...(known && { previousComment: known.from }),
      });
    }),
    commentDeleted: line(/^Deleted their comment$/, () => comment({ action: 'deleted', comment: null })),
  },
);

const reviewingForms: readonly Form[] = [newReview, editedReview, ...others];

/**
 * The grammar: every way in which the catalogue writes an activity. A new wording is one line in one of
 * these files and one row in `test/classifier/corpus`.
 */
export const forms: readonly Form[] = [
  ...ratingForms,
  ...reviewingForms,
  ...addingForms,
  ...editingForms,
  ...editFormForms,
  ...formsOf2018,
  ...panelForms,
];
