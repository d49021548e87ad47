import type { Entity } from '../events/schemas.ts';
import { cleanLine } from './clean-text.ts';

/** An entity as messages name it: `BRCA1`, `STR ATXN1_CAG`, `Region ISCA-37390-Loss`. */
export function entityName(entity: Pick<Entity, 'type' | 'name'> | null): string {
  if (!entity) return 'An entity';
  const name = cleanLine(entity.name) || 'without a name';
  if (entity.type === 'gene') return name;
  return entity.type === 'str' ? `STR ${name}` : `Region ${name}`;
}
