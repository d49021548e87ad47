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
const tags: ReadonlySet<string> = new Set([
  'Pharmacogenomics',
  'STR',
  'Skewed; X',
  'Skewed X-inactivation',
  'SV/CNV',
  'clinical trial',
  'cnv',
  'de novo',
  'digenic',
  'disputed',
  'dosage',
  'gene therapy',
  'missense',
  'mosaicism',
  'new gene name',
  'non-coding gene',
  'promoter',
  'refuted',
  'regulatory',
  'somatic',
  'to be removed from panel',
  'treatable',
  'watchlist',
]);

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
