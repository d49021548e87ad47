import type { Entity } from '../events/schemas.ts';
import { cleanLine } from './clean-text.ts';

/** An entity under the name that it has now. */
export interface NamedEntity extends Pick<Entity, 'type' | 'name'> {
  /** The name under which its change was published, where it was replaced or renamed before the message. */
  readonly formerly?: string;
}

/** An entity as messages name it: `BRCA1`, `KMT2D (formerly MLL2)`, `STR ATXN1_CAG`, `Region ISCA-37390-Loss`. */
export function entityName(entity: NamedEntity | null): string {
  if (!entity) return 'An entity';
  const before = entity.formerly === undefined ? '' : ` (formerly ${cleanLine(entity.formerly)})`;
  const name = `${cleanLine(entity.name) || 'without a name'}${before}`;
  if (entity.type === 'gene') return name;
  return entity.type === 'str' ? `STR ${name}` : `Region ${name}`;
}
