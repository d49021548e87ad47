import { hash } from 'node:crypto';

/**
 * The id of the event of one kind that a row gives, from the row's key, which is hexadecimal; a row gives at most one of
 * each kind.
 */
export function eventId(key: string, kind: string): string {
  return hash('sha256', `["event.v1","${key}","${kind}"]`, 'hex').slice(0, 32);
}
