import { type Desk, type Outcome, openSheet, type Sheet, type WrittenRow } from '../sheet.ts';
import { type Entity, type Panel, raiseVersion } from '../state.ts';
import { isLeeway } from '../truth.ts';
import { panelRows } from '../wordings/panel.ts';
import { addEntity, admitEntity, noFirstReview, stateAdded, writeAdded } from './add-entity.ts';
import { factEntity } from './facts.ts';

/** Panel-level rows about an entity, which stands only in the text (section 2). */

/** Removes an entity from its panel. */
export function deleteEntity(desk: Desk, entity: Entity): Outcome {
  const { panel, at } = desk;
  panel.entities = panel.entities.filter((other) => other !== entity);
  raiseVersion(panel, at);
  const sheet = openSheet(desk);
  const key = `${entity.type} removed` as const;
  const row = sheet.panelRow(panelRows[key], [[key, { entity: entity.name }]]);
  const rating = { oneOf: [null, entity.rating, entity.statedRating] };
  sheet.fact('entity.removed', factEntity(entity), { rating }, [row]);
  return sheet.outcome();
}

/**
 * Copies an entity to another panel: the row of an ordinary addition and a paired row on the panel's level, or,
 * where the entity is there already, its reviews only (Australian code).
 */
export function copyEntity(desk: Desk, entity: Entity, target: Panel): Outcome {
  const there = target.entities.find(({ type, name }) => type === entity.type && name === entity.name);
  const targetDesk = { ...desk, panel: target };
  const from = desk.panel.name;
  if (there) return copyReviews(targetDesk, there, from);
  const copied = structuredClone(entity);
  copied.tags = [];
  copied.reviewers = [];
  copied.comments = [];
  copied.ready = false;
  admitEntity(targetDesk, copied);
  const sheet = openSheet(targetDesk);
  const row = writeAdded(sheet, copied, noFirstReview);
  const key = `${entity.type} copied` as const;
  const paired = sheet.panelRow(panelRows[key], [[key, { entity: entity.name, otherPanel: from }]]);
  stateAdded(sheet, copied, noFirstReview, { row, paired: [paired], copiedFrom: from });
  return withDoubtfulEntity(sheet, paired);
}

function copyReviews(desk: Desk, entity: Entity, from: string): Outcome {
  const sheet = openSheet(desk);
  const key = `${entity.type} reviews copied` as const;
  const row = sheet.panelRow(panelRows[key], [[key, { entity: entity.name, otherPanel: from }]]);
  sheet.fact('entity.reviews-copied', factEntity(entity), { fromPanel: from }, [row]);
  return withDoubtfulEntity(sheet, row);
}

/** Where the name of an entity or a panel holds " from panel ", the text does not say which entity was copied. */
function withDoubtfulEntity(sheet: Sheet, row: WrittenRow): Outcome {
  const outcome = sheet.outcome();
  return isLeeway(row.stated[0]?.entity) ? { ...outcome, ambiguous: true } : outcome;
}

/** A bulk import: one row an entity, further apart than the rows of one action, in one long transaction. */
export function importEntities(desk: Desk, entities: readonly Entity[], gap: () => number): Outcome {
  const { panel } = desk;
  let at = desk.at;
  const outcomes = entities.map((entity) => {
    const outcome = addEntity({ ...desk, panel, at }, entity, noFirstReview);
    at += gap();
    return outcome;
  });
  return together(outcomes);
}

/** The rows and facts of several actions as those of one. */
function together(outcomes: readonly Outcome[]): Outcome {
  const starts = outcomes.map((_outcome, index) =>
    outcomes.slice(0, index).reduce((sum, { rows }) => sum + rows.length, 0),
  );
  return {
    rows: outcomes.flatMap(({ rows }) => rows),
    truth: outcomes.flatMap(({ truth }, index) =>
      truth.map((fact) => ({ ...fact, rows: fact.rows.map((row) => row + (starts[index] ?? 0)) })),
    ),
    ambiguous: outcomes.some(({ ambiguous }) => ambiguous),
  };
}
