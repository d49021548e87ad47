import { type Rating, ratings } from '../events/changes.ts';

/** Readings of the values that the catalogue writes into its texts. */

/** A rating from any of the catalogue's words for it: `Green List (high evidence)`, `GREEN`, `No list` … */
export function ratingOf(words: string): Rating | null {
  const word = words.split(' ', 1)[0]?.toLowerCase();
  if (word === 'no' || word === 'removed') return 'none';
  return ratings.find((rating) => rating === word) ?? null;
}

/** A single value; the software writes an unset one as `None` or as nothing. */
export function singleOf(words: string): string | null {
  return words === '' || words === 'None' ? null : words;
}

/** A list joined by `; `, as the fields of an entity are written. */
export function listOf(words: string, separator = '; '): string[] {
  return words === '' || words === 'None' ? [] : words.split(separator);
}

/** A list of sources joined by a bare comma; a comma before a space belongs to a name. */
export function sourcesOf(words: string): string[] {
  return words === '' ? [] : words.split(/,(?! )/);
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

/** The rating that a set of sources carries; null where none does, or where they disagree. */
export function ratingOfSources(sources: readonly string[]): Rating | null {
  const carried = new Set(
    sources.flatMap((source) => /^Expert Review (Green|Amber|Red|Removed)$/.exec(source)?.[1] ?? []),
  );
  const [only, ...others] = carried;
  return only === undefined || others.length > 0 ? null : ratingOf(only);
}
