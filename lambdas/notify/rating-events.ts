import type { PanelEvent } from '../events/schemas.ts';

/** The kinds of events after which what was published of an entity, or a panel's name, may no longer hold, or holds again. */
export const stateKinds = [
  'entity.classified',
  'entity.removed',
  'entity.added',
  'entity.renamed',
  'entity.annotated',
  'panel.changed',
] as const;

/** Whether an event changes the rating of an entity; one that confirms it does not. */
export const isRated = (event: PanelEvent): event is PanelEvent<'entity.classified'> =>
  event.type === 'gene-panel.entity.classified.v1' && event.data.change.direction !== 'unchanged';

/** Whether an event takes an entity off its panel. */
export const isRemoval = (event: PanelEvent): boolean => event.type === 'gene-panel.entity.removed.v1';

/** Whether an event says that an entity is on its panel, or no longer. */
export const isPresence = (event: PanelEvent): boolean =>
  isRemoval(event) || event.type === 'gene-panel.entity.added.v1';

/** Whether an event renames an entity, or removes sources of which one may have given the rating. */
const renamesOrClears = (event: PanelEvent): boolean =>
  event.type === 'gene-panel.entity.renamed.v1' ||
  (event.type === 'gene-panel.entity.annotated.v1' &&
    event.data.change.changes.some(({ field }) => field === 'sources'));

/** Whether an event gives a panel another name. */
export const renamesPanel = (event: PanelEvent): boolean =>
  event.type === 'gene-panel.panel.changed.v1' &&
  event.data.change.changes.some(({ field }) => field === 'name');

/** Whether what was published of an entity, or its panel's name, may no longer hold after an event, or holds again. */
export const changesState = (event: PanelEvent): boolean =>
  isRated(event) || isPresence(event) || renamesOrClears(event) || renamesPanel(event);
