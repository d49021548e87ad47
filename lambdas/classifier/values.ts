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
 * A list whose items may hold the separator themselves; undefined where a split is uncertain. It is certain
 * where there is one item, or where `isItem` recognises every piece.
 */
export function certainListOf(
  words: string,
  separator: string,
  isItem: (piece: string) => boolean,
): string[] | undefined {
  const items = listOf(words, separator);
  return items.length < 2 || items.every(isItem) ? items : undefined;
}

/**
 * Both sides of `A to B`; null where the split is uncertain. It is certain where the separator comes once, and
 * where only one split has a side that is among the `known` values.
 */
export function sidesOf(
  words: string,
  {
    separator = ' to ',
    known = [],
  }: { readonly separator?: string; readonly known?: readonly string[] } = {},
): { from: string; to: string } | null {
  const at = words.indexOf(separator);
  const splits =
    at !== -1 && words.indexOf(separator, at + 1) === -1 ? [at] : knownSplits(words, separator, known);
  const [split] = splits;
  if (split === undefined || splits.length > 1) return null;
  return { from: words.slice(0, split), to: words.slice(split + separator.length) };
}

function knownSplits(words: string, separator: string, known: readonly string[]): readonly number[] {
  const splits = known.flatMap((value) => [
    ...(words.startsWith(value + separator) ? [value.length] : []),
    ...(words.endsWith(separator + value) ? [words.length - value.length - separator.length] : []),
  ]);
  return [...new Set(splits)];
}

const publication = /^(?:PMID: ?)?\d{4,9} ?$|^(?:doi: ?)?10\.\d{4,9}\/\S+$|^https?:\/\/\S+$/;

/** Whether these words are a publication, and nothing that could be two. */
export function isOnePublication(words: string): boolean {
  return publication.test(words);
}

/** Values that the catalogue offers in lists of its own, and how the items of other lists are recognised. */

/** An unset value is written as nothing, or as `None`. */
const unset = ['', 'None'];

/** The modes of inheritance, as the catalogue writes them. */
export const modesOfInheritance: readonly string[] = [
  ...unset,
  'MONOALLELIC, autosomal or pseudoautosomal, NOT imprinted',
  'MONOALLELIC, autosomal or pseudoautosomal, maternally imprinted (paternal allele expressed)',
  'MONOALLELIC, autosomal or pseudoautosomal, paternally imprinted (maternal allele expressed)',
  'MONOALLELIC, autosomal or pseudoautosomal, imprinted status unknown',
  'BIALLELIC, autosomal or pseudoautosomal',
  'BOTH monoallelic and biallelic, autosomal or pseudoautosomal',
  'BOTH monoallelic and biallelic (but BIALLELIC mutations cause a more SEVERE disease form), autosomal or pseudoautosomal',
  'X-LINKED: hemizygous mutation in males, biallelic mutations in females',
  'X-LINKED: hemizygous mutation in males, monoallelic mutations in females may cause disease (may be less severe, later onset than males)',
  'MITOCHONDRIAL',
  'Unknown',
  'Other',
  'Other - please specify in evaluation comments',
  'Other - please specifiy in evaluation comments',
];

/** The modes of pathogenicity, as the catalogue writes them. */
export const modesOfPathogenicity: readonly string[] = [
  ...unset,
  'Loss-of-function variants (as defined in pop up message) DO NOT cause this phenotype - please provide details in the comments',
  'Other',
  'Other - please provide details in the comments',
];

/** Tags of one word, or with spaces. */
const tags: ReadonlySet<string> = new Set(
  `Pharmacogenomics, STR, Skewed; X, Skewed X-inactivation, SV/CNV, clinical trial, cnv, de novo,
    digenic, disputed, dosage, gene therapy, missense, mosaicism, new gene name, non-coding gene,
    promoter, refuted, regulatory, somatic, to be removed from panel, treatable, watchlist`.split(/,\s+/),
);

/** Tags such as `new-gene-name`, `Q3_23_rating`, `v1.2` and `watchlist`: a word of several parts, or in small letters. */
const oneWordTag = /^\w+(?:[-_.]\w*)+$|^[a-z]{3,}$/;

/** Whether a piece of a list of tags is a tag by itself, and not a part of one that holds a comma. */
export function isTag(piece: string): boolean {
  return tags.has(piece) || oneWordTag.test(piece);
}

/** Whether a piece of a list of HPO terms starts a term. */
export function isHpoTerm(piece: string): boolean {
  return /^HP:\d/.test(piece);
}

/** Whether a piece of a list can be a panel's name or type: one starts with a capital letter or a digit. */
export function isPanelName(piece: string): boolean {
  return /^[\p{Lu}\p{N}]/u.test(piece);
}

/** Whether a piece of a list of sources is a review or list of the catalogue's own experts. */
export function isExpertSource(piece: string): boolean {
  return /^Expert (?:Review(?: (?:Green|Amber|Red|Removed))?|List)$/i.test(piece);
}
