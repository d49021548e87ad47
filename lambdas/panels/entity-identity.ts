import type { entityTypes } from '../events/schemas.ts';

/** `gene`, `str` or `region`. */
type EntityType = (typeof entityTypes)[number];

interface Identified {
  readonly type: EntityType;
  readonly name: string;
  readonly hgncId: string | null;
}

/**
 * What an entity is found by on any panel: a gene by its HGNC id under any symbol; an STR, a region, or a gene
 * without an HGNC id by its name in lower case. An STR is not its gene.
 */
export function identityOf({ type, name, hgncId }: Identified): string {
  return type === 'gene' && hgncId !== null ? hgncId : `${type}:${name.toLowerCase()}`;
}
