import {
  type EditSession,
  type Outcome,
  type Recording,
  startRecording,
  type WrittenRow,
} from '../recording.ts';
import { type Entity, isOneOf, type Panel, raiseVersion } from '../state.ts';
import { panelRows } from '../wordings/row-shape.ts';
import { addEntity, admitEntity, noFirstReview, stateAdded, writeAdded } from './add-entity.ts';
import { factEntity } from './facts.ts';

/** Panel-level rows about an entity, which only their text names. */

/** Removes an entity from its panel. */
export function deleteEntity(session: EditSession, entity: Entity): Outcome {
  const { panel, at } = session;
  raiseVersion(panel, at);
  panel.entities = panel.entities.filter((other) => other !== entity);
  const recording = startRecording(session);
  const key = `${entity.type} removed` as const;
  const row = recording.panelRow(panelRows[key], [[key, { entity: entity.name }]]);
  const rating = { oneOf: [null, entity.rating, entity.statedRating] };
  recording.fact('entity.removed', factEntity(entity), { rating }, [row]);
  return recording.outcome();
}

/**
 * Copies an entity to another panel: the row of an ordinary addition and a paired row on the panel's level, or,
 * where the entity is there already, its reviews only (Australian code).
 */
export function copyEntity(session: EditSession, entity: Entity, target: Panel): Outcome {
  const there = target.entities.find(({ type, name }) => type === entity.type && name === entity.name);
  const targetSession = { ...session, panel: target };
  const from = session.panel.name;
  if (there) return copyReviews(targetSession, there, from);
  const copied = structuredClone(entity);
  copied.tags = [];
  copied.reviewers = [];
  copied.comments = [];
  copied.ready = false;
  admitEntity(targetSession, copied);
  const recording = startRecording(targetSession);
  const row = writeAdded(recording, copied, noFirstReview);
  const key = `${entity.type} copied` as const;
  const paired = recording.panelRow(panelRows[key], [[key, { entity: entity.name, otherPanel: from }]]);
  stateAdded(recording, copied, noFirstReview, { row, paired: [paired], copiedFrom: from });
  return withDoubtfulEntity(recording, paired);
}

function copyReviews(session: EditSession, entity: Entity, from: string): Outcome {
  const recording = startRecording(session);
  const key = `${entity.type} reviews copied` as const;
  const row = recording.panelRow(panelRows[key], [[key, { entity: entity.name, otherPanel: from }]]);
  recording.fact('entity.reviews-copied', factEntity(entity), { fromPanel: from }, [row]);
  return withDoubtfulEntity(recording, row);
}

/** Where the name of an entity or a panel contains " from panel ", the text does not say which entity was copied. */
function withDoubtfulEntity(recording: Recording, row: WrittenRow): Outcome {
  const outcome = recording.outcome();
  return isOneOf(row.stated[0]?.entity) ? { ...outcome, ambiguous: true } : outcome;
}

/** A bulk import: one row an entity, further apart than the rows of one action, in one long transaction. */
export function importEntities(
  session: EditSession,
  entities: readonly Entity[],
  gap: () => number,
): Outcome {
  const { panel } = session;
  let at = session.at;
  const outcomes = entities.map((entity) => {
    const outcome = addEntity({ ...session, panel, at }, entity, noFirstReview);
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
