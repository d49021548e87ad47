import type { PanelEvent } from '../events/schemas.ts';

/** The order of events by their time, oldest first. */
export const byTime = (one: PanelEvent, other: PanelEvent): number =>
  (one.time ?? '').localeCompare(other.time ?? '');
