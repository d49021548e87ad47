import { isDeepStrictEqual } from 'node:util';
import { clearAllSources, editField, editPublications, markReady, rate } from './actions/edit-field.ts';
import { createPanel, deletePanel, editPanel, importPanel, promotePanel } from './actions/panel.ts';
import { copyEntity, deleteEntity } from './actions/panel-entities.ts';
import {
  commentAgain,
  commentFirst,
  deleteComment,
  deleteReview,
  editReview,
  review,
} from './actions/review.ts';
import { drawPanelEdit, drawReview, drawReviewEdit, ratings } from './draw.ts';
import * as randomActions from './random-actions.ts';
import type { ActionInput, Outcome } from './recording.ts';
import { type CodeLine, dayOf, type Panel, type SignOff, versionOf } from './state.ts';
import { type EntityType, maybe, pick, several, type Values } from './values.ts';

/** A kind of action of a curator, a reviewer or the system. */
export interface Kind {
  /** What is done, in plain words. */
  readonly kind: string;
  /** The type of the entity; absent where it does not matter. */
  readonly on?: EntityType;
  readonly only?: CodeLine;
  /** How frequent it is in the made-up log, relative to the others; absent for never. */
  readonly weight?: number;
  /** The panels on which it is done, where these are not the public ones. */
  readonly where?: 'super panel' | 'internal panel';
  readonly possible?: (input: ActionInput) => boolean;
  readonly perform: (input: ActionInput) => Outcome;
}

const { comment } = randomActions;

/** All actions that write rows. A new wording is a line in a table of wordings, and one here if its action is new. */
export const kinds: readonly Kind[] = [
  // Adding
  { kind: 'add a gene', weight: 8, perform: randomActions.addRandom('gene') },
  { kind: 'add an STR', weight: 1, perform: randomActions.addRandom('str') },
  { kind: 'add a region', weight: 2, perform: randomActions.addRandom('region') },
  { kind: 'import entities in bulk', weight: 1, perform: randomActions.importRandomGenes },

  // Rating by hand and marking as ready
  {
    kind: 'rate',
    weight: 20,
    perform: (s) => rate(s.session, s.entity, pick(s.values, ratings), comment(s)),
  },
  { kind: 'mark as ready', weight: 10, perform: (s) => markReady(s.session, s.entity, comment(s)) },

  // Fields with a form of their own
  { kind: 'edit mode of inheritance', weight: 5, perform: (s) => edit('modeOfInheritance', s) },
  { kind: 'edit mode of pathogenicity', weight: 2, perform: (s) => edit('modeOfPathogenicity', s) },
  { kind: 'edit phenotypes', weight: 6, perform: (s) => edit('phenotypes', s) },
  { kind: 'edit publications', weight: 6, perform: publications },
  { kind: 'edit tags', weight: 8, perform: randomActions.changeTags },
  { kind: 'clear a source', weight: 1, perform: randomActions.clearRandomSource },
  { kind: 'clear all sources', weight: 1, perform: (s) => clearAllSources(s.session, s.entity) },
  { kind: 'clear expert review', weight: 1, perform: randomActions.clearReviewSources },

  // Reviews and comments
  { kind: 'review', weight: 18, perform: (s) => review(s.session, s.entity, drawReview(s.values)) },
  { kind: 'comment for the first time', weight: 5, perform: (s) => commentFirst(s.session, s.entity) },
  { kind: 'comment again', weight: 7, perform: (s) => commentAgain(s.session, s.entity, s.values.comment()) },
  { kind: 'edit a review', weight: 7, perform: changeReview },
  { kind: 'edit a comment', weight: 3, perform: randomActions.changeComment },
  { kind: 'delete a comment', weight: 1, perform: (s) => deleteComment(s.session, s.entity) },
  { kind: 'delete a review', weight: 1, perform: (s) => deleteReview(s.session, s.entity) },

  // The edit form
  { kind: 'edit a gene', on: 'gene', weight: 8, perform: randomActions.submitForm },
  { kind: 'edit an STR', on: 'str', weight: 3, perform: randomActions.submitForm },
  { kind: 'edit a region', on: 'region', weight: 3, perform: randomActions.submitForm },
  { kind: 'append to an entity by import', weight: 2, perform: randomActions.appendByImport },
  { kind: 'replace a gene', on: 'gene', weight: 1, perform: randomActions.replaceSymbol },

  // Panels
  { kind: 'delete an entity', weight: 2, perform: (s) => deleteEntity(s.session, s.entity) },
  { kind: 'promote a panel', weight: 2, perform: (s) => promotePanel(s.session) },
  { kind: 'create a panel', perform: (s) => createPanel(s.session) },
  { kind: 'create a panel by import', perform: (s) => importPanel(s.session) },
  { kind: 'edit a panel', weight: 2, perform: changePanel },
  { kind: 'sign off the present version', perform: (s) => editPanel(s.session, { signedOff: true }) },
  {
    kind: 'sign off an older version',
    perform: (s) => editPanel(s.session, { signedOff: true, signOff: olderVersion(s.session.panel) }),
  },
  {
    kind: 'sign off for a later day',
    perform: (s) =>
      editPanel(s.session, { signedOff: true, signOff: { day: dayOf(s.session.at + fortnight) } }),
  },
  {
    kind: 'remove the sign-off',
    possible: ({ session }) => session.panel.signOffs.length > 0,
    perform: (s) => editPanel(s.session, { signedOff: false }),
  },
  { kind: 'delete a panel', perform: (s) => deletePanel(s.session) },
  {
    kind: 'copy an entity',
    only: 'au',
    weight: 2,
    perform: (s) => copyEntity(s.session, s.entity, s.otherPanel),
  },

  // Shapes of older rows (docs/interfaces.md, "Activity")
  { kind: 'comment, long ago', on: 'gene', perform: randomActions.randomLegacyRow('commented') },
  { kind: 'review, long ago', on: 'gene', perform: randomActions.randomLegacyReview },
  { kind: 'mark as ready, long ago', on: 'gene', perform: randomActions.randomLegacyRow('marked ready') },
  { kind: 'classify, long ago', on: 'gene', perform: randomActions.randomLegacyRating },
  { kind: 'add, long ago', on: 'gene', perform: randomActions.randomLegacyRow('added') },
  { kind: 'set a field, long ago', on: 'gene', perform: randomActions.randomLegacyEntry },
  { kind: 'change a field, long ago', on: 'gene', perform: randomActions.randomLegacyChange },
];

const fortnight = 14 * 24 * 3600 * 1_000_000;

function olderVersion({ archive = [] }: Panel): Partial<SignOff> {
  const older = archive.at(-3) ?? archive[0];
  return older ? { version: versionOf(older.panel) } : {};
}

const draws = {
  modeOfInheritance: (values: Values) => values.modeOfInheritance(),
  modeOfPathogenicity: (values: Values) => maybe(values, 80, () => values.modeOfPathogenicity()),
  phenotypes: (values: Values) => several(values, 0, 3, () => values.phenotype()),
} as const;

/** Sets a field to what is drawn; where the entity holds just that, to what another one of these panels holds. */
function edit(field: keyof typeof draws, input: ActionInput): Outcome {
  const { session, entity, otherPanel, values } = input;
  const drawn = draws[field](values);
  const held = [...session.panel.entities, ...otherPanel.entities].map((each) => each[field]);
  const [to = drawn] = [drawn, ...held].filter((each) => !isDeepStrictEqual(each, entity[field]));
  return editField(session, entity, field, to, comment(input));
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
