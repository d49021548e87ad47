import type { PanelEvent } from '../events/schemas.ts';

/** The kinds of events after which a rating that was published may no longer hold, or holds again. */
export const ratingKinds = ['entity.classified', 'entity.removed', 'entity.added'] as const;

/** Whether an event changes the rating of an entity; one that confirms it does not. */
export const isRated = (event: PanelEvent): event is PanelEvent<'entity.classified'> =>
  event.type === 'gene-panel.entity.classified.v1' && event.data.change.direction !== 'unchanged';

/** Whether an event takes an entity off its panel. */
export const isRemoval = (event: PanelEvent): boolean => event.type === 'gene-panel.entity.removed.v1';

/** Whether an event says that an entity is on its panel, or no longer. */
export const isPresence = (event: PanelEvent): boolean =>
  isRemoval(event) || event.type === 'gene-panel.entity.added.v1';
