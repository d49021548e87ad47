import type { Entity } from '../events/schemas.ts';
import { shortName } from './short-name.ts';

/** The key of an entity on a panel. */
export function entityKey(panelId: number, { type, name }: Entity): string {
  return `${panelId}#${type}#${shortName(name)}`;
}
