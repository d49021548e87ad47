import type { PanelEvent } from '../events/schemas.ts';
import type { Chunk } from '../store/store.ts';
import type { PollOptions } from './poll-options.ts';

/** Counts the unknown wordings of a chunk, for a maintainer. A lost count loses no event. */
export async function countShapes(
  { messages, next }: Chunk,
  { store, log }: Pick<PollOptions, 'store' | 'log'>,
): Promise<void> {
  const shapes = new Map<string, number>();
  for (const { topic, body } of messages) {
    if (topic !== 'unclassified') continue;
    const { shape } = (JSON.parse(body) as PanelEvent<'activity.unclassified'>).data.change;
    if (shape !== undefined) shapes.set(shape, (shapes.get(shape) ?? 0) + 1);
  }
  if (shapes.size === 0) return;
  log.warn('The log has wordings that are unknown', { shapes: Object.fromEntries(shapes) });
  await store.countShapes(shapes, next.mark);
}
