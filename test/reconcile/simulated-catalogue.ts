import type { Catalogue, ListReading } from '../../lambdas/catalogue/client.ts';
import { type Listed, type Listing, readListing } from '../../lambdas/catalogue/http/listing.ts';
import {
  type Activity,
  type Panel,
  type PanelDetail,
  panelDetailSchema,
  panelSchema,
  type Region,
  regionSchema,
} from '../../lambdas/catalogue/schemas.ts';
import { formatInstant, type Instant } from '../../lambdas/run/instant.ts';
import { silentLog } from '../../lambdas/run/log.ts';
import { createSimulatedLog, type SimulatedLog } from '../poll/simulated-log.ts';

/** A panel of the simulated catalogue, with its regions, as the catalogue's listings show it. */
export interface SimulatedPanel {
  readonly id: number;
  /** What `/panels/` shows, but for the numbers of entities. */
  readonly listed: Omit<Known<Panel>, 'id' | 'stats'>;
  genes: number;
  readonly held: SimulatedRegion[];
}
type SimulatedRegion = Omit<Known<Region>, 'panel'>;

/** A resource without the fields that the catalogue may add. */
type Known<Resource> = {
  [Field in keyof Resource as string extends Field ? never : Field]: Resource[Field];
};

/** A catalogue whose panels change with and without a row in its log. */
export interface SimulatedCatalogue {
  readonly log: SimulatedLog;
  readonly panels: Map<number, SimulatedPanel>;
  /** What polls, sweeps and proofs read. */
  readonly client: Catalogue;
  /** Called before each page of a listing is served. */
  betweenPages: () => void;
  /** Pages of listings that were asked for. */
  readonly listingPages: { count: number };
  addPanel(id: number, name: string): SimulatedPanel;
  /** Hides or shows a panel with all its rows. */
  show(id: number, visible: boolean): void;
  /** Writes a row about a panel, or about one of its regions. */
  write(panel: SimulatedPanel, text: string, given?: Partial<Activity> & { readonly at?: Instant }): void;
  /** A new version of the panel, at this moment; the archive keeps what the panel held until now. */
  setVersion(panel: SimulatedPanel, version: string): void;
}

const LISTING_PAGE = 4;

/** A panel version one minor step higher. */
export function nextMinor(version: string): string {
  const [major, minor] = version.split('.').map(Number);
  return `${major}.${(minor ?? 0) + 1}`;
}

/** A panel version one major step higher. */
export const nextMajor = (version: string): string => `${Number(version.split('.')[0]) + 1}.0`;

/** A region as a new catalogue has it. */
export function regionNamed(name: string): SimulatedRegion {
  return {
    gene_data: null,
    entity_type: 'region',
    entity_name: name,
    verbose_name: `Region ${name}`,
    confidence_level: '2',
    penetrance: '',
    mode_of_pathogenicity: null,
    haploinsufficiency_score: '3',
    triplosensitivity_score: '',
    required_overlap_percentage: 60,
    type_of_variants: 'cnv_loss',
    publications: [],
    evidence: [],
    phenotypes: ['Intellectual disability'],
    mode_of_inheritance: 'MONOALLELIC, autosomal or pseudoautosomal, NOT imprinted',
    chromosome: '7',
    grch37_coordinates: null,
    grch38_coordinates: [100, 200],
    tags: [],
  };
}

export function createSimulatedCatalogue(seed = 1, pageSize = 20): SimulatedCatalogue {
  const log = createSimulatedLog({ seed, pageSize });
  const panels = new Map<number, SimulatedPanel>();
  const listingPages = { count: 0 };
  const archive = new Map<string, PanelDetail>();
  const visible = (): SimulatedPanel[] =>
    [...panels.values()]
      .filter(({ id }) => !log.hidden.has(id))
      .sort((one, other) => (one.listed.name < other.listed.name ? -1 : 1));

  const panelOf = ({ id, genes, held, listed }: SimulatedPanel): Panel => ({
    ...listed,
    id,
    stats: { number_of_genes: genes, number_of_strs: 0, number_of_regions: held.length },
  });
  const detailOf = (panel: SimulatedPanel): PanelDetail =>
    panelDetailSchema.parse(
      structuredClone({ ...panelOf(panel), child_panel_ids: [], genes: [], strs: [], regions: panel.held }),
    );
  const regionsOf = (panel: SimulatedPanel): readonly Region[] =>
    panel.held.map((region) => ({ ...region, panel: panelOf(panel) }) as Region);
  const list = <Item>(
    name: string,
    items: () => readonly Item[],
    { schema, identify }: Pick<Listing<Item>, 'schema' | 'identify'>,
    reading?: ListReading,
  ): Promise<Listed<Item>> =>
    readListing<Item>({
      name,
      identify,
      pages: 100,
      log: silentLog,
      schema,
      fail: (condition, seen) => new Error(`${condition}: ${seen}`),
      pagesRead: reading?.pagesRead,
      readPage: async (page) => {
        reading?.beforeRequest();
        catalogue.betweenPages();
        listingPages.count += 1;
        const all = items();
        const from = (page - 1) * LISTING_PAGE;
        if (page > 1 && from >= all.length) return null;
        return {
          items: structuredClone(all.slice(from, from + LISTING_PAGE)) as unknown[],
          count: all.length,
          hasNext: from + LISTING_PAGE < all.length,
          serverTime: Math.floor(log.clock.now() / 1000) * 1000,
        };
      },
    });
  const panelList = { schema: panelSchema, identify: ({ id }: Panel) => String(id) };
  const regionList = {
    schema: regionSchema,
    identify: ({ panel, entity_name }: Region) => `${panel.id}/${entity_name}`,
  };
  const listPanels: Catalogue['listPanels'] = (reading) =>
    list('panels', () => visible().map(panelOf), panelList, reading);
  const listRegions: Catalogue['listRegions'] = (reading) =>
    list('regions', () => visible().flatMap(regionsOf), regionList, reading);

  const catalogue: SimulatedCatalogue = {
    log,
    panels,
    listingPages,
    betweenPages: () => {},
    client: {
      ...log,
      activities: log.activities,
      listPanels,
      listRegions,
      panels: async () => (await listPanels()).items,
      regions: async () => (await listRegions()).items,
      async panelDetail(id, version) {
        const panel = visible().find((one) => one.id === id);
        if (!panel) return null;
        if (version === undefined || version === panel.listed.version) return detailOf(panel);
        return archive.get(`${id} ${version}`) ?? null;
      },
      panelRows: async (id) =>
        visible().some((one) => one.id === id)
          ? log.rows.flatMap(({ row }) => (row.panel_id === id ? [row] : [])).reverse()
          : null,
    },
    addPanel(id, name) {
      const panel: SimulatedPanel = {
        id,
        listed: {
          hash_id: null,
          name,
          disease_group: 'Neurology',
          disease_sub_group: '',
          description: `About panel ${id}`,
          status: 'public',
          version: '1.3',
          version_created: formatInstant(log.now),
          relevant_disorders: [`R${id}`],
          types: [{ name: 'Rare disease', slug: 'rare-disease', description: '' }],
        },
        genes: 20,
        held: [regionNamed(`ISCA-${id}-Loss`)],
      };
      panels.set(id, panel);
      return panel;
    },
    show(id, shown) {
      if (shown) log.hidden.delete(id);
      else log.hidden.add(id);
    },
    write({ id, listed }, text, given = {}) {
      log.write(text, {
        panel_id: id,
        panel_name: listed.name,
        panel_version: listed.version,
        item_type: 'panel',
        entity_name: null,
        entity_type: null,
        ...given,
      });
    },
    setVersion(panel, version) {
      archive.set(`${panel.id} ${panel.listed.version}`, detailOf(panel));
      panel.listed.version = version;
      panel.listed.version_created = formatInstant(log.now);
    },
  };
  return catalogue;
}
