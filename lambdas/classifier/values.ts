import type { Rating } from '../events/changes.ts';

/** Readings of the values that the catalogue writes into its texts. */

/** Every way in which the catalogue writes a rating; the raw keys of reviews among them. */
const ratingsByWords: ReadonlyMap<string, Rating> = new Map(
  Object.entries({
    'Green List (High Evidence)': 'green',
    'Amber List (Moderate Evidence)': 'amber',
    'Red List (Low Evidence)': 'red',
    'Green List (high evidence)': 'green',
    'Amber List (moderate evidence)': 'amber',
    'Red List (low evidence)': 'red',
    'No list': 'none',
    'No List (delete)': 'none',
    green: 'green',
    amber: 'amber',
    red: 'red',
    GREEN: 'green',
    AMBER: 'amber',
    RED: 'red',
  } as const),
);

/** A rating from the catalogue's words for it; null where they say none. */
export function ratingOf(words: string): Rating | null {
  return ratingsByWords.get(words) ?? null;
}

const ratingsBySource: ReadonlyMap<string, Rating> = new Map(
  Object.entries({
    'Expert Review Green': 'green',
    'Expert Review Amber': 'amber',
    'Expert Review Red': 'red',
    'Expert Review Removed': 'none',
  } as const),
);

/** The rating that a set of sources carries; null where none does, or where they disagree. */
export function ratingOfSources(sources: readonly string[]): Rating | null {
  let carried: Rating | null = null;
  for (const source of sources) {
    const rating = ratingsBySource.get(source);
    if (!rating) continue;
    if (carried && carried !== rating) return null;
    carried = rating;
  }
  return carried;
}

/** A single value; the software writes an unset one as `None` or as nothing. */
export function singleOf(words: string): string | null {
  return words === '' || words === 'None' ? null : words;
}

/** A list joined by `; `, as the fields of an entity are written. */
export function listOf(words: string, separator = '; '): string[] {
  if (words === '' || words === 'None') return [];
  return words.includes(separator) ? words.split(separator) : [words];
}

/** A list of sources joined by a bare comma; a comma before a space belongs to a name. */
export function sourcesOf(words: string): string[] {
  if (words === '') return [];
  const sources: string[] = [];
  for (const item of words.split(',')) {
    if (item.startsWith(' ') && sources.length > 0) sources.push(`${sources.pop()},${item}`);
    else sources.push(item);
  }
  return sources;
}

/**
 * Both sides of `A to B`. Nothing where the free text has the separator more than once: then nobody can know
 * where A ends, and neither side is stated.
 */
export function sidesOf(words: string, separator = ' to '): { from: string; to: string } | null {
  const at = words.indexOf(separator);
  if (at === -1 || words.indexOf(separator, at + 1) !== -1) return null;
  return { from: words.slice(0, at), to: words.slice(at + separator.length) };
}

const publication = /^(?:PMID: ?)?\d{4,9} ?$|^(?:doi: ?)?10\.\d{4,9}\/\S+$|^https?:\/\/\S+$/;

/** Whether these words are a publication, and nothing that could be two. */
export function isOnePublication(words: string): boolean {
  return publication.test(words);
}
