/**
 * The values that people enter. Two implementations: realistic values for the made-up log, hostile
 * ones for the property tests.
 */
export interface Values {
  /** A whole number, both bounds included. */
  integer(min: number, max: number): number;
  comment(): string;
  modeOfInheritance(): string;
  modeOfPathogenicity(): string;
  penetrance(): string;
  phenotype(): string;
  publication(): string;
  transcript(): string;
  /** A source that carries no rating. */
  source(): string;
  tag(): string;
  geneSymbol(): string;
  /** A symbol that replaces another everywhere; from then on the values hold the old one no more. */
  symbolReplacing(symbol: string): string;
  /** `before`: what it is called so far, where it is renamed. */
  strName(before?: string): string;
  regionName(before?: string): string;
  verboseName(): string;
  panelName(before?: string): string;
  disorder(): string;
  hpoTerm(): string;
  personName(): string;
  /** Microseconds between two rows of one action. */
  gap(): number;
}

/** True in so many percent of the draws. */
export function chance(values: Values, percent: number): boolean {
  return values.integer(1, 100) > 100 - percent;
}

/**
 * One of the items.
 * @throws {Error} when the list is empty
 */
export function pick<T>(values: Values, from: readonly [T, ...T[]] | readonly T[]): T {
  const found = from[values.integer(0, from.length - 1)];
  if (found === undefined) throw new Error('nothing to pick from');
  return found;
}

/** The value, or null where chance has it. */
export function maybe<T>(values: Values, percent: number, draw: () => T): T | null {
  return chance(values, percent) ? draw() : null;
}

/** Distinct values: as many as chance has it, fewer where the draw repeats itself. */
export function several(values: Values, least: number, most: number, draw: () => string): string[] {
  const wanted = values.integer(least, most);
  const found = new Set<string>();
  for (let tries = 0; found.size < wanted && tries < wanted * 4; tries += 1) found.add(draw());
  return [...found];
}

/** Some of what there is, in its order. */
export function someOf<T>(values: Values, percent: number, from: readonly T[]): T[] {
  return from.filter(() => chance(values, percent));
}

/** What a panel lists. */
export type EntityType = 'gene' | 'str' | 'region';

export const entityTypes: readonly EntityType[] = ['gene', 'str', 'region'];

const labelWords = { gene: 'gene', str: 'STR', region: 'Region' } as const;

/** `gene: BRCA1`, `STR: HTT_CAG`, `Region: ISCA-37390-Loss`. */
export function labelOf(type: EntityType, name: string): string {
  return `${labelWords[type]}: ${name}`;
}

/** The label as it heads a rating by hand: first letter upper, all the rest lower (`Str: htt_cag`). */
export function capitalizedLabelOf(type: EntityType, name: string): string {
  const label = labelOf(type, name);
  return label.slice(0, 1).toUpperCase() + label.slice(1).toLowerCase();
}

/** The time zone of `created`: `utc` (`…Z`) or `sydney`, with the offset of the season (`+10:00`, `+11:00`). */
export type Zone = 'utc' | 'sydney';

/** Renders microseconds since the epoch as `created`: with six digits, or none where the microseconds are zero. */
export function renderCreated(micros: number, zone: Zone): string {
  const millis = Math.floor(micros / 1_000_000) * 1000;
  const fraction = micros % 1_000_000;
  const offset = zone === 'utc' ? 0 : sydneyOffset(millis);
  const wall = new Date(millis + offset * 60_000).toISOString().slice(0, 19);
  const digits = fraction === 0 ? '' : `.${String(fraction).padStart(6, '0')}`;
  return `${wall}${digits}${zone === 'utc' ? 'Z' : offsetText(offset)}`;
}

function offsetText(minutes: number): string {
  return `+${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
}

const sydney = new Intl.DateTimeFormat('en-AU', { timeZone: 'Australia/Sydney', timeZoneName: 'longOffset' });

/** The offset of Sydney from UTC at that time, in minutes. */
function sydneyOffset(millis: number): number {
  const name = sydney.formatToParts(millis).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, hours, minutes] = /GMT\+(\d{2}):(\d{2})/.exec(name) ?? [];
  if (hours === undefined)
    throw new Error(`Node gives no offset for Sydney (it gives "${name}"); it needs full ICU data`);
  return Number(hours) * 60 + Number(minutes);
}

/**
 * Parses a `created` (date, time, up to six digits, `Z` or an offset) into microseconds since the epoch. Returns undefined
 * for any other text.
 */
export function parseCreated(created: string): number | undefined {
  const match = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.(\d{1,6}))?(Z|[+-]\d{2}:\d{2})$/.exec(created);
  if (!match) return undefined;
  const [, seconds, fraction = '', zone] = match;
  const millis = Date.parse(`${seconds}${zone}`);
  return Number.isNaN(millis) ? undefined : millis * 1000 + Number(fraction.padEnd(6, '0'));
}

/**
 * Numbers in [0, 1) that repeat exactly for the same seed (splitmix32), so that the sandbox can serve
 * the same log again.
 */
export function seededRandom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = state ^ (state >>> 16);
    mixed = Math.imul(mixed, 0x21f0aaad);
    mixed ^= mixed >>> 15;
    mixed = Math.imul(mixed, 0x735a2d97);
    mixed ^= mixed >>> 15;
    return (mixed >>> 0) / 2 ** 32;
  };
}

/** Invented people and notes, real-looking genes, panels and literature: the vocabulary of the made-up catalogue. */

export const curators = [
  'Ana Lindqvist',
  'Tomasz Wierzba',
  'Priya Raman-Cole',
  'Eleanor Vance-Holt',
] as const;

export const reviewers = [
  'Zoë Ångström-Müller',
  'Seán Ó Súilleabháin',
  'Yusuf Al-Haddad',
  'Double  Space  Nameson',
  'Marguerite',
  'Chidi Okonkwo',
] as const;

export const genes = (
  'ABCA4 ACADM ACADVL ADA AP3B2 ARX ASS1 ATM ATP7B BAG3 BRCA1 BRCA2 C2orf69 CAPN3 CCDC39 CEP290 CHEK2 CNBP COL2A1 ' +
  'COL5A2 DMPK DNM2 DNMT3A DSP DYSF EHMT1 F8 FBN1 FGFR1 FOXC1 FOXG1 GABRA1 GABRB3 GATA1 GLA H4C5 HBA1 HLA-DRB1 ' +
  'HNF1B HTT IFITM5 KCNQ2 LMNA LZTR1 MCPH1 MFN2 MLH1 MT-ND1 MT-TL1 MYBPC3 MYH7 MYL2 MYO15A MYO7A NKX2-1 NPHP1 ' +
  'NPHS1 NPRL3 PAH PDHA1 PKD1 PKD2 PMP22 PRPH2 PTEN RAF1 RAG2 RBM20 RHO RNU4-2 SCN1A SFTPC SLC12A3 SLC6A8 SMN1 ' +
  'SNORD118 STK11 TBX1 TECTA TERC TNNI3 TNNT2 TSC1 TSC2 TTN TUBA1A TUBB2B UMOD VHL WDR45'
).split(' ');

const strs = 'ATXN10_ATTCT ATXN7_CAG C9orf72_GGGGCC DMPK_CTG FXN_GAA HTT_CAG RFC1_AAGGG'.split(' ');

const regions = (
  'ISCA-37390-Loss ISCA-37392-Loss ISCA-37400-Gain ISCA-37404-Loss ISCA-37415-Loss ISCA-37423-Gain ' +
  'ISCA-37429-Loss ISCA-37478-Gain ISCA-46302-Gain'
).split(' ');

const verboseNames = [
  '7q11.23 recurrent (Williams-Beuren syndrome) region (includes ELN) Loss',
  '8p23.1 recurrent region (includes GATA4) Gain',
  '15q11q13 recurrent (PWS/AS) region (BP2-BP3, Class 2) Loss',
  '22q11.2 recurrent (DGS/VCFS) region (proximal, A-D) (includes TBX1) Loss',
] as const;

/** Each with the test-directory codes that it serves. */
export const panelNames: readonly (readonly [name: string, ...codes: string[]])[] = [
  ['Hearing loss', 'R67'],
  ['Inherited breast cancer and ovarian cancer', 'R208'],
  ['Retinal disorders', 'R32'],
  ['Cystic kidney disease', 'R193'],
  ['Genetic epilepsy syndromes', 'R59', 'R54'],
  ['Hereditary ataxia - from infancy to adulthood', 'R54', 'R55'],
  ['Skeletal dysplasia', 'R104'],
  ['Monogenic diabetes', 'R141', 'R142'],
  ['Congenital myopathy', 'R79'],
  ['Mitochondrial disorders', 'R300'],
  ['Intellectual disability', 'R29'],
  ['Hypertrophic cardiomyopathy', 'R131'],
  ['Proteinuric renal disease', 'R195'],
  ['Likely inborn error of metabolism - targeted testing not possible', 'R98'],
  ['Neonatal diabetes', 'R143'],
  ['Tuberous sclerosis', 'R228'],
];

export const superPanelName = 'Paediatric disorders - super panel';

const sources = [
  'NHS GMS',
  'Literature',
  'UKGTN',
  'ClinGen',
  'Expert List',
  'Radboud University Medical Center, Nijmegen',
  'Illumina TruGenome Clinical Sequencing Services',
  'Emory Genetics Laboratory',
  'Victorian Clinical Genetics Services',
  'London North GLH',
] as const;

const tags = [
  'watchlist',
  'watchlist_moi',
  'new-gene-name',
  'treatable',
  'mosaicism',
  'de novo',
  'to be removed from panel',
  'currently-ngs-unreportable',
  'nucleotide-repeat-expansion',
  'Q2_26_promote_green',
  'Q3_26_demote_red',
] as const;

export const modesOfInheritance = [
  'MONOALLELIC, autosomal or pseudoautosomal, imprinted status unknown',
  'MONOALLELIC, autosomal or pseudoautosomal, NOT imprinted',
  'BIALLELIC, autosomal or pseudoautosomal',
  'BOTH monoallelic and biallelic, autosomal or pseudoautosomal',
  'BOTH monoallelic and biallelic (but BIALLELIC mutations cause a more SEVERE disease form), autosomal or pseudoautosomal',
  'X-LINKED: hemizygous mutation in males, biallelic mutations in females',
  'Unknown',
] as const;

export const modesOfPathogenicity = [
  'Loss-of-function variants (as defined in pop up message) DO NOT cause this phenotype - please provide details in the comments',
  'Other',
] as const;

const phenotypes = [
  'Deafness, autosomal recessive 1A, 220290',
  'Hypertrophic cardiomyopathy',
  'Charcot–Marie–Tooth disease, type 1A',
  '{Breast-ovarian cancer, familial, 1}, 604370',
  'Spinocerebellar ataxia 10, MONDO:0011330',
  'Kabuki syndrome 1, 147920',
  'Retinitis pigmentosa 20, 613794',
  '?Neurodevelopmental disorder with seizures',
  'Ehlers-Danlos syndrome, vascular type, OMIM:130050',
  'Intellectual disability',
] as const;

const comments = [
  'Three unrelated families reported with biallelic loss-of-function variants and a consistent phenotype.',
  'Only one family reported to date; keep Amber until further evidence.',
  'Agree with previous reviewer.',
  'Associated with the relevant phenotype in OMIM and as definitive in Gene2Phenotype.',
  'See PMID: 31000001 - de novo enrichment in a large cohort (p = 2.1e-9).',
  'The rating of this gene has been updated following review by the specialist test group.',
  'Functional data in zebrafish;\nvariants cluster in the kinase domain.',
  'Was changed from Amber to Green in an earlier round, and should not have been.',
] as const;

/** The next symbol that HGNC gives to a gene: `TTN`, `TTN-R2`, `TTN-R3`. */
function nextSymbol(symbol: string): string {
  const edition = Number(/-R(\d+)$/.exec(symbol)?.[1] ?? 1);
  return `${originalSymbol(symbol)}-R${edition + 1}`;
}

/** The symbol under which a gene was known first. */
export function originalSymbol(symbol: string): string {
  return symbol.replace(/-R\d+$/, '');
}

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
    comment: () => pick(values, comments),
    modeOfInheritance: () => pick(values, modesOfInheritance),
    modeOfPathogenicity: () => pick(values, modesOfPathogenicity),
    penetrance: () => pick(values, ['Complete', 'Incomplete', 'unknown']),
    phenotype: () => pick(values, phenotypes),
    publication: () => {
      const number = String(integer(20_000_000, 39_999_999));
      return chance(values, 30) ? `PMID: ${number}` : number;
    },
    transcript: () => `NM_${String(integer(1, 999_999)).padStart(6, '0')}.${integer(1, 5)}`,
    source: () => pick(values, sources),
    tag: () => pick(values, tags),
    geneSymbol() {
      const symbol = pick(values, genes);
      return replaced.get(symbol) ?? symbol;
    },
    symbolReplacing(symbol) {
      const next = nextSymbol(symbol);
      replaced.set(originalSymbol(symbol), next);
      return next;
    },
    strName: (before) => (before ? revised(before) : pick(values, strs)),
    regionName: (before) => (before ? revised(before) : pick(values, regions)),
    verboseName: () => pick(values, verboseNames),
    panelName: (before) => (before ? revised(before) : pick(values, panelNames)[0]),
    disorder: () => `R${integer(10, 400)}`,
    hpoTerm: () => `HP:${String(integer(1, 9_999_999)).padStart(7, '0')}`,
    personName: () => pick(values, [...curators, ...reviewers]),
    gap: () => integer(400, 27_000),
  };
  return values;
}
