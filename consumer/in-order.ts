import * as order from '../lambdas/events/order.ts';
import type { PanelEvent } from './panel-event.ts';

/**
 * Events of any panels in the order in which each panel changed: by version, and within a version by time. Versions and times that
 * disagree by more than two minutes order nothing: an administrator set the panel back, and the times count.
 */
export const inOrder = <Event extends PanelEvent>(events: readonly Event[]): Event[] =>
  order.inOrder(events as readonly object[] as Parameters<typeof order.inOrder>[0]) as object[] as Event[];
