import type { Form } from '../form.ts';
import { addingForms } from './adding.ts';
import { editFormForms } from './edit-form.ts';
import { editingForms, ratingForms } from './editing.ts';
import { formsOf2018 } from './forms-2018.ts';
import { panelForms } from './panels.ts';
import { reviewingForms } from './reviewing.ts';

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
