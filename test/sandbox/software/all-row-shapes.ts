import { addedRow } from '../../../sandbox/software/wordings/adding.ts';
import { geneForm, regionForm, replacedGene, strForm } from '../../../sandbox/software/wordings/edit-form.ts';
import { singleEdits, tagsRow } from '../../../sandbox/software/wordings/editing.ts';
import { legacyChangedRows, legacyRows, legacySetRows } from '../../../sandbox/software/wordings/legacy.ts';
import { createdPanelRow, editedPanelRow, panelRows } from '../../../sandbox/software/wordings/panel.ts';
import { commentRow, ratingRows } from '../../../sandbox/software/wordings/rating.ts';
import { editedReviewRow, reviewedRow, reviewRows } from '../../../sandbox/software/wordings/reviewing.ts';
import type { RowShape } from '../../../sandbox/software/wordings/row-shape.ts';

/** Every row that the software can write. */
export const allRowShapes: readonly RowShape[] = [
  addedRow,
  ...Object.values(ratingRows),
  ...Object.values(commentRow),
  ...Object.values(singleEdits),
  tagsRow,
  reviewedRow,
  editedReviewRow,
  ...Object.values(reviewRows),
  geneForm,
  strForm,
  regionForm,
  ...Object.values(replacedGene),
  ...Object.values(panelRows),
  createdPanelRow,
  editedPanelRow,
  ...Object.values(legacyRows),
  ...Object.values(legacySetRows),
  ...Object.values(legacyChangedRows),
];
