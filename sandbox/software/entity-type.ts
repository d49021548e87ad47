/** What a panel lists. */
export type EntityType = 'gene' | 'str' | 'region';

export const entityTypes: readonly EntityType[] = ['gene', 'str', 'region'];

const labelWords = { gene: 'gene', str: 'STR', region: 'Region' } as const;

/** `gene: BRCA1`, `STR: HTT_CAG`, `Region: ISCA-37390-Loss`. */
export function labelOf(type: EntityType, name: string): string {
  return `${labelWords[type]}: ${name}`;
}

/** The label as it heads a rating by hand: first letter upper, all the rest lower (`Str: htt_cag`). */
export function capitalizedLabelOf(type: EntityType, name: string): string {
  const label = labelOf(type, name);
  return label.slice(0, 1).toUpperCase() + label.slice(1).toLowerCase();
}
