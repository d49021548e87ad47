import { type Desk, type Outcome, openSheet } from '../sheet.ts';
import { type Entity, raiseVersion, ratingOfSource } from '../state.ts';
import { singleEdits } from '../wordings/editing.ts';
import { factEntity, rateSilently } from './facts.ts';

/** Clearing sources recomputes the rating, and no row says so (sections 1.4 and 3). */

/** Removes one source of an entity. */
export function clearSource(desk: Desk, entity: Entity, source: string): Outcome {
  dropSources(desk, entity, [source]);
  const sheet = openSheet(desk);
  const row = sheet.entityRow(entity, singleEdits['source cleared'], [['source cleared', { source }]]);
  sheet.fact(
    'entity.annotated',
    factEntity(entity),
    { changes: [{ field: 'sources', removed: [row.stated[0]?.source] }] },
    [row],
  );
  return sheet.outcome();
}

/** Removes every source of an entity. */
export function clearAllSources(desk: Desk, entity: Entity): Outcome {
  dropSources(desk, entity, entity.sources);
  const sheet = openSheet(desk);
  const row = sheet.entityRow(entity, singleEdits['all sources cleared'], [['all sources cleared']]);
  sheet.fact('entity.annotated', factEntity(entity), { changes: [{ field: 'sources', aspect: 'all' }] }, [
    row,
  ]);
  return sheet.outcome();
}

/** What the management command `clear_expert_review` does, without a user. */
export function clearExpertReview(desk: Desk, entity: Entity, removed: readonly string[]): Outcome {
  dropSources(desk, entity, removed);
  const sheet = openSheet({ ...desk, person: { name: null, curator: true } });
  const row = sheet.entityRow(entity, singleEdits['sources cleared'], [['sources cleared', { removed }]]);
  sheet.fact(
    'entity.annotated',
    factEntity(entity),
    { changes: [{ field: 'sources', removed: row.stated[0]?.removed }] },
    [row],
  );
  return sheet.outcome();
}

function dropSources({ panel, at }: Desk, entity: Entity, dropped: readonly string[]): void {
  entity.sources = entity.sources.filter((source) => !dropped.includes(source));
  const stated = entity.sources.map(ratingOfSource).find((rating) => rating !== null);
  rateSilently(entity, stated ?? 'red');
  raiseVersion(panel, at);
}
