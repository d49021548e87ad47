import type { PanelEvent } from '../../events/schemas.ts';

/**
 * Whether the id of an event leaves its time open, so that the same id may come with another time. The id of a row's event
 * is made of the row, with its time; that of a listing's event is not.
 * @param hasRows given where the event was read without its rows
 */
export const hasOpenTime = (
  { time, data }: PanelEvent,
  hasRows: boolean = data.activities.length > 0,
): boolean => time === undefined || !hasRows;
