import type { EventKindName } from '../../../lambdas/events/changes.ts';
import { type EditSession, fieldFrom, type Outcome, rateByRows, record } from '../recording.ts';
import type { reviewRatings } from '../slots.ts';
import { type Entity, possiblyLeftOut } from '../state.ts';
import {
  legacyChangedRows,
  legacyRows,
  legacySetRows,
  type RowShape,
  reviewRows,
} from '../wordings/row-shape.ts';

/**
 * Rows of the software before it was rewritten: without a panel version, the gene with or without its label, and
 * sometimes in the text only. Source: docs/interfaces.md, "Activity".
 */
export interface LegacyStyle {
  readonly labelled: boolean;
  readonly unnamed: boolean;
}

const facts = {
  commented: ['entity.commented', { comment: null, action: 'added' }],
  reviewed: ['entity.reviewed', { edited: false }],
  'review edited': ['entity.reviewed', { edited: true }],
  'marked ready': ['entity.marked-ready', {}],
  added: ['entity.added', { rating: null, sources: [], tags: [], copiedFrom: null }],
} as const satisfies { readonly [key: string]: readonly [EventKindName, object] };

/** A row without the entity's columns can be read only if its text has the label. */
const oldRow = ({ labelled, unnamed }: LegacyStyle) => ({ unnamed: labelled && unnamed });

const keyFor = <Key extends string>(key: Key, { labelled }: LegacyStyle): Key | `${Key} with label` =>
  labelled ? `${key} with label` : key;

/** A gene that is added, reviewed, commented on or marked as ready. */
export function legacyRow(
  session: EditSession,
  gene: Entity,
  key: keyof typeof facts,
  style: LegacyStyle,
): Outcome {
  const shapes = { ...legacyRows, 'commented with label': reviewRows.commented };
  const shape: RowShape = shapes[keyFor(key, style)];
  return record(session, ({ entityRow, fact }) => {
    const row = entityRow(gene, shape, [[Object.keys(shape.lines).join()]], oldRow(style));
    const [kind, change] = facts[key];
    fact(kind, gene, change, [row]);
  });
}

/** A rating of a gene. */
export function legacyClassified(
  session: EditSession,
  gene: Entity,
  to: keyof typeof reviewRatings,
  style: LegacyStyle,
): Outcome {
  return record(session, (recording) => {
    const line = [keyFor('classified', style), { colour: to }] as const;
    rateByRows(recording, gene, to, [recording.entityLine(gene, legacyRows, line, oldRow(style))]);
  });
}

/** The fields that rows of those years name. */
export type LegacyField = keyof typeof legacySetRows;

/** A field that was set; for publications the text does not say whether the list is old or new. */
export function legacySet(session: EditSession, gene: Entity, field: LegacyField): Outcome {
  return record(session, ({ entityLine, annotated }) => {
    const row = entityLine(gene, legacySetRows, [field, { to: gene[field] }], { unnamed: false });
    const { to } = row.whole;
    const doubtful = { field, from: possiblyLeftOut(to), to: possiblyLeftOut(to) };
    annotated(gene, [field === 'publications' ? doubtful : { field, to }], row);
  });
}

/** A field that was changed, with the value before. */
export function legacyChanged(
  session: EditSession,
  gene: Entity,
  field: LegacyField,
  to: string | string[],
): Outcome {
  const from = gene[field];
  return record(session, ({ entityLine, annotated }) => {
    const row = entityLine(gene, legacyChangedRows, [field, { from, to }], { unnamed: false });
    const change = fieldFrom(field, row.whole);
    // Where both sides are the same, they may be what the software shows twice.
    const doubtful = field !== 'phenotypes' && JSON.stringify(from) === JSON.stringify(to);
    annotated(gene, [doubtful ? { ...change, from: possiblyLeftOut(change.from) } : change], row);
  });
}
