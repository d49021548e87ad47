import type { Changes, Review } from '../../events/changes.ts';
import type { Draft } from '../draft.ts';
import { alone, composite, type Form, line, open, required, rest } from '../form.ts';
import { isOnePublication, listOf, ratingOf, sidesOf, singleOf } from '../values.ts';

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

export const reviewingForms: readonly Form[] = [newReview, editedReview, ...others];
