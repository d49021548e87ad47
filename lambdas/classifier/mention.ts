import type { Entity } from '../events/schemas.ts';

/**
 * How the catalogue names an entity within a text. Patterns write `⟨label⟩` for `gene: BRCA1`, `⟨Label⟩` for the
 * lower-cased `Gene: brca1`, `⟨name⟩` for the bare `BRCA1`, and `⟨entity⟩` where old rows have the label or not.
 */
export type Mention = 'label' | 'Label' | 'name';

/** What stands before the name, by mention and type. */
const labels = {
  label: { gene: 'gene: ', str: 'STR: ', region: 'Region: ' },
  Label: { gene: 'Gene: ', str: 'Str: ', region: 'Region: ' },
  name: { gene: '', str: '', region: '' },
} as const satisfies Record<Mention, Record<Entity['type'], string>>;

/** What can stand before the name in such a mention, whatever the entity. */
export function labelsOf(mention: Mention): readonly string[] {
  return Object.values(labels[mention]);
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

/** Where a mention that starts at `at` ends; -1 where none stands there. */
export function endOfMention(text: string, at: number, mention: Mention, { type, name }: Entity): number {
  const label = labels[mention][type];
  if (!text.startsWith(label, at)) return -1;
  const start = at + label.length;
  const spelling = mention === 'Label' ? name.toLowerCase() : name;
  return text.startsWith(spelling, start) ? start + spelling.length : -1;
}

/** Where a mention that ends at `end` starts; -1 where none stands there. */
export function startOfMention(text: string, end: number, mention: Mention, { type, name }: Entity): number {
  const spelling = mention === 'Label' ? name.toLowerCase() : name;
  if (!text.endsWith(spelling, end)) return -1;
  const start = end - spelling.length;
  const label = labels[mention][type];
  return text.endsWith(label, start) ? start - label.length : -1;
}
