import { type Desk, type OldRow, type Outcome, openSheet } from '../sheet.ts';
import type { reviewRatings } from '../slots.ts';
import type { Entity } from '../state.ts';
import { unknowable } from '../truth.ts';
import { legacyChangedRows, legacyRows, legacySetRows } from '../wordings/legacy.ts';
import { reviewRows } from '../wordings/reviewing.ts';
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
export function legacyComment(desk: Desk, gene: Entity, style: LegacyStyle): Outcome {
  const sheet = openSheet(desk);
  const shape = style.labelled ? reviewRows.commented : legacyRows.commented;
  const row = sheet.entityRow(gene, shape, [['commented']], oldRow(style));
  sheet.fact('entity.commented', factEntity(gene), { comment: null, action: 'added' }, [row]);
  return sheet.outcome();
}

/** A review of a gene, or an edit of one. */
export function legacyReview(desk: Desk, gene: Entity, edited: boolean, style: LegacyStyle): Outcome {
  const sheet = openSheet(desk);
  const key = keyFor(edited ? 'review edited' : 'reviewed', style);
  const row = sheet.entityRow(gene, legacyRows[key], [[key]], oldRow(style));
  sheet.fact('entity.reviewed', factEntity(gene), { edited }, [row]);
  return sheet.outcome();
}

/** A gene that is marked as ready. */
export function legacyReady(desk: Desk, gene: Entity, style: LegacyStyle): Outcome {
  const sheet = openSheet(desk);
  const key = keyFor('marked ready', style);
  const row = sheet.entityRow(gene, legacyRows[key], [[key]], oldRow(style));
  sheet.fact('entity.marked-ready', factEntity(gene), {}, [row]);
  return sheet.outcome();
}

/** A rating of a gene. */
export function legacyClassified(
  desk: Desk,
  gene: Entity,
  to: keyof typeof reviewRatings,
  style: LegacyStyle,
): Outcome {
  const sheet = openSheet(desk);
  const key = keyFor('classified', style);
  const row = sheet.entityRow(gene, legacyRows[key], [[key, { colour: to }]], oldRow(style));
  ratedFact(sheet, gene, to, [row]);
  return sheet.outcome();
}

/** A gene that is added. */
export function legacyAdded(desk: Desk, gene: Entity, style: LegacyStyle): Outcome {
  const sheet = openSheet(desk);
  const key = keyFor('added', style);
  const row = sheet.entityRow(gene, legacyRows[key], [[key]], oldRow(style));
  sheet.fact('entity.added', factEntity(gene), { rating: null, sources: [], tags: [], copiedFrom: null }, [
    row,
  ]);
  return sheet.outcome();
}

/** The fields that rows of those years name. */
export type LegacyField = 'phenotypes' | 'publications' | 'modeOfInheritance';

/** A field that was set; for publications the text does not say whether the list is old or new. */
export function legacySet(desk: Desk, gene: Entity, field: LegacyField): Outcome {
  const sheet = openSheet(desk);
  const row = sheet.entityRow(gene, legacySetRows[field], [[field, { to: gene[field] }]], {
    old: true,
    unnamed: false,
  });
  const { to } = row.stated[0] ?? {};
  const change =
    field === 'publications' ? { field, from: unknowable(to), to: unknowable(to) } : { field, to };
  sheet.fact('entity.annotated', factEntity(gene), { changes: [change] }, [row]);
  return sheet.outcome();
}

/** A field that was changed, with the value before. */
export function legacyChanged(desk: Desk, gene: Entity, field: LegacyField, to: string | string[]): Outcome {
  const sheet = openSheet(desk);
  const from = gene[field];
  const row = sheet.entityRow(gene, legacyChangedRows[field], [[field, { from, to }]], {
    old: true,
    unnamed: false,
  });
  const change = fieldFrom(field, row.stated[0]);
  // Where both sides are the same, they may be what the software shows twice.
  const doubtful = field !== 'phenotypes' && JSON.stringify(from) === JSON.stringify(to);
  sheet.fact(
    'entity.annotated',
    factEntity(gene),
    { changes: [doubtful ? { ...change, from: unknowable(change.from) } : change] },
    [row],
  );
  return sheet.outcome();
}
