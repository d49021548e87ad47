import { adding } from './adding.ts';
import { editForm } from './edit-form.ts';
import { editing } from './editing.ts';
import { legacy } from './legacy.ts';
import { panels } from './panels.ts';
import { rating } from './rating.ts';
import { reviewing } from './reviewing.ts';
import type { CorpusRow } from './row.ts';

/** The corpus: at least one row for every wording of the catalogue that is known. */
export const corpus: readonly CorpusRow[] = [
  ...rating,
  ...adding,
  ...editing,
  ...editForm,
  ...reviewing,
  ...panels,
  ...legacy,
];
