import { type EditSession, type OldRow, type Outcome, startRecording } from '../recording.ts';
import type { reviewRatings } from '../slots.ts';
import { type Entity, possiblyLeftOut } from '../state.ts';
import { legacyChangedRows, legacyRows, legacySetRows, reviewRows } from '../wordings/row-shape.ts';
import { factEntity, fieldFrom, ratedFact } from './facts.ts';

/**
 * Rows of the software before it was rewritten: without a panel version, the gene with or without its label, and
 * sometimes in the text only. Source: docs/interfaces.md, "Activity".
 */
export interface LegacyStyle {
  readonly labelled: boolean;
  readonly unnamed: boolean;
}

/** A row without the entity's columns can be read only if its text has the label. */
function oldRow({ labelled, unnamed }: LegacyStyle): OldRow {
  return { old: true, unnamed: labelled && unnamed };
}

type LabelledKey = 'reviewed' | 'review edited' | 'marked ready' | 'classified' | 'added';

function keyFor<Key extends LabelledKey>(key: Key, { labelled }: LegacyStyle): Key | `${Key} with label` {
  return labelled ? `${key} with label` : key;
}

/** A comment on a gene. */
export function legacyComment(session: EditSession, gene: Entity, style: LegacyStyle): Outcome {
  const recording = startRecording(session);
  const shape = style.labelled ? reviewRows.commented : legacyRows.commented;
  const row = recording.entityRow(gene, shape, [['commented']], oldRow(style));
  recording.fact('entity.commented', factEntity(gene), { comment: null, action: 'added' }, [row]);
  return recording.outcome();
}

/** A review of a gene, or an edit of one. */
export function legacyReview(
  session: EditSession,
  gene: Entity,
  edited: boolean,
  style: LegacyStyle,
): Outcome {
  const recording = startRecording(session);
  const key = keyFor(edited ? 'review edited' : 'reviewed', style);
  const row = recording.entityRow(gene, legacyRows[key], [[key]], oldRow(style));
  recording.fact('entity.reviewed', factEntity(gene), { edited }, [row]);
  return recording.outcome();
}

/** A gene that is marked as ready. */
export function legacyReady(session: EditSession, gene: Entity, style: LegacyStyle): Outcome {
  const recording = startRecording(session);
  const key = keyFor('marked ready', style);
  const row = recording.entityRow(gene, legacyRows[key], [[key]], oldRow(style));
  recording.fact('entity.marked-ready', factEntity(gene), {}, [row]);
  return recording.outcome();
}

/** A rating of a gene. */
export function legacyClassified(
  session: EditSession,
  gene: Entity,
  to: keyof typeof reviewRatings,
  style: LegacyStyle,
): Outcome {
  const recording = startRecording(session);
  const key = keyFor('classified', style);
  const row = recording.entityRow(gene, legacyRows[key], [[key, { colour: to }]], oldRow(style));
  ratedFact(recording, gene, to, [row]);
  return recording.outcome();
}

/** A gene that is added. */
export function legacyAdded(session: EditSession, gene: Entity, style: LegacyStyle): Outcome {
  const recording = startRecording(session);
  const key = keyFor('added', style);
  const row = recording.entityRow(gene, legacyRows[key], [[key]], oldRow(style));
  recording.fact(
    'entity.added',
    factEntity(gene),
    { rating: null, sources: [], tags: [], copiedFrom: null },
    [row],
  );
  return recording.outcome();
}

/** The fields that rows of those years name. */
export type LegacyField = 'phenotypes' | 'publications' | 'modeOfInheritance';

/** A field that was set; for publications the text does not say whether the list is old or new. */
export function legacySet(session: EditSession, gene: Entity, field: LegacyField): Outcome {
  const recording = startRecording(session);
  const row = recording.entityRow(gene, legacySetRows[field], [[field, { to: gene[field] }]], {
    old: true,
    unnamed: false,
  });
  const { to } = row.stated[0] ?? {};
  const change =
    field === 'publications' ? { field, from: possiblyLeftOut(to), to: possiblyLeftOut(to) } : { field, to };
  recording.fact('entity.annotated', factEntity(gene), { changes: [change] }, [row]);
  return recording.outcome();
}

/** A field that was changed, with the value before. */
export function legacyChanged(
  session: EditSession,
  gene: Entity,
  field: LegacyField,
  to: string | string[],
): Outcome {
  const recording = startRecording(session);
  const from = gene[field];
  const row = recording.entityRow(gene, legacyChangedRows[field], [[field, { from, to }]], {
    old: true,
    unnamed: false,
  });
  const change = fieldFrom(field, row.stated[0]);
  // Where both sides are the same, they may be what the software shows twice.
  const doubtful = field !== 'phenotypes' && JSON.stringify(from) === JSON.stringify(to);
  recording.fact(
    'entity.annotated',
    factEntity(gene),
    { changes: [doubtful ? { ...change, from: possiblyLeftOut(change.from) } : change] },
    [row],
  );
  return recording.outcome();
}
