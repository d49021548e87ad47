import type { ActionInput } from './action-input.ts';
import { clearAllSources } from './actions/clear-sources.ts';
import { commentAgain, commentFirst, deleteComment, deleteReview } from './actions/comment.ts';
import {
  editModeOfInheritance,
  editModeOfPathogenicity,
  editPhenotypes,
  editPublications,
} from './actions/edit-field.ts';
import { editPanel } from './actions/edit-panel.ts';
import { legacyAdded, legacyComment, legacyReady } from './actions/legacy.ts';
import { createPanel, deletePanel, importPanel, promotePanel } from './actions/panel.ts';
import { copyEntity, deleteEntity } from './actions/panel-entities.ts';
import { markReady, rate } from './actions/rate.ts';
import { editReview, review } from './actions/review.ts';
import { drawPanelEdit, drawReview, drawReviewEdit } from './draw-edits.ts';
import { ratings } from './draw-entity.ts';
import type { EntityType } from './entity-type.ts';
import * as plays from './random-actions.ts';
import type { Outcome } from './recording.ts';
import type { CodeLine } from './state.ts';
import { maybe, pick, several } from './values.ts';

/** A kind of thing that a curator, a reviewer or the system does. */
export interface Kind {
  /** What is done, in plain words. */
  readonly kind: string;
  /** The type of the entity; `any` where it does not matter. */
  readonly on: EntityType | 'any';
  /** Only this code line can do it. */
  readonly only?: CodeLine;
  /** How often it happens in the made-up log, against the others; 0 for what does not happen there. */
  readonly often: number;
  /** The panels on which it is done, where these are not the public ones. */
  readonly where?: 'super panel' | 'internal panel';
  /** Whether there is something to do; always where absent. */
  readonly possible?: (input: ActionInput) => boolean;
  readonly play: (input: ActionInput) => Outcome;
}

const { comment } = plays;

/** Everything that writes rows. A new wording is a line in a table of wordings, and one here if it is a new act. */
export const kinds: readonly Kind[] = [
  // Adding (1.1)
  { kind: 'add a gene', on: 'any', often: 8, play: plays.addRandom('gene') },
  { kind: 'add an STR', on: 'any', often: 1, play: plays.addRandom('str') },
  { kind: 'add a region', on: 'any', often: 2, play: plays.addRandom('region') },
  { kind: 'import entities in bulk', on: 'any', often: 1, play: plays.importRandomGenes },

  // Rating by hand and marking as ready (1.2, 1.3)
  {
    kind: 'rate',
    on: 'any',
    often: 20,
    play: (s) => rate(s.session, s.entity, pick(s.values, ratings), comment(s)),
  },
  { kind: 'mark as ready', on: 'any', often: 10, play: (s) => markReady(s.session, s.entity, comment(s)) },

  // Fields with a form of their own (1.4)
  { kind: 'edit mode of inheritance', on: 'any', often: 5, play: inheritance },
  { kind: 'edit mode of pathogenicity', on: 'any', often: 2, play: pathogenicity },
  { kind: 'edit phenotypes', on: 'any', often: 6, play: phenotypes },
  { kind: 'edit publications', on: 'any', often: 6, play: publications },
  { kind: 'edit tags', on: 'any', often: 8, play: plays.changeTags },
  { kind: 'clear a source', on: 'any', often: 1, play: plays.clearRandomSource },
  { kind: 'clear all sources', on: 'any', often: 1, play: (s) => clearAllSources(s.session, s.entity) },
  { kind: 'clear expert review', on: 'any', often: 1, play: plays.clearReviewSources },

  // Reviews and comments (1.5)
  { kind: 'review', on: 'any', often: 18, play: (s) => review(s.session, s.entity, drawReview(s.values)) },
  { kind: 'comment for the first time', on: 'any', often: 5, play: (s) => commentFirst(s.session, s.entity) },
  {
    kind: 'comment again',
    on: 'any',
    often: 7,
    play: (s) => commentAgain(s.session, s.entity, s.values.comment()),
  },
  { kind: 'edit a review', on: 'any', often: 7, play: changeReview },
  { kind: 'edit a comment', on: 'any', often: 3, play: plays.changeComment },
  { kind: 'delete a comment', on: 'any', often: 1, play: (s) => deleteComment(s.session, s.entity) },
  { kind: 'delete a review', on: 'any', often: 1, play: (s) => deleteReview(s.session, s.entity) },

  // The edit form (1.6)
  { kind: 'edit a gene', on: 'gene', often: 8, play: plays.submitForm },
  { kind: 'edit an STR', on: 'str', often: 3, play: plays.submitForm },
  { kind: 'edit a region', on: 'region', often: 3, play: plays.submitForm },
  { kind: 'append to an entity by import', on: 'any', often: 2, play: plays.appendByImport },
  { kind: 'replace a gene', on: 'gene', often: 1, play: plays.replaceSymbol },

  // Panels (2)
  { kind: 'delete an entity', on: 'any', often: 2, play: (s) => deleteEntity(s.session, s.entity) },
  { kind: 'promote a panel', on: 'any', often: 2, play: (s) => promotePanel(s.session) },
  { kind: 'create a panel', on: 'any', often: 0, play: (s) => createPanel(s.session) },
  { kind: 'create a panel by import', on: 'any', often: 0, play: (s) => importPanel(s.session) },
  { kind: 'edit a panel', on: 'any', often: 2, play: changePanel },
  { kind: 'delete a panel', on: 'any', often: 0, play: (s) => deletePanel(s.session) },
  {
    kind: 'copy an entity',
    on: 'any',
    only: 'au',
    often: 2,
    play: (s) => copyEntity(s.session, s.entity, s.otherPanel),
  },

  // Shapes of older rows (docs/interfaces.md, "Activity")
  {
    kind: 'comment, long ago',
    on: 'gene',
    often: 0,
    play: (s) => legacyComment(s.session, s.entity, plays.legacyStyle(s)),
  },
  { kind: 'review, long ago', on: 'gene', often: 0, play: plays.randomLegacyReview },
  {
    kind: 'mark as ready, long ago',
    on: 'gene',
    often: 0,
    play: (s) => legacyReady(s.session, s.entity, plays.legacyStyle(s)),
  },
  { kind: 'classify, long ago', on: 'gene', often: 0, play: plays.randomLegacyRating },
  {
    kind: 'add, long ago',
    on: 'gene',
    often: 0,
    play: (s) => legacyAdded(s.session, s.entity, plays.legacyStyle(s)),
  },
  { kind: 'set a field, long ago', on: 'gene', often: 0, play: plays.randomLegacyEntry },
  { kind: 'change a field, long ago', on: 'gene', often: 0, play: plays.randomLegacyChange },
];

function inheritance(input: ActionInput): Outcome {
  const { session, entity, values } = input;
  return editModeOfInheritance(session, entity, values.modeOfInheritance(), comment(input));
}

function pathogenicity(input: ActionInput): Outcome {
  const { session, entity, values } = input;
  const to = maybe(values, 80, () => values.modeOfPathogenicity());
  return editModeOfPathogenicity(session, entity, to, comment(input));
}

function phenotypes(input: ActionInput): Outcome {
  const { session, entity, values } = input;
  return editPhenotypes(
    session,
    entity,
    several(values, 0, 3, () => values.phenotype()),
    comment(input),
  );
}

function publications(input: ActionInput): Outcome {
  const { session, entity, values } = input;
  return editPublications(
    session,
    entity,
    several(values, 0, 3, () => values.publication()),
    comment(input),
  );
}

function changeReview({ session, entity, values }: ActionInput): Outcome {
  return editReview(session, entity, drawReviewEdit(values, entity));
}

function changePanel({ session, otherPanel, values }: ActionInput): Outcome {
  return editPanel(session, drawPanelEdit(values, session.panel, [otherPanel]));
}
