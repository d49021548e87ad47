import { addedRow } from './adding.ts';
import { geneForm, regionForm, replacedGene, strForm } from './edit-form.ts';
import { singleEdits, tagsRow } from './editing.ts';
import { legacyChangedRows, legacyRows, legacySetRows } from './legacy.ts';
import { createdPanelRow, editedPanelRow, panelRows } from './panel.ts';
import { commentRow, ratingRows } from './rating.ts';
import { editedReviewRow, reviewedRow, reviewRows } from './reviewing.ts';
import type { RowShape } from './row-shape.ts';

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
