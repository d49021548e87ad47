import type { Entity } from '../events/schemas.ts';

/**
 * How the catalogue names an entity within a text. Patterns write `⟨label⟩` for `gene: BRCA1`, `⟨Label⟩` for the
 * lower-cased `Gene: brca1`, `⟨name⟩` for the bare `BRCA1`, and `⟨entity⟩` where old rows have the label or not.
 */
export type Mention = 'label' | 'Label' | 'name';

const labels = {
  label: { gene: 'gene: ', str: 'STR: ', region: 'Region: ' },
  Label: { gene: 'Gene: ', str: 'Str: ', region: 'Region: ' },
  name: { gene: '', str: '', region: '' },
} as const satisfies Record<Mention, Record<Entity['type'], string>>;

/** The label before the name. */
export function labelOf(mention: Mention, type: Entity['type']): string {
  return labels[mention][type];
}

/** The name as the mention spells it. */
export function spellingOf(mention: Mention, { name }: Entity): string {
  return mention === 'Label' ? name.toLowerCase() : name;
}

/** The labels that the catalogue writes before a name, and the type that each one means. */
export const typeByLabel: Readonly<Record<string, Entity['type']>> = {
  gene: 'gene',
  Gene: 'gene',
  STR: 'str',
  Str: 'str',
  Region: 'region',
  region: 'region',
};
