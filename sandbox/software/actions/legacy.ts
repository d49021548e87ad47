import type { EventKindName } from '../../../lambdas/events/changes.ts';
import { type EditSession, type OldRow, type Outcome, startRecording } from '../recording.ts';
import type { reviewRatings } from '../slots.ts';
import { type Entity, possiblyLeftOut } from '../state.ts';
import {
  legacyChangedRows,
  legacyRows,
  legacySetRows,
  type RowShape,
  reviewRows,
} from '../wordings/row-shape.ts';
import { annotatedFact, factEntity, fieldFrom, ratedFact } from './facts.ts';

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

function keyFor<Key extends string>(key: Key, { labelled }: LegacyStyle): Key | `${Key} with label` {
  return labelled ? `${key} with label` : key;
}

const facts = {
  commented: ['entity.commented', { comment: null, action: 'added' }],
  reviewed: ['entity.reviewed', { edited: false }],
  'review edited': ['entity.reviewed', { edited: true }],
  'marked ready': ['entity.marked-ready', {}],
  added: ['entity.added', { rating: null, sources: [], tags: [], copiedFrom: null }],
} as const satisfies { readonly [key: string]: readonly [EventKindName, object] };

/** A gene that is added, reviewed, commented on or marked as ready. */
export function legacyRow(
  session: EditSession,
  gene: Entity,
  key: keyof typeof facts,
  style: LegacyStyle,
): Outcome {
  const recording = startRecording(session);
  const rows = { ...legacyRows, 'commented with label': reviewRows.commented };
  const shape: RowShape = rows[keyFor(key, style)];
  const row = recording.entityRow(
    gene,
    shape,
    Object.keys(shape.lines).map((line) => [line]),
    oldRow(style),
  );
  const [kind, change] = facts[key];
  recording.fact(kind, factEntity(gene), change, [row]);
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
  annotatedFact(recording, gene, [change], row);
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
  annotatedFact(
    recording,
    gene,
    [doubtful ? { ...change, from: possiblyLeftOut(change.from) } : change],
    row,
  );
  return recording.outcome();
}
