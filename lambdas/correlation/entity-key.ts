import { hash } from 'node:crypto';
import type { Entity } from '../events/schemas.ts';

/** The key of an entity on a panel; a long name counts by its hash, since keys have a limited length. */
export function entityKey(panelId: number, { type, name }: Entity): string {
  const short = name.length <= 100 ? name : hash('sha256', name, 'hex');
  return `${panelId}#${type}#${short}`;
}
