import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { RunningCatalogue } from '../../../sandbox/catalogue/start.ts';
import { newFolder } from '../../new-folder.ts';
import { aCatalogue, someRows } from './running-catalogue.ts';

interface Item {
  readonly entity_name: string;
  readonly confidence_level: string | number;
  readonly tags?: readonly string[];
  readonly gene_data: { readonly hgnc_id: string; readonly gene_symbol: string } | null;
  readonly panel?: { readonly id: number };
}

interface Detail {
  readonly id: number;
  readonly hash_id: string | null;
  readonly name: string;
  readonly version: string;
  readonly version_created: string;
  readonly child_panel_ids: readonly number[];
  readonly stats: { readonly number_of_genes: number };
  readonly genes: readonly Item[];
  readonly regions: readonly Item[];
  readonly signed_off?: string | null;
}

interface Listed {
  readonly results: readonly Detail[];
}

async function read<Body = Detail>({ url }: RunningCatalogue, path: string): Promise<Body> {
  const response = await fetch(url + path);
  expect(response.status, path).toBe(200);
  return (await response.json()) as Body;
}

const statusOf = async (
  { url }: RunningCatalogue,
  path: string,
): Promise<readonly [number, string | null]> => {
  const response = await fetch(url + path);
  return [response.status, response.headers.get('content-type')];
};

describe('a panel', () => {
  test('is served with its entities, by number and by hash id', async () => {
    const catalogue = await aCatalogue({ history: 60 });
    const panel = await read(catalogue, 'panels/1/');
    expect(panel.genes.length).toBe(panel.stats.number_of_genes);
    expect(panel.genes[0]).toMatchObject({
      entity_type: 'gene',
      confidence_level: expect.stringMatching(/^[0-3]$/),
      gene_data: { hgnc_id: expect.stringMatching(/^HGNC:\d+$/), gene_symbol: panel.genes[0]?.entity_name },
    });
    expect(await read(catalogue, `panels/${panel.hash_id}/`)).toEqual(panel);
  });

  test('comes without entities where these are excluded, but not from the older software', async () => {
    const query = 'panels/1/?exclude_entities=True';
    expect(await read(await aCatalogue({ history: 60 }), query)).not.toHaveProperty('genes');
    expect(await read(await aCatalogue({ history: 60, codeLine: 'uk-2019' }), query)).toHaveProperty('genes');
  });

  test('that holds others lists their entities, each with its panel', async () => {
    const catalogue = await aCatalogue({ history: 60 });
    const { results } = await read<Listed>(catalogue, 'panels/');
    const [superPanel] = results.filter(({ child_panel_ids }) => child_panel_ids.length > 0);
    const { genes, stats } = await read(catalogue, `panels/${superPanel?.id}/`);
    expect(genes.length).toBe(stats.number_of_genes);
    expect(new Set(genes.map(({ panel }) => panel?.id))).toEqual(new Set(superPanel?.child_panel_ids));
  });

  test('gives its rows on one page, newest first', async () => {
    const catalogue = await aCatalogue({ history: 400 });
    const rows = await read<readonly { panel_id: number; created: string }[]>(
      catalogue,
      'panels/2/activities/',
    );
    expect(rows.length).toBeGreaterThan(10);
    expect(rows.every(({ panel_id }) => panel_id === 2)).toBe(true);
    expect(rows.map(({ created }) => created)).toEqual(
      rows
        .map(({ created }) => created)
        .toSorted()
        .toReversed(),
    );
  });

  test('that is hidden is not found, but for its versions', async () => {
    const catalogue = await aCatalogue({ history: 60 });
    const { version } = await read(catalogue, 'panels/1/');
    catalogue.hidePanel(1);
    expect(await statusOf(catalogue, 'panels/1/')).toEqual([404, 'application/json']);
    expect(await statusOf(catalogue, 'panels/1/activities/')).toEqual([404, 'application/json']);
    expect(await read(catalogue, `panels/1/?version=${version}`)).toMatchObject({ id: 1, version });
  });
});

describe('a version', () => {
  test('is kept as it was at its end, with the changes that raised none', async () => {
    const catalogue = await aCatalogue({ history: 60 });
    const { panel } = catalogue.act({ kind: 'rate a gene in the database' });
    const before = await read(catalogue, `panels/${panel.id}/`);
    let touched = 0;
    while (touched !== panel.id) touched = catalogue.act({ kind: 'rate a gene as administrator' }).panel.id;
    const { version } = await read(catalogue, `panels/${panel.id}/`);
    expect(version).not.toBe(before.version);
    const { signed_off: _day, ...archived } = await read(
      catalogue,
      `panels/${panel.id}/?version=${before.version}`,
    );
    expect(archived).toEqual(before);
  });

  test('of the first weeks has the form of old software', async () => {
    const catalogue = await aCatalogue({ history: 400 });
    const { genes } = await read(catalogue, 'panels/1/?version=0.3');
    expect(genes[0]?.confidence_level).toBeTypeOf('number');
    expect(genes[0]).not.toHaveProperty('tags');
  });

  test('each version since the panel began is kept', async () => {
    const catalogue = await aCatalogue({ history: 400 });
    const { version } = await read(catalogue, 'panels/1/');
    const minors = Number(version.split('.')[0]) === 0 ? Number(version.split('.')[1]) : 4;
    for (let minor = 0; minor <= minors; minor += 1) {
      expect(await read(catalogue, `panels/1/?version=0.${minor}`)).toMatchObject({ version: `0.${minor}` });
    }
  });

  test.each([
    ['panels/1/?version=99.9', 404, 'application/json'],
    ['panels/999/', 404, 'application/json'],
    ['panels/1/?version=abc', 500, 'text/html'],
    ['panels/999/?version=1.0', 500, 'text/html'],
    ['panels/1/nonsense/', 404, 'application/json'],
  ])('%s is %i, %s', async (path, status, type) => {
    expect(await statusOf(await aCatalogue({ history: 60 }), path)).toEqual([status, type]);
  });
});

describe('what only states show', () => {
  test('a symbol that is replaced keeps the id of its gene', async () => {
    const catalogue = await aCatalogue({ history: 60 });
    const idsOf = async (): Promise<readonly string[]> => {
      const { results } = await read<Listed>(catalogue, 'panels/');
      const panels = await Promise.all(results.map(({ id }) => read(catalogue, `panels/${id}/`)));
      return panels.flatMap(({ genes }) =>
        genes.map(({ entity_name, gene_data }) => `${gene_data?.hgnc_id} ${entity_name}`),
      );
    };
    const before = new Set(await idsOf());
    expect(catalogue.act({ kind: 'replace the symbol of a gene silently' }).rows).toEqual([]);
    const added = (await idsOf()).filter((gene) => !before.has(gene));
    expect(added.length).toBeGreaterThan(0);
    for (const gene of added) {
      expect(gene).toMatch(/-R2$/);
      expect(before).toContain(gene.replace(/-R2$/, ''));
    }
  });
});

describe('sign-offs', () => {
  const signedOff = async (catalogue: RunningCatalogue, query = ''): Promise<readonly Detail[]> =>
    (await read<Listed>(catalogue, `panels/signedoff/${query}`)).results;

  test('list the version that was signed off, not the one that saving made', async () => {
    const catalogue = await aCatalogue({ history: 60 });
    const { panel } = catalogue.act({ kind: 'sign off the present version' });
    const { version } = await read(catalogue, `panels/${panel.id}/`);
    const [entry] = await signedOff(catalogue, `?panel_id=${panel.id}`);
    expect(entry).toMatchObject({ id: panel.id, signed_off: '2026-11-20' });
    expect(entry?.version).not.toBe(version);
    expect(entry).not.toHaveProperty('genes');
    const whole = await read(catalogue, `panels/signedoff/${panel.id}/`);
    expect(whole).toMatchObject({ ...entry, genes: expect.any(Array) });
    expect(await read(catalogue, `panels/${panel.id}/?version=${entry?.version}`)).toEqual(whole);
  });

  test('each, or the last of a panel alone', async () => {
    const every = await aCatalogue({ history: 60, signOffs: 'every' });
    const last = await aCatalogue({ history: 60 });
    for (const catalogue of [every, last]) {
      for (let times = 0; times < 30; times += 1) catalogue.act({ kind: 'sign off an older version' });
    }
    const listed = await signedOff(every);
    expect(listed.length).toBeGreaterThan(30);
    const panels = new Set(listed.map(({ id }) => id));
    expect((await signedOff(last)).length).toBe(panels.size);
    expect((await signedOff(every, '?display=latest')).length).toBe(panels.size);
    expect(await signedOff(last)).toEqual(await signedOff(every, '?display=latest'));
  });

  test('are for a later day, and removed', async () => {
    const catalogue = await aCatalogue({ history: 60 });
    const { panel } = catalogue.act({ kind: 'sign off for a later day' });
    const days = (await signedOff(catalogue)).filter(({ id }) => id === panel.id);
    expect(days.map(({ signed_off }) => signed_off)).toEqual(['2026-12-04']);
    const before = (await signedOff(catalogue)).length;
    const removed = catalogue.act({ kind: 'remove the sign-off' });
    expect((await signedOff(catalogue)).length).toBe(before - 1);
    expect(await statusOf(catalogue, `panels/signedoff/${removed.panel.id}/`)).toEqual([
      404,
      'application/json',
    ]);
  });
});

describe('the lists of entities', () => {
  interface Page {
    readonly count: number;
    readonly next: string | null;
    readonly results: readonly Item[];
  }
  const whole = async (catalogue: RunningCatalogue, path: string): Promise<readonly Item[]> => {
    const found: Item[] = [];
    for (let next: string | null = `${catalogue.url}${path}`; next; ) {
      const page = (await (await fetch(next)).json()) as Page;
      found.push(...page.results);
      next = page.next;
    }
    return found;
  };

  test('have every entity of every public panel, each with its panel, page by page', async () => {
    const catalogue = await aCatalogue({ history: 300, pageSize: 40 });
    const { results: panels } = await read<Listed>(catalogue, 'panels/');
    const own = await Promise.all(panels.map(({ id }) => read(catalogue, `panels/${id}/`)));
    const held = own
      .filter(({ child_panel_ids: children }) => children.length === 0)
      .flatMap(({ id, genes }) => genes.map(({ entity_name: name }) => `${id} ${name}`));
    const genes = await whole(catalogue, 'genes/');
    expect(held.length).toBeGreaterThan(60);
    expect(genes.map(({ entity_name: name, panel }) => `${panel?.id} ${name}`).toSorted()).toEqual(
      held.toSorted(),
    );
    const [strs, regions] = [await whole(catalogue, 'strs/'), await whole(catalogue, 'regions/')];
    expect((await whole(catalogue, 'entities/')).length).toBe(genes.length + strs.length + regions.length);
    catalogue.hidePanel(1);
    expect((await whole(catalogue, 'genes/')).some(({ panel }) => panel?.id === 1)).toBe(false);
  });

  test('are searched by names, and by newer software for the HGNC id of a gene', async () => {
    const [newer, older] = [
      await aCatalogue({ history: 300 }),
      await aCatalogue({ history: 300, codeLine: 'uk-2019' }),
    ];
    for (const [catalogue, finds] of [
      [newer, true],
      [older, false],
    ] as const) {
      const [one, other] = (await read<Page>(catalogue, 'genes/')).results;
      const names = await whole(catalogue, `genes/?entity_name=${one?.entity_name},${other?.entity_name}`);
      expect(new Set(names.map(({ entity_name: name }) => name))).toEqual(
        new Set([one?.entity_name, other?.entity_name]),
      );
      const byId = await whole(catalogue, `entities/?entity_name=${one?.gene_data?.hgnc_id}`);
      expect(byId.length > 0).toBe(finds);
    }
    expect(await whole(newer, 'genes/?entity_name=NOSUCHGENE')).toEqual([]);
  });

  test('name those who reviewed a gene, and are 404 where the panel does not hold it', async () => {
    const catalogue = await aCatalogue({ history: 60 });
    for (let times = 0; times < 8; times += 1) catalogue.act({ kind: 'review' });
    const genes = await whole(catalogue, 'genes/');
    const reviews = await Promise.all(
      genes.map(({ panel, entity_name: name }) =>
        read<Page>(catalogue, `panels/${panel?.id}/genes/${encodeURIComponent(name)}/evaluations/`),
      ),
    );
    expect(reviews.reduce((sum, { count }) => sum + count, 0)).toBeGreaterThan(0);
    expect(await statusOf(catalogue, 'panels/1/genes/NOSUCHGENE/evaluations/')).toEqual([
      404,
      'application/json',
    ]);
  });
});

test('a catalogue of its lists alone answers 404 to all of it', async () => {
  const catalogue = await aCatalogue({ history: 60, details: 'none' });
  for (const path of [
    'panels/1/',
    'panels/1/?version=0.1',
    'panels/signedoff/',
    'panels/1/activities/',
    'panels/1/genes/TTN/evaluations/',
    'genes/',
    'strs/',
    'entities/',
  ]) {
    expect(await statusOf(catalogue, path), path).toEqual([404, 'application/json']);
  }
});

test('saved pages of every version are served by panel, version and sign-off', async () => {
  const directory = newFolder();
  const whole = await aCatalogue({ history: 60 });
  const present = await read(whole, 'panels/1/');
  const { results: panels } = await read<Listed>(whole, 'panels/');
  const archived = await read(whole, 'panels/1/?version=0.2');
  const { genes: _genes, regions: _regions, ...listed } = archived;
  const files = {
    activities: someRows(3),
    panels,
    regions: [],
    current: { 1: present },
    versions: { '1@0.2': archived },
    signedoff: [{ ...listed, signed_off: '2026-02-01' }],
  };
  for (const [name, body] of Object.entries(files)) {
    writeFileSync(join(directory, `${name}.json.gz`), gzipSync(JSON.stringify(body)));
  }
  const saved = await aCatalogue({ from: directory });
  expect(await read(saved, `panels/${present.hash_id}/`)).toEqual(present);
  expect(await read(saved, `panels/1/?version=${present.version}`)).toEqual(present);
  expect(await read(saved, 'panels/1/?version=0.2')).toEqual(archived);
  expect(await read(saved, 'panels/signedoff/1/')).toEqual({ ...archived, signed_off: '2026-02-01' });
  expect(await statusOf(saved, 'panels/2/?version=0.2')).toEqual([500, 'text/html']);
});
