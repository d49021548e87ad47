import type { Entity } from '../events/schemas.ts';

/**
 * How the catalogue names an entity within a text. Names may hold anything, syntax included, so the known
 * name is replaced by a placeholder before a pattern is tried, and put back into what the pattern captured:
 * `⟨label⟩` for `gene: BRCA1`, `⟨Label⟩` for the lower-cased `Gene: brca1`, `⟨name⟩` for the bare name.
 */

const labels = { gene: 'gene: ', str: 'STR: ', region: 'Region: ' } as const;
const capitalizedLabels = { gene: 'Gene: ', str: 'Str: ', region: 'Region: ' } as const;

/** The labels that the catalogue writes before a name, and the type that each one means. */
export const typeByLabel: Readonly<Record<string, Entity['type']>> = {
  gene: 'gene',
  Gene: 'gene',
  STR: 'str',
  Str: 'str',
  Region: 'region',
  region: 'region',
};

export interface Mention {
  /** Replaces the mentions in one line by placeholders. */
  mask(line: string): string;
  /** Puts the mentions back. */
  unmask(text: string): string;
}

/** Masks for one entity; `formerly` is its name before a rename that the same text states. */
export function mentionOf(entity: Entity | null, formerly?: string): Mention {
  const names = [entity?.name, formerly].filter((name): name is string => Boolean(name));
  const label = entity && names[0] ? labels[entity.type] + names[0] : undefined;
  const capitalized =
    entity && names[0] ? capitalizedLabels[entity.type] + names[0].toLowerCase() : undefined;
  const originals = new Map([
    ['⟨lt⟩', '⟨'],
    ['⟨label⟩', label ?? ''],
    ['⟨Label⟩', capitalized ?? ''],
    ['⟨name⟩', names[0] ?? ''],
  ]);

  const mask = (line: string): string => {
    let masked = line.includes('⟨') ? line.replaceAll('⟨', '⟨lt⟩') : line;
    if (!entity) return masked;
    if (capitalized && masked.startsWith(`${capitalized} has been `)) {
      return `⟨Label⟩${masked.slice(capitalized.length)}`;
    }
    for (const name of names) {
      masked = masked.replaceAll(labels[entity.type] + name, '⟨label⟩');
      masked = maskName(masked, name);
    }
    return masked;
  };
  const unmask = (text: string): string =>
    text.includes('⟨')
      ? text.replace(/⟨(?:lt|label|Label|name)⟩/g, (found) => originals.get(found) ?? found)
      : text;
  return { mask, unmask };
}

/** The first mention of the bare name, and the one that ends the line, with or without a full stop. */
function maskName(line: string, name: string): string {
  let masked = line;
  const last = masked.endsWith(`${name}.`) ? masked.length - name.length - 1 : masked.length - name.length;
  if (masked.startsWith(name, last) && startsWord(masked, last)) {
    masked = `${masked.slice(0, last)}⟨name⟩${masked.slice(last + name.length)}`;
  }
  for (let at = masked.indexOf(name); at !== -1; at = masked.indexOf(name, at + name.length)) {
    if (startsWord(masked, at) && endsWord(masked, at + name.length)) {
      return `${masked.slice(0, at)}⟨name⟩${masked.slice(at + name.length)}`;
    }
  }
  return masked;
}

function startsWord(line: string, at: number): boolean {
  return at === 0 || line[at - 1] === ' ';
}

function endsWord(line: string, end: number): boolean {
  return end === line.length || line[end] === ' ' || line[end] === ':';
}
