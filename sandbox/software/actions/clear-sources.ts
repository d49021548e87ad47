import { type EditSession, type Outcome, startRecording } from '../recording.ts';
import { type Entity, ratingOfSource } from '../state.ts';
import { raiseVersion } from '../versions.ts';
import { singleEdits } from '../wordings/editing.ts';
import { factEntity, rateSilently } from './facts.ts';

/** Clearing sources recomputes the rating, which no row states. */

/** Removes one source of an entity. */
export function clearSource(session: EditSession, entity: Entity, source: string): Outcome {
  dropSources(session, entity, [source]);
  rateBySources(entity);
  const recording = startRecording(session);
  const row = recording.entityRow(entity, singleEdits['source cleared'], [['source cleared', { source }]]);
  recording.fact(
    'entity.annotated',
    factEntity(entity),
    { changes: [{ field: 'sources', removed: [row.stated[0]?.source] }] },
    [row],
  );
  return recording.outcome();
}

/** Removes every source of an entity. */
export function clearAllSources(session: EditSession, entity: Entity): Outcome {
  dropSources(session, entity, entity.sources);
  rateBySources(entity);
  const recording = startRecording(session);
  const row = recording.entityRow(entity, singleEdits['all sources cleared'], [['all sources cleared']]);
  recording.fact('entity.annotated', factEntity(entity), { changes: [{ field: 'sources', aspect: 'all' }] }, [
    row,
  ]);
  return recording.outcome();
}

/** What the management command `clear_expert_review` does, without a user. It leaves the rating as it is. */
export function clearExpertReview(session: EditSession, entity: Entity, removed: readonly string[]): Outcome {
  dropSources(session, entity, removed);
  const recording = startRecording({ ...session, person: { name: null, curator: true } });
  const row = recording.entityRow(entity, singleEdits['sources cleared'], [['sources cleared', { removed }]]);
  recording.fact(
    'entity.annotated',
    factEntity(entity),
    { changes: [{ field: 'sources', removed: row.stated[0]?.removed }] },
    [row],
  );
  return recording.outcome();
}

function dropSources({ panel, at }: EditSession, entity: Entity, dropped: readonly string[]): void {
  raiseVersion(panel, at);
  entity.sources = entity.sources.filter((source) => !dropped.includes(source));
}

function rateBySources(entity: Entity): void {
  const stated = entity.sources.map(ratingOfSource).find((rating) => rating !== null);
  rateSilently(entity, stated ?? 'red');
}
