import type { Entity } from '../../events/schemas.ts';
import { shortName } from './short-name.ts';

/** The key of an entity on a panel, which has an id or, once it was deleted, a name. */
export function entityKey(panel: number | string, { type, name }: Entity): string {
  return `${panel}#${type}#${shortName(name)}`;
}
