import type { Activity } from '../../catalogue/schemas.ts';

/**
 * The wording of an unrecognised text, without what people wrote into it. Placeholders replace the names of the entity,
 * panel and actor, and every word that could be a name, a number or an identifier. Texts of one wording have one shape,
 * so that a maintainer sees which wording to add, and how often it came. It holds no personal data.
 */
export function shapeOf({ text, entity_name, panel_name, user_name }: Activity): string {
  const [line = ''] = text.split('\n', 1);
  let masked = line.slice(0, READ);
  for (const [name, placeholder] of [
    [panel_name, '⟨panel⟩'],
    [entity_name, '⟨entity⟩'],
    [user_name, '⟨actor⟩'],
  ] as const) {
    if (name && name.trim().length > 1) masked = masked.replaceAll(name, placeholder);
  }
  const words = masked.split(/\s+/).filter(Boolean).slice(0, WORDS).map(wordOf);
  const shape = words.filter((word, index) => word !== HIDDEN || words[index - 1] !== HIDDEN).join(' ');
  return text.includes('\n') ? `${shape} ⏎` : shape;
}

const READ = 400;
const WORDS = 16;
const HIDDEN = '…';

/** Words of the software are lower case, but for the first; all others may be anything. */
function wordOf(word: string, index: number): string {
  if (/^(?:⟨\w+⟩|gene:|STR:|Region:|Gene:)[.,:;]?$/.test(word)) return word;
  const software = index === 0 ? /^[A-Z]?[a-z]{1,20}[.,:;]?$/ : /^[a-z]{1,20}[.,:;]?$/;
  return software.test(word) ? word : HIDDEN;
}
