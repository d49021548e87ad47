import { isDeepStrictEqual } from 'node:util';
import {
  clearAllSources,
  clearExpertReview,
  clearSource,
  editField,
  editPublications,
  editTags,
  markReady,
  rate,
} from './actions/edit-field.ts';
import { editEntity, replaceGene } from './actions/form-lines.ts';
import {
  type LegacyField,
  type LegacyStyle,
  legacyChanged,
  legacyClassified,
  legacyRow,
  legacySet,
} from './actions/legacy.ts';
import { createPanel, deletePanel, editPanel, importPanel, promotePanel } from './actions/panel.ts';
import {
  addEntity,
  copyEntity,
  deleteEntity,
  importEntities,
  noFirstReview,
} from './actions/panel-entities.ts';
import {
  commentAgain,
  commentFirst,
  deleteComment,
  deleteReview,
  editComment,
  editReview,
  review,
} from './actions/review.ts';
import {
  drawEntity,
  drawFirstReview,
  drawFormEdit,
  drawName,
  drawPanelEdit,
  drawReview,
  drawReviewEdit,
  ratings,
} from './draw.ts';
import type { ActionInput, Outcome } from './recording.ts';
import { type CodeLine, dayOf, type Entity, type Panel, type SignOff, versionOf } from './state.ts';
import { chance, type EntityType, maybe, pick, several, type Values } from './values.ts';

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
  /** Who does it: a curator where absent; a reviewer of the entity, or one who has not reviewed it. */
  readonly by?: 'reviewer' | 'new reviewer';
  readonly possible?: (input: ActionInput) => boolean;
  readonly perform: (input: ActionInput) => Outcome;
}

/** All actions that write rows. A new wording is a line in a table of wordings, and one here if its action is new. */
export const kinds: readonly Kind[] = [
  // Adding
  { kind: 'add a gene', weight: 8, perform: (s) => addRandom(s, 'gene') },
  { kind: 'add an STR', weight: 1, perform: (s) => addRandom(s, 'str') },
  { kind: 'add a region', weight: 2, perform: (s) => addRandom(s, 'region') },
  { kind: 'import entities in bulk', weight: 1, perform: importRandomGenes },

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
  { kind: 'edit publications', weight: 6, perform: changePublications },
  { kind: 'edit tags', weight: 8, perform: changeTags },
  { kind: 'clear a source', weight: 1, perform: clearRandomSource },
  { kind: 'clear all sources', weight: 1, perform: (s) => clearAllSources(s.session, s.entity) },
  { kind: 'clear expert review', weight: 1, perform: clearReviewSources },

  // Reviews and comments
  {
    kind: 'review',
    weight: 18,
    by: 'new reviewer',
    perform: (s) => review(s.session, s.entity, drawReview(s.values)),
  },
  {
    kind: 'comment for the first time',
    weight: 5,
    by: 'new reviewer',
    perform: (s) => commentFirst(s.session, s.entity),
  },
  {
    kind: 'comment again',
    weight: 7,
    by: 'reviewer',
    perform: (s) => commentAgain(s.session, s.entity, s.values.comment()),
  },
  {
    kind: 'edit a review',
    weight: 7,
    by: 'reviewer',
    perform: (s) => editReview(s.session, s.entity, drawReviewEdit(s.values, s.entity)),
  },
  { kind: 'edit a comment', weight: 3, by: 'reviewer', perform: changeComment },
  { kind: 'delete a comment', weight: 1, by: 'reviewer', perform: (s) => deleteComment(s.session, s.entity) },
  { kind: 'delete a review', weight: 1, by: 'reviewer', perform: (s) => deleteReview(s.session, s.entity) },

  // The edit form
  { kind: 'edit a gene', on: 'gene', weight: 8, perform: (s) => submitForm(s) },
  { kind: 'edit an STR', on: 'str', weight: 3, perform: (s) => submitForm(s) },
  { kind: 'edit a region', on: 'region', weight: 3, perform: (s) => submitForm(s) },
  { kind: 'append to an entity by import', weight: 2, perform: (s) => submitForm(s, true) },
  { kind: 'replace a gene', on: 'gene', weight: 1, perform: replaceSymbol },

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
    perform: ({ session }) =>
      editPanel(session, { signedOff: true, signOff: { day: dayOf(session.at + fortnight) } }),
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
  { kind: 'comment, long ago', on: 'gene', perform: (s) => randomLegacyRow(s, 'commented') },
  { kind: 'review, long ago', on: 'gene', perform: randomLegacyReview },
  { kind: 'mark as ready, long ago', on: 'gene', perform: (s) => randomLegacyRow(s, 'marked ready') },
  { kind: 'classify, long ago', on: 'gene', perform: randomLegacyRating },
  { kind: 'add, long ago', on: 'gene', perform: (s) => randomLegacyRow(s, 'added') },
  { kind: 'set a field, long ago', on: 'gene', perform: randomLegacyEntry },
  { kind: 'change a field, long ago', on: 'gene', perform: randomLegacyChange },
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

function changePublications(input: ActionInput): Outcome {
  const { session, entity, values } = input;
  const drawn = several(values, 0, 3, () => values.publication());
  return editPublications(session, entity, drawn, comment(input));
}

function changePanel({ session, otherPanel, values }: ActionInput): Outcome {
  return editPanel(session, drawPanelEdit(values, session.panel, [otherPanel]));
}

/** A comment, for half of the actions that may have one. */
function comment({ values }: ActionInput): string | null {
  return maybe(values, 50, () => values.comment());
}

/** Adds an entity of a type, sometimes with a first review. */
function addRandom(input: ActionInput, type: EntityType): Outcome {
  const { session, values } = input;
  const entity = newEntity(input, type);
  return addEntity(session, entity, chance(values, 40) ? drawFirstReview(values) : noFirstReview);
}

/** Imports two to four genes. */
function importRandomGenes(input: ActionInput): Outcome {
  const { session, values } = input;
  const drawn = Array.from({ length: values.integer(2, 4) }, () => newEntity(input, 'gene'));
  const distinct = [...new Map(drawn.map((entity) => [entity.name, entity])).values()];
  return importEntities(session, distinct, () => values.integer(26_000, 64_000));
}

function newEntity({ session, values }: ActionInput, type: EntityType): Entity {
  const entity = drawEntity(values, type);
  const taken = (): boolean =>
    session.panel.entities.some((other) => other.type === type && other.name === entity.name);
  for (let tries = 0; taken() && tries < 20; tries += 1) entity.name = drawName(values, type);
  // Twenty draws gave names that the panel has already: a digit makes the last one differ.
  while (taken()) entity.name += '2';
  return entity;
}

/** Removes some of the tags and adds others; all where no other was drawn. */
function changeTags({ session, entity, values }: ActionInput): Outcome {
  const removed = entity.tags.filter(() => chance(values, 40));
  const drawn = several(values, removed.length > 0 ? 0 : 1, 2, () => values.tag());
  // The form compares the tags before with those after.
  const added = drawn.filter((tag) => !entity.tags.includes(tag));
  const isChange = removed.length + added.length > 0;
  return editTags(session, entity, { removed: isChange ? removed : entity.tags, added });
}

/** Removes one source. */
function clearRandomSource(input: ActionInput): Outcome {
  return clearSource(input.session, input.entity, pick(input.values, sourcesOf(input)));
}

/** Removes the sources that carry a rating. */
function clearReviewSources(input: ActionInput): Outcome {
  return clearExpertReview(input.session, input.entity, sourcesOf(input));
}

function sourcesOf({ entity, values }: ActionInput): readonly string[] {
  return entity.sources.length > 0 ? entity.sources : [values.source()];
}

/** Edits the last comment. */
function changeComment({ session, entity, values }: ActionInput): Outcome {
  return editComment(session, entity, entity.comments.at(-1) ?? values.comment(), values.comment());
}

/** Edits fields of an entity in its form; an import adds to its lists. */
function submitForm({ session, entity, values }: ActionInput, append = false): Outcome {
  return editEntity(session, entity, drawFormEdit(values, entity, append));
}

/** Replaces a gene by another symbol, sometimes with further edits. */
function replaceSymbol(input: ActionInput): Outcome {
  const { session, entity, values } = input;
  const to = newEntity(input, 'gene').name;
  const edit = maybe(values, 50, () => drawFormEdit(values, entity, false));
  return replaceGene(session, entity, to, edit ?? {});
}

/** How a row of the years before 2018 is worded. */
function legacyStyle({ values }: ActionInput): LegacyStyle {
  return { labelled: chance(values, 60), unnamed: chance(values, 30) };
}

/** Does something with a gene, worded as in the years before 2018. */
function randomLegacyRow(input: ActionInput, key: Parameters<typeof legacyRow>[2]): Outcome {
  return legacyRow(input.session, input.entity, key, legacyStyle(input));
}

/** Reviews a gene, worded as in the years before 2018. */
function randomLegacyReview(input: ActionInput): Outcome {
  const key = chance(input.values, 50) ? 'review edited' : 'reviewed';
  return randomLegacyRow(input, key);
}

/** Rates a gene, worded as in the years before 2018. */
function randomLegacyRating(input: ActionInput): Outcome {
  const to = pick(input.values, ['green', 'amber', 'red'] as const);
  return legacyClassified(input.session, input.entity, to, legacyStyle(input));
}

const legacyFields: readonly LegacyField[] = ['phenotypes', 'publications', 'modeOfInheritance'];

/** Sets a field of a gene, worded as in the years before 2018. */
function randomLegacyEntry({ session, entity, values }: ActionInput): Outcome {
  return legacySet(session, entity, pick(values, legacyFields));
}

/** Changes a field of a gene, worded as in the years before 2018. */
function randomLegacyChange({ session, entity, values }: ActionInput): Outcome {
  const field = pick(values, legacyFields);
  if (field === 'modeOfInheritance') return legacyChanged(session, entity, field, values.modeOfInheritance());
  const item = (): string => (field === 'phenotypes' ? values.phenotype() : values.publication());
  return legacyChanged(session, entity, field, several(values, 0, 3, item));
}
