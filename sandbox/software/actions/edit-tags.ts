import { type EditSession, type Outcome, startRecording } from '../recording.ts';
import type { LineToWrite } from '../row-text.ts';
import type { Entity } from '../state.ts';
import { tagsRow } from '../wordings/editing.ts';
import { factEntity } from './facts.ts';

interface TagEdit {
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

/** Edits the tags by their own form: one row, removals first. */
export function editTags(session: EditSession, entity: Entity, { removed, added }: TagEdit): Outcome {
  entity.tags = [...entity.tags.filter((tag) => !removed.includes(tag)), ...added];
  const recording = startRecording(session);
  const row = recording.entityRow(entity, tagsRow, [
    ...removed.map((tag): LineToWrite<'tag removed'> => ['tag removed', { tag }]),
    ...added.map((tag): LineToWrite<'tag added'> => ['tag added', { tag }]),
  ]);
  const tagAt = (index: number): unknown => row.stated[index]?.tag;
  recording.fact(
    'entity.tags-changed',
    factEntity(entity),
    {
      removed: removed.map((_tag, index) => tagAt(index)) as string[],
      added: added.map((_tag, index) => tagAt(removed.length + index)) as string[],
    },
    [row],
  );
  return recording.outcome();
}
