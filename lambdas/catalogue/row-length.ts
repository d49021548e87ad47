import type { ActivityRow, InvalidRow } from './log-row.ts';

/** A number, or nothing. */
const SHORT_FIELD = 8;

/** How long the texts of a row are together, in UTF-16 units. */
export function lengthOf(row: Pick<ActivityRow, 'activity'> | Pick<InvalidRow, 'row'>): number {
  if ('row' in row) return JSON.stringify(row.row)?.length ?? 0;
  let length = 0;
  const { activity } = row;
  for (const name in activity) {
    const value = activity[name as keyof typeof activity];
    if (typeof value === 'string') length += value.length;
    else length += typeof value === 'object' && value !== null ? JSON.stringify(value).length : SHORT_FIELD;
  }
  return length;
}
