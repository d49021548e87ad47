import { kindOf, type PanelEvent } from '../events/schemas.ts';

/** The events that report a change of the panel itself. */
export const panelEvents = (events: readonly PanelEvent[]): readonly PanelEvent[] =>
  events.filter(({ type }) => kindOf(type)?.startsWith('panel.'));
