import { describe, expect, test } from 'vitest';
import { failure, open } from './http/fixtures/opened.ts';
import { body, page, status } from './http/fixtures/responses.ts';
import { type Handler, serve } from './http/fixtures/server.ts';

const panel = (given: object = {}) => ({
  id: 3,
  hash_id: null,
  name: 'Hearing loss',
  status: 'public',
  version: '1.10',
  version_created: '2026-03-01T10:00:00.000001Z',
  relevant_disorders: ['R67'],
  types: [{ name: 'Rare disease', slug: 'rare-disease', description: '' }],
  genes: [],
  strs: [],
  regions: [],
  ...given,
});

const json = (sent: object | string): Handler =>
  body(typeof sent === 'string' ? sent : JSON.stringify(sent), { 'content-type': 'application/json' });

async function openWith(...handlers: readonly Handler[]) {
  const { url, requests } = await serve(...handlers);
  return { ...open(url), requests };
}

test('a panel is asked for as it is now, and as it was at a version', async () => {
  const { catalogue, requests } = await openWith(json(panel()), json(panel()));
  expect(await catalogue.panelDetail(3)).toMatchObject({ id: 3, version: '1.10' });
  expect(await catalogue.panelDetail(3, '1.10')).toMatchObject({ id: 3, version: '1.10' });
  expect(requests).toEqual(['GET /api/v1/panels/3/', 'GET /api/v1/panels/3/?version=1.10']);
});

describe('a panel or version that the catalogue does not have is null,', () => {
  test.each([
    ['a hidden panel', undefined, 404],
    ['an unknown version', '9.9', 404],
    ['an unknown panel with a version, at which the catalogue crashes', '1.0', 500],
  ])('%s, asked for once', async (_what, version, code) => {
    const { catalogue, requests } = await openWith(status(code));
    expect(await catalogue.panelDetail(3, version)).toBeNull();
    expect(requests).toHaveLength(1);
  });
});

test('a crash without a version is an outage, which is retried', async () => {
  const { catalogue, requests } = await openWith(status(500), json(panel()));
  expect(await catalogue.panelDetail(3)).toMatchObject({ id: 3 });
  expect(requests).toHaveLength(2);
});

test('numbers are read as text, null as empty, and repeats are dropped', async () => {
  const publications = Array.from({ length: 20 }, (_, place) => String(28_492_532 + place));
  const gene = {
    entity_type: 'gene',
    entity_name: 'GJB2',
    confidence_level: 3,
    evidence: ['Expert list', 'Expert list', 'Literature'],
    phenotypes: null,
    publications: [...publications, ' ', null, ...publications],
    penetrance: '',
    gene_data: { hgnc_id: 'HGNC:4284', alias_name: null, omim_gene: [121011], ensembl_genes: {} },
  };
  const sent = JSON.stringify(panel({ genes: [gene], hash_id: 553, regions: null })).replace(
    '"1.10"',
    '1.10',
  );
  const { catalogue } = await openWith(json(sent));
  const read = await catalogue.panelDetail(3, '1.10');
  expect(read).toMatchObject({ version: '1.10', hash_id: '553' });
  expect(read?.genes[0]).toMatchObject({
    confidence_level: '3',
    evidence: ['Expert list', 'Literature'],
    phenotypes: [],
    publications,
    penetrance: null,
    gene_data: { hgnc_id: 'HGNC:4284', omim_gene: ['121011'] },
  });
  expect(read?.genes[0]).not.toHaveProperty('tags');
});

const withGene = (given: object) =>
  panel({ genes: [{ entity_type: 'gene', entity_name: 'GJB2', ...given }] });

describe('a state is refused', () => {
  test.each<[string, object, string]>([
    ['of another panel', panel({ id: 4 }), 'panel 4 was served; expected panel 3'],
    ['of another version', panel({ version: '1.1' }), 'version 1.1 was served; expected version 1.10'],
    ['with an entity without a name', panel({ genes: [{ entity_type: 'gene' }] }), 'genes.0.entity_name'],
    [
      'with a tag that is no text',
      withGene({ tags: ['a', {}] }),
      'genes.0.tags.1 is an object: expected text',
    ],
    [
      'with half a place',
      withGene({ grch37_coordinates: [1] }),
      'grch37_coordinates is a list: expected a list',
    ],
    [
      'with an unknown type',
      withGene({ entity_type: 'exon' }),
      'genes.0.entity_type is "exon": expected one of',
    ],
    [
      'with an unreadable release of Ensembl',
      withGene({ gene_data: { ensembl_genes: { GRch37: { 82: 'ENSG1' } } } }),
      'genes.0.gene_data.ensembl_genes.GRch37.82 is "ENSG1": expected an object',
    ],
    ['without its genes', { ...panel(), genes: undefined }, 'genes is missing'],
  ])('%s', async (_what, sent, seen) => {
    const { catalogue } = await openWith(json(sent));
    const error = await failure(catalogue.panelDetail(3, '1.10'));
    expect(error.code).toBe('CATALOGUE_ITEMS_WRONG');
    expect(error.message).toContain(seen);
  });
});

const signedOff = (version: string, day: string) => ({
  id: 3,
  name: 'Hearing loss',
  version,
  version_created: null,
  signed_off: day,
});

test('each sign-off of a panel is listed, and a catalogue that keeps the last one alone lists that', async () => {
  const both = [signedOff('1.0', '2025-02-01'), signedOff('2.0', '2026-02-01')];
  const { catalogue, requests } = await openWith(page({ results: both, count: 2 }));
  expect((await catalogue.signedOff()).items).toMatchObject(both);
  expect(requests).toEqual(['GET /api/v1/panels/signedoff/']);
});

test('a version that is signed off twice on one day is listed once, and the list is complete', async () => {
  const twice = [signedOff('2.0', '2026-02-01'), signedOff('2.0', '2026-02-01')];
  const { catalogue } = await openWith(page({ results: twice, count: 2 }));
  expect(await catalogue.signedOff()).toMatchObject({ items: [twice[0]], complete: true });
});
