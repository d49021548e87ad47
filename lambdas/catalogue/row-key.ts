import { hash } from 'node:crypto';
import type { Instant } from '../run/instant.ts';
import type { Activity } from './schemas.ts';

/**
 * The identity of a row: 32 hexadecimal digits over a fixed list of its fields, because the log gives its rows
 * no id. `created` counts as an instant, so that the same row served in another time zone has the same key.
 * Fields that the catalogue adds later do not change it. A change here changes the id of every event.
 */
export function rowKey(activity: Activity, created: Instant): string {
  const fields = [
    'row.v1',
    String(created),
    activity.panel_id,
    activity.panel_name,
    activity.panel_version,
    activity.user_name,
    activity.item_type,
    activity.text,
    activity.entity_name,
    activity.entity_type,
  ];
  return digest(fields);
}

/** The identity of a row that is not an activity: a digest of the row as received. */
export function rawRowKey(row: unknown): string {
  return digest(['raw.v1', row]);
}

function digest(fields: readonly unknown[]): string {
  return hash('sha256', JSON.stringify(fields), 'hex').slice(0, 32);
}
