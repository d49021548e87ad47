import { nextSymbol, originalSymbol } from '../gene-data.ts';
import { chance, pick, type Values } from '../values.ts';
import * as words from './words.ts';

/** Values as curators and reviewers of a real catalogue would enter them. */
export function realisticValues(random: () => number): Values {
  const integer = (min: number, max: number): number => min + Math.floor(random() * (max - min + 1));
  // What is renamed says so in its name, as in real catalogues, and never takes another's.
  const revised = (name: string): string =>
    `${name.replace(/ \(rev\. \d+\)$/, '')} (rev. ${integer(2, 9999)})`;
  /** The present symbols of genes that HGNC has renamed, by their first ones. */
  const replaced = new Map<string, string>();
  const values: Values = {
    integer,
    comment: () => pick(values, words.comments),
    modeOfInheritance: () => pick(values, words.modesOfInheritance),
    modeOfPathogenicity: () => pick(values, words.modesOfPathogenicity),
    penetrance: () => pick(values, ['Complete', 'Incomplete', 'unknown']),
    phenotype: () => pick(values, words.phenotypes),
    publication: () => {
      const number = String(integer(20_000_000, 39_999_999));
      return chance(values, 30) ? `PMID: ${number}` : number;
    },
    transcript: () => `NM_${String(integer(1, 999_999)).padStart(6, '0')}.${integer(1, 5)}`,
    source: () => pick(values, words.sources),
    tag: () => pick(values, words.tags),
    geneSymbol() {
      const symbol = pick(values, words.genes);
      return replaced.get(symbol) ?? symbol;
    },
    symbolReplacing(symbol) {
      const next = nextSymbol(symbol);
      replaced.set(originalSymbol(symbol), next);
      return next;
    },
    strName: (before) => (before ? revised(before) : pick(values, words.strs)),
    regionName: (before) => (before ? revised(before) : pick(values, words.regions)),
    verboseName: () => pick(values, words.verboseNames),
    panelName: (before) => (before ? revised(before) : pick(values, words.panels)[0]),
    disorder: () => `R${integer(10, 400)}`,
    hpoTerm: () => `HP:${String(integer(1, 9_999_999)).padStart(7, '0')}`,
    personName: () => pick(values, [...words.curators, ...words.reviewers]),
    gap: () => integer(400, 27_000),
  };
  return values;
}
