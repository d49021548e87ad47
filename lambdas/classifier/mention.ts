import type { Entity } from '../events/schemas.ts';

/**
 * How the catalogue names an entity within a text. Patterns write `⟨label⟩` for `gene: BRCA1`, `⟨Label⟩` for the
 * lower-cased `Gene: brca1`, `⟨name⟩` for the bare `BRCA1`, and `⟨entity⟩` where old rows have the label or not.
 */
export type Mention = 'label' | 'Label' | 'name';

/** Whom a text is about. */
export interface Subject extends Entity {
  /** Its name before a rename that the same text states. */
  readonly formerName?: string;
}

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

/** Every spelling of the entity in such a mention; its present name first. */
export function spellings(mention: Mention, { type, name, formerName }: Subject): readonly string[] {
  const names = formerName === undefined ? [name] : [name, formerName];
  return names.map((one) => labels[mention][type] + (mention === 'Label' ? one.toLowerCase() : one));
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
