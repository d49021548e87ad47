import { hash } from 'node:crypto';
import type { Entity } from '../events/schemas.ts';

/** The key under which an entity on a panel is remembered; long names are shortened by their hash. */
export function entityKey(panelId: number, { type, name }: Entity): string {
  const short = name.length <= 100 ? name : hash('sha256', name, 'hex');
  return `${panelId}#${type}#${short}`;
}
