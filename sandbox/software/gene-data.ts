import { genes } from './realistic/words.ts';
import type { CodeLine } from './state.ts';

/** What the catalogue knows of a gene apart from its panels. Source: docs/interfaces.md, "Entity". */
interface GeneData {
  readonly alias: readonly string[];
  readonly biotype: string;
  readonly hgnc_id: string;
  readonly gene_name: string;
  readonly omim_gene: readonly string[];
  readonly alias_name: readonly string[] | null;
  readonly gene_symbol: string;
  readonly hgnc_symbol: string;
  readonly hgnc_release: string | null;
  readonly ensembl_genes: Readonly<Record<string, Readonly<Record<string, EnsemblGene>>>>;
  readonly hgnc_date_symbol_changed: string | null;
}

interface EnsemblGene {
  readonly ensembl_id: string;
  /** `11:118955576-118964259` */
  readonly location: string;
}

/** The made-up number of a gene starts here, above all that HGNC has given. */
const FIRST_MADE_UP = 900_000;
const trueNumbers: Readonly<Record<string, number>> = { BRCA1: 1100, BRCA2: 1101 };

/** The releases of Ensembl for GRCh37 and GRCh38, and of HGNC. */
const releases = {
  au: { GRch37: '87', GRch38: '115', hgnc: '2023-03-01T00:00:00' },
  'uk-2019': { GRch37: '82', GRch38: '90', hgnc: '2017-11-03' },
} as const satisfies Readonly<Record<CodeLine, object>>;

/** What the catalogue shows of the gene with this symbol: made up, but always the same, also when HGNC renames it. */
export function geneDataOf(symbol: string, codeLine: CodeLine): GeneData {
  const original = originalSymbol(symbol);
  const number = numberOf(original);
  const { hgnc, GRch37, GRch38 } = releases[codeLine];
  const renamed = original !== symbol;
  return {
    alias: aliasesOf(original, renamed),
    biotype: 'protein_coding',
    hgnc_id: `HGNC:${trueNumbers[original] ?? number}`,
    gene_name: `made-up gene ${original}`,
    omim_gene: number % 10 === 0 ? [] : [String(600_000 + (number % 90_000))],
    alias_name: number % 4 === 0 ? null : [],
    gene_symbol: symbol,
    hgnc_symbol: symbol,
    hgnc_release: number % 7 === 0 ? null : hgnc,
    ensembl_genes:
      number % 20 === 0
        ? {}
        : { GRch37: { [GRch37]: ensemblOf(number, 0) }, GRch38: { [GRch38]: ensemblOf(number, 1500) } },
    hgnc_date_symbol_changed: renamed ? '2024-05-01' : null,
  };
}

/** The next symbol that HGNC gives to a gene: `TTN`, `TTN-R2`, `TTN-R3`. */
export function nextSymbol(symbol: string): string {
  const edition = Number(/-R(\d+)$/.exec(symbol)?.[1] ?? 1);
  return `${originalSymbol(symbol)}-R${edition + 1}`;
}

/** The symbol under which a gene was known first. */
export function originalSymbol(symbol: string): string {
  return symbol.replace(/-R\d+$/, '');
}

function numberOf(original: string): number {
  const place = genes.indexOf(original);
  if (place >= 0) return FIRST_MADE_UP + place;
  let hash = 0;
  for (const letter of original) hash = (hash * 31 + letter.charCodeAt(0)) % 9_000_000;
  return FIRST_MADE_UP + genes.length + hash;
}

/** Some genes have the symbol of another gene as alias, so that who matches by alias goes wrong. */
function aliasesOf(original: string, renamed: boolean): readonly string[] {
  const place = genes.indexOf(original);
  const another = place % 3 === 0 ? genes[place + 1] : undefined;
  return [...(renamed ? [original] : []), ...(another === undefined ? [] : [another])];
}

function ensemblOf(number: number, shift: number): EnsemblGene {
  const start = 1_000_000 + ((number * 7919) % 130_000_000) + shift;
  const chromosome = (number % 23) + 1;
  return {
    ensembl_id: `ENSG${String(number).padStart(11, '0')}`,
    location: `${chromosome === 23 ? 'X' : chromosome}:${start}-${start + 9000}`,
  };
}
