import { hash } from 'node:crypto';
import type { Activity } from '../catalogue/schemas.ts';
import type { Instant } from '../clock/instant.ts';

/**
 * The identity of a row of a log that gives none: 32 hexadecimal digits over the fields that the interface
 * specification lists, with `created` as an instant, so that the same row served in another time zone is the
 * same row. Fields that the catalogue may add later take no part. A change here changes every event's id.
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
  return digest(JSON.stringify(fields));
}

/** The identity of a row that is not an activity: whatever was received. */
export function rawRowKey(row: unknown): string {
  return digest(JSON.stringify(['raw.v1', row]));
}

/** The id of the event of one kind that a row gives; a row gives at most one of each kind. */
export function eventId(key: string, kind: string): string {
  return digest(JSON.stringify(['event.v1', key, kind]));
}

function digest(text: string): string {
  return hash('sha256', text, 'hex').slice(0, 32);
}
