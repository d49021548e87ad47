import type { Entity } from '../events/schemas.ts';

/**
 * What a text names of what its row is about. Patterns write `⟨label⟩` for `gene: BRCA1`, `⟨Label⟩` for the
 * lower-cased `Gene: brca1`, `⟨name⟩` for the bare `BRCA1`, `⟨entity⟩` where old rows have the label or not, and
 * `⟨panel⟩` for the panel's name.
 */
export type Mention = 'label' | 'Label' | 'name' | 'panel';

/** The names that a text can mention. */
export interface Names {
  /** Of the entity; null where the text is about none. */
  readonly name: string | null;
  readonly panel: string;
}

const labels = {
  label: { gene: 'gene: ', str: 'STR: ', region: 'Region: ' },
  Label: { gene: 'Gene: ', str: 'Str: ', region: 'Region: ' },
  name: { gene: '', str: '', region: '' },
  panel: { gene: '', str: '', region: '' },
} as const satisfies Record<Mention, Record<Entity['type'], string>>;

/** The label before the name. */
export function labelOf(mention: Mention, type: Entity['type']): string {
  return labels[mention][type];
}

/** The name as the mention spells it; null where there is none. */
export function spellingOf(mention: Mention, { name, panel }: Names): string | null {
  if (mention === 'panel') return panel;
  return mention === 'Label' && name ? name.toLowerCase() : name;
}

/** The labels that the catalogue writes before a name, and the type that each one means. */
export const typeByLabel: Readonly<Record<string, Entity['type']>> = {
  gene: 'gene',
  STR: 'str',
  Region: 'region',
  region: 'region',
};
