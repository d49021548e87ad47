import type { Changes, Review } from '../../events/changes.ts';
import { compose } from '../compose.ts';
import { type Draft, join } from '../draft.ts';
import { alone, type Context, type Form, line, open } from '../form.ts';
import { listOf, ratingOf, sidesOf, singleOf } from '../values.ts';

/** Reviews and comments. Their fields are joined by `; ` in one line, and any of them may be free text. */

const review = (fields: Partial<Review>): Draft => ({ 'entity.reviewed': fields });
const comment = (fields: Partial<Changes['entity.commented']>): Draft => ({ 'entity.commented': fields });

const newReview: Form = {
  name: 'newReview',
  level: 'entity',
  parts: [
    line(/^Rating: (?<rating>GREEN|AMBER|RED|)$/, ({ rating = '' }) => review({ rating: ratingOf(rating) })),
    open(/^Mode of pathogenicity: (?<mop>.*)$/s, ({ mop = '' }) =>
      review({ modeOfPathogenicity: singleOf(mop) }),
    ),
    open(/^Publications: (?<list>.*)$/s, ({ list = '' }) => review({ publications: listOf(list, ', ') })),
    open(/^Phenotypes: (?<list>.*)$/s, ({ list = '' }) => review({ phenotypes: listOf(list, ', ') })),
    open(/^Mode of inheritance: (?<moi>.*)$/s, ({ moi = '' }) =>
      review({ modeOfInheritance: singleOf(moi) }),
    ),
    line(/^Current diagnostic: yes$/, () => review({ currentDiagnostic: true })),
    line(/^Clinically relevant: yes$/, () => review({ clinicallyRelevant: true })),
  ],
};

const editedReview: Form = {
  name: 'editedReview',
  level: 'entity',
  parts: [
    open(/^Added comment: (?<comment>.*)$/s, (groups) => review({ comment: groups.comment ?? '' })),
    line(/^Changed rating: (?<rating>GREEN|AMBER|RED|)$/, ({ rating = '' }) =>
      review({ rating: ratingOf(rating) }),
    ),
    open(/^Changed mode of pathogenicity: (?<mop>.*)$/s, ({ mop = '' }) =>
      review({ modeOfPathogenicity: singleOf(mop) }),
    ),
    open(/^Changed publications: (?<list>.*)$/s, ({ list = '' }) =>
      review({ publications: listOf(list, ', ') }),
    ),
    open(/^Changed phenotypes: (?<list>.*)$/s, ({ list = '' }) => review({ phenotypes: listOf(list, ', ') })),
    open(/^Changed mode of inheritance: (?<moi>.*)$/s, ({ moi = '' }) =>
      review({ modeOfInheritance: singleOf(moi) }),
    ),
    line(/^Set current diagnostic: (?<set>yes|no)$/, ({ set }) =>
      review({ currentDiagnostic: set === 'yes' }),
    ),
    line(/^Set clinically relevant: (?<set>yes|no)$/, ({ set }) =>
      review({ clinicallyRelevant: set === 'yes' }),
    ),
  ],
};

/** The fields of a review by their form; without any that is known, only that there was a review. */
const fields =
  (form: Form, edited: boolean) =>
  ({ fields: text = '' }: Readonly<Record<string, string>>, context: Context): Draft | null => {
    const composition = compose(text.split('; '), { form, context, separator: '; ' });
    return composition && join(composition.draft, review({ edited }));
  };

export const reviewingForms = alone('entity', {
  review: open(/^reviewed ⟨label⟩: (?<fields>.*)$/s, fields(newReview, false)),
  reviewWithoutFields: line(/^reviewed (?:⟨label⟩|⟨name⟩)$/, () => review({ edited: false })),
  reviewEdit: open(/^edited their review of ⟨label⟩: (?<fields>.*)$/s, fields(editedReview, true)),
  reviewEditWithoutFields: line(/^edited their review of (?:⟨label⟩|⟨name⟩)(?:: )?$/, () =>
    review({ edited: true }),
  ),
  reviewDeleted: line(/^Deleted their review$/, () => ({ 'entity.review-deleted': {} })),
  commented: line(/^commented on (?:⟨label⟩|⟨name⟩)$/, () => comment({ action: 'added', comment: null })),
  commentedAgain: open(/^commented on (?:⟨label⟩|⟨name⟩): (?<comment>.*)$/s, (groups) =>
    comment({ action: 'added', comment: groups.comment ?? '' }),
  ),
  commentAdded: open(/^Added comment: (?<comment>.*)$/s, (groups) =>
    comment({ action: 'added', comment: groups.comment ?? '' }),
  ),
  commentEdited: open(/^changed review comment from: (?<sides>.*)$/s, ({ sides = '' }) => {
    const known = sidesOf(sides, '; to: ');
    return comment({
      action: 'edited',
      comment: known?.to ?? null,
      ...(known && { previousComment: known.from }),
    });
  }),
  commentDeleted: line(/^Deleted their comment$/, () => comment({ action: 'deleted', comment: null })),
});
