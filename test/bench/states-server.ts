import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';

/** As many panels as PanelApp UK has, and as many of them signed off. */
export const PANELS = 434;
export const SIGNED_OFF = 297;
/** The genes of the largest panel, which is the first one. */
export const LARGEST = 3_000;
/** A panel of this many genes. */
export const MIDDLE = 300;
export const MIDDLE_PANEL = 2;
/** Panels of half and of twice as many: they show how the time of a proof grows. */
export const HALF_PANEL = 3;
export const DOUBLE_PANEL = 4;
const sizes: Readonly<Record<number, number>> = {
  1: LARGEST,
  [MIDDLE_PANEL]: MIDDLE,
  [HALF_PANEL]: MIDDLE / 2,
  [DOUBLE_PANEL]: 2 * MIDDLE,
};

interface StatesServer {
  readonly catalogue: string;
  /** Begins the next version of a panel, with the row of a new rating. */
  raise(panelId: number): Promise<void>;
  /** How many requests there were since the last call, by what they asked for. */
  seen(): Promise<Readonly<Record<string, number>>>;
  close(): void;
}

/** Starts a catalogue of large panels with their versions, in a process of its own. */
export async function startStatesServer(): Promise<StatesServer> {
  const server = fork(fileURLToPath(import.meta.url));
  const [{ origin }] = await once(server, 'message');
  return {
    catalogue: origin,
    async raise(panelId) {
      await fetch(`${origin}/raise/${panelId}`);
    },
    seen: async () => (await fetch(`${origin}/seen`)).json() as Promise<Record<string, number>>,
    close: () => void server.kill(),
  };
}

const HOUR = 3_600_000;
/** When the only row of the log was written at the start. */
const BEGUN = Date.UTC(2026, 9, 1);

interface Panel {
  readonly id: number;
  readonly size: number;
  /** When each minor version of major 2 began, in milliseconds since the epoch; each one rates the first gene anew. */
  readonly begun: number[];
}

const newestOf = ({ begun }: Panel): number => begun.length - 1;

const timeOf = (at: number): string => new Date(at).toISOString().replace('Z', '000Z');

function itemOf({ id, size, begun }: Panel, minor: number) {
  return {
    id,
    hash_id: null,
    name: `Panel ${id}`,
    disease_group: 'A group',
    disease_sub_group: 'A subgroup',
    status: 'public',
    version: `2.${minor}`,
    version_created: timeOf(begun[minor] ?? 0),
    relevant_disorders: [`R${id}`],
    stats: { number_of_genes: size, number_of_strs: 0, number_of_regions: 0 },
    types: [{ name: 'A type', slug: 'a-type', description: '' }],
  };
}

function geneOf(panel: Panel, place: number, minor: number) {
  const symbol = `GENE${(panel.id * 7 + place) % 6_000}`;
  const start = 1_000_000 + place * 10_000;
  return {
    entity_type: 'gene',
    entity_name: symbol,
    // The first gene of a panel changes with each version.
    confidence_level: String(place === 0 ? 1 + (minor % 3) : 1 + (place % 3)),
    penetrance: 'Complete',
    mode_of_pathogenicity: '',
    mode_of_inheritance: 'BOTH monoallelic and biallelic, autosomal or pseudoautosomal',
    publications: ['28492532', '30311386', '25741868', '31589614', '27854360'],
    evidence: [
      'Expert Review Green',
      'Expert list',
      'NHS GMS',
      'Literature',
      'Radboud University Medical Center',
    ],
    phenotypes: [
      `A disorder of ${symbol}, 600000`,
      `${symbol}-related disease with several features, MONDO:0000001`,
    ],
    tags: place % 20 === 0 ? ['watchlist'] : [],
    transcript: null,
    gene_data: {
      alias: [`${symbol}A`, `${symbol}B`, `${symbol}C`],
      biotype: 'protein_coding',
      hgnc_id: `HGNC:${10_000 + ((panel.id * 7 + place) % 6_000)}`,
      gene_name: `the gene ${symbol} with a name of some words`,
      omim_gene: ['600000'],
      alias_name: null,
      gene_symbol: symbol,
      hgnc_symbol: symbol,
      hgnc_release: '2017-11-03',
      ensembl_genes: {
        GRch37: { 82: { ensembl_id: `ENSG${place}`, location: `1:${start}-${start + 9_000}` } },
        GRch38: { 90: { ensembl_id: `ENSG${place}`, location: `1:${start + 50}-${start + 9_050}` } },
      },
      hgnc_date_symbol_changed: null,
    },
  };
}

const detailOf = (panel: Panel, minor: number) => ({
  ...itemOf(panel, minor),
  genes: Array.from({ length: panel.size }, (_, place) => geneOf(panel, place, minor)),
  strs: [],
  regions: [],
});

if (import.meta.main) {
  // 10 to 150 genes a panel, 80 in the middle; the first one is the largest of PanelApp UK.
  const panels = Array.from({ length: PANELS }, (_, place): Panel => {
    const id = place + 1;
    const size = sizes[id] ?? 10 + ((place * 37) % 141);
    return { id, size, begun: [BEGUN - HOUR - place * HOUR] };
  });
  const rows: object[] = [
    {
      created: timeOf(BEGUN),
      panel_name: 'Panel 1',
      panel_id: 1,
      panel_version: '2.0',
      user_name: 'A Curator',
      item_type: 'panel',
      text: 'promoted panel to version 2.0',
      entity_name: null,
      entity_type: null,
    },
  ];
  let seen: Record<string, number> = {};
  const pageOf = (items: readonly object[], page: number) => ({
    count: items.length,
    next: page * 100 < items.length ? 'more' : null,
    previous: null,
    results: items.slice((page - 1) * 100, page * 100),
  });
  const raise = (panel: Panel): void => {
    // Hours of the notifier's clock pass between two versions.
    const since = BEGUN + 90 * 24 * HOUR + rows.length * HOUR;
    panel.begun.push(since);
    const minor = newestOf(panel);
    const { genes } = detailOf(panel, minor);
    const rating = ['Red', 'Amber', 'Green'][minor % 3] ?? '';
    const gene = genes[0]?.entity_name;
    rows.unshift({
      created: timeOf(since),
      panel_name: `Panel ${panel.id}`,
      panel_id: panel.id,
      panel_version: `2.${minor}`,
      user_name: 'A Curator',
      item_type: 'entity',
      text: `Gene: ${gene?.toLowerCase()} has been classified as ${rating} List (${rating === 'Green' ? 'High' : rating === 'Amber' ? 'Moderate' : 'Low'} Evidence).`,
      entity_name: gene,
      entity_type: 'gene',
    });
  };
  const answer = (address: URL): object | null => {
    const [, , , list = '', key, more] = address.pathname.split('/');
    const page = Number(address.searchParams.get('page') ?? 1);
    const version = address.searchParams.get('version');
    const kind = key ? (key === 'signedoff' ? 'list of sign-offs' : 'state') : list;
    seen[kind] = (seen[kind] ?? 0) + 1;
    if (list === 'activities') return pageOf(rows, page);
    if (list === 'regions') return pageOf([], page);
    if (list !== 'panels') return null;
    if (!key)
      return pageOf(
        panels.map((panel) => itemOf(panel, newestOf(panel))),
        page,
      );
    if (key === 'signedoff') {
      const results = panels
        .slice(0, SIGNED_OFF)
        .map((panel) => ({ ...itemOf(panel, 0), version: '1.9', signed_off: '2026-03-01' }));
      return { count: results.length, next: null, previous: null, results };
    }
    const panel = panels[Number(key) - 1];
    if (!panel || more) return null;
    if (version === null) return detailOf(panel, newestOf(panel));
    if (version === '1.9')
      return { ...detailOf(panel, 0), version: '1.9', version_created: timeOf((panel.begun[0] ?? 0) - HOUR) };
    const [major, minor] = version.split('.').map(Number);
    return major === 2 && minor !== undefined && minor <= newestOf(panel) ? detailOf(panel, minor) : null;
  };
  const server = createServer((request, response) => {
    const address = new URL(request.url ?? '', 'http://x');
    const [, what, id] = address.pathname.split('/');
    if (what === 'raise') {
      const panel = panels[Number(id) - 1];
      if (panel) raise(panel);
      response.end();
      return;
    }
    if (what === 'seen') {
      response.end(JSON.stringify(seen));
      seen = {};
      return;
    }
    const body = answer(address);
    response
      .writeHead(body ? 200 : 404, { 'content-type': 'application/json' })
      .end(JSON.stringify(body ?? { detail: 'Not found.' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  process.send?.({ origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
}
