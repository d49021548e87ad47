import { renderCreated } from '../../sandbox/software/values.ts';
import type { Detail, LogRow, SavedArchive } from './archived-truth.ts';

/** A version of the panel, and the rows of the action that made it. */
interface Action {
  readonly texts: readonly string[];
  /** The genes at the end of the version, each with what differs from `aGene`. */
  readonly genes: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Rows that raised no version. */
  readonly later?: readonly string[];
}

const PANEL = { id: 7, name: 'Example' };
const MINUTE = 60_000_000;
const BEGINNING = Date.UTC(2026, 10, 2, 9) * 1000;

const levels = { none: '0', red: '1', amber: '2', green: '3' } as const;
const listNames = {
  green: ['Green List (High Evidence).', 'Green List (high evidence)'],
  amber: ['Amber List (Moderate Evidence).', 'Amber List (moderate evidence)'],
  red: ['Red List (Low Evidence).', 'Red List (low evidence)'],
} as const;

const rated = (symbol: string, rating: keyof typeof listNames): string[] => {
  const [first, last] = listNames[rating];
  const label = `Gene: ${symbol.toLowerCase()} has been classified as ${first}`;
  return [label, `Classified gene: ${symbol} as ${last}`];
};
const added = (symbol: string, source: string, more: readonly string[] = []): string =>
  [
    `gene: ${symbol} was added`,
    `gene: ${symbol} was added to ${PANEL.name}. Sources: ${source}`,
    ...more,
  ].join('\n');

const BIALLELIC = 'BIALLELIC, autosomal or pseudoautosomal';
const MONOALLELIC = 'MONOALLELIC, autosomal or pseudoautosomal, NOT imprinted';
const at = (rating: keyof typeof levels, more: object = {}) => ({
  confidence_level: levels[rating],
  ...more,
});

/**
 * Invented. It holds what makes values false most easily: changes without a row between two rows, rows that state a rating which
 * the archive never held, a rating lost with its source.
 */
const actions: readonly Action[] = [
  { texts: ['Added Panel Example'], genes: {} },
  { texts: [added('HACD1', 'Expert Review Red')], genes: { HACD1: at('red') } },
  { texts: rated('HACD1', 'green'), genes: { HACD1: at('green') } },
  { texts: rated('HACD1', 'red'), genes: { HACD1: at('red') } },
  // Set by an administrator.
  { texts: [], genes: { HACD1: at('amber') } },
  { texts: rated('HACD1', 'green'), genes: { HACD1: at('green') } },
  // The row says green, and the archive never held it.
  {
    texts: [added('STRC', 'Expert Review Green')],
    genes: { HACD1: at('green'), STRC: at('none') },
  },
  {
    texts: rated('STRC', 'green'),
    genes: { HACD1: at('green'), STRC: at('green', { tags: ['watchlist'] }) },
    later: ['Tag watchlist tag was added to gene: STRC.'],
  },
  {
    texts: [`Mode of inheritance for gene: STRC was changed from ${BIALLELIC} to ${MONOALLELIC}`],
    genes: {
      HACD1: at('green'),
      STRC: at('green', { tags: ['watchlist'], mode_of_inheritance: MONOALLELIC }),
    },
  },
  // The rating goes with its source, and no row says so.
  {
    texts: ['Source: Expert Review Green was removed from gene: HACD1'],
    genes: {
      HACD1: at('none', { evidence: [] }),
      STRC: at('green', { tags: ['watchlist'], mode_of_inheritance: MONOALLELIC }),
    },
  },
  {
    texts: rated('HACD1', 'amber'),
    genes: {
      HACD1: at('amber', { evidence: ['Expert Review Amber'] }),
      STRC: at('green', { tags: ['watchlist'], mode_of_inheritance: MONOALLELIC }),
    },
  },
  // The gene turns red without a row, and is removed with one.
  { texts: [], genes: { HACD1: at('amber', { evidence: ['Expert Review Amber'] }), STRC: at('red') } },
  {
    texts: ['removed gene:STRC from the panel'],
    genes: { HACD1: at('amber', { evidence: ['Expert Review Amber'] }) },
  },
];

function aGene(symbol: string, id: number, differing: Readonly<Record<string, unknown>>): object {
  return {
    entity_type: 'gene',
    entity_name: symbol,
    gene_data: {
      hgnc_id: `HGNC:${id}`,
      gene_symbol: symbol,
      hgnc_symbol: symbol,
      alias: [],
      omim_gene: [],
      ensembl_genes: { GRch38: { 90: { ensembl_id: `ENSG${id}`, location: '1:100-200' } } },
    },
    tags: [],
    evidence: [],
    phenotypes: [],
    publications: [],
    transcript: [],
    penetrance: 'Complete',
    mode_of_inheritance: BIALLELIC,
    mode_of_pathogenicity: null,
    ...differing,
  };
}

/** One panel with all its versions, small enough for every run of the tests. */
export function smallArchive(): SavedArchive {
  const activities: LogRow[] = [];
  const versions: Record<string, Detail> = {};
  const symbols = ['HACD1', 'STRC'];
  const details = actions.map(({ texts, genes, later = [] }, minor): Detail => {
    const begun = BEGINNING + minor * 5 * MINUTE;
    const version = `0.${minor}`;
    for (const [index, text] of [...texts, ...later].entries()) {
      const isLater = index >= texts.length;
      const isPanel = text.startsWith('Added Panel') || text.startsWith('removed ');
      const symbol = symbols.find((one) => text.toLowerCase().includes(one.toLowerCase()));
      activities.unshift({
        created: renderCreated(begun + 40_000 + index * 5000 + (isLater ? 2 * MINUTE : 0), 'utc'),
        panel_id: PANEL.id,
        panel_name: PANEL.name,
        panel_version: version,
        user_name: 'Jo Example',
        item_type: isPanel ? 'panel' : 'entity',
        text,
        entity_name: isPanel ? null : symbol,
        entity_type: isPanel ? null : 'gene',
      });
    }
    return {
      ...PANEL,
      hash_id: null,
      version,
      version_created: renderCreated(begun, 'utc'),
      status: 'public',
      disease_group: '',
      disease_sub_group: '',
      description: '',
      relevant_disorders: [],
      types: [],
      child_panel_ids: [],
      stats: {},
      genes: Object.entries(genes).map(([symbol, differing]) =>
        aGene(symbol, 100 + symbols.indexOf(symbol), differing),
      ),
      strs: [],
      regions: [],
    };
  });
  for (const detail of details.slice(0, -1)) versions[`${detail.id}@${detail.version}`] = detail;
  const last = details.slice(-1).map((detail) => [String(detail.id), detail] as const);
  return { activities, current: Object.fromEntries(last), versions, signedOff: [] };
}
