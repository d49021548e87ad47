import { describe, expect, test } from 'vitest';
import type { CatalogueOptions } from '../../lambdas/catalogue/client.ts';
import { failure, open } from './http/fixtures/opened.ts';
import { page, panel, status } from './http/fixtures/responses.ts';
import { type Handler, serve } from './http/fixtures/server.ts';

async function openWith(handlers: readonly Handler[], options: Partial<CatalogueOptions> = {}) {
  const { url, requests } = await serve(...handlers);
  return { ...open(url, options), requests };
}

const pageOf = (ids: readonly number[], count: unknown, more = true): Handler =>
  page({ results: ids.map((id) => panel(id)), count, next: more ? 'more' : null });

const ids = (panels: readonly { readonly id: number }[]): number[] => panels.map(({ id }) => id);

test('panels are read from all pages, in their order', async () => {
  const { catalogue, requests } = await openWith([
    pageOf([3, 1], 5),
    pageOf([2, 9], 5),
    pageOf([4], 5, false),
  ]);
  expect(ids(await catalogue.panels())).toEqual([3, 1, 2, 9, 4]);
  expect(requests).toEqual([
    'GET /api/v1/panels/',
    'GET /api/v1/panels/?page=2',
    'GET /api/v1/panels/?page=3',
  ]);
});

test('a panel keeps all its fields', async () => {
  const sent = panel(1, { description: 'About', child_panel_ids: [2, 5], extra: { constructor: 7 } });
  const { catalogue } = await openWith([page({ results: [sent] })]);
  expect(await catalogue.panels()).toEqual([sent]);
});

test('a list may end with a 404', async () => {
  const { catalogue } = await openWith([pageOf([1], 1), status(404)]);
  expect(ids(await catalogue.panels())).toEqual([1]);
});

test('a missing list is an error', async () => {
  const { catalogue } = await openWith([status(404)]);
  expect((await failure(catalogue.panels())).code).toBe('CATALOGUE_NOT_FOUND');
});

test('an empty list is read with one request', async () => {
  const { catalogue, requests } = await openWith([page({ results: [], count: 0, next: 'more' })]);
  expect(await catalogue.panels()).toEqual([]);
  expect(requests).toHaveLength(1);
});

describe('a list that changes while it is read', () => {
  test('by a deletion, seen in the count, is read again', async () => {
    const { catalogue, log } = await openWith([
      pageOf([1, 2], 4),
      pageOf([4], 3, false),
      pageOf([2, 3], 3),
      pageOf([4], 3, false),
    ]);
    expect(ids(await catalogue.panels())).toEqual([2, 3, 4]);
    expect(log.lines).toEqual([]);
  });

  test('by an insertion, seen in a panel that comes twice, is read again', async () => {
    const { catalogue } = await openWith([
      pageOf([1, 2], 4),
      pageOf([2, 3], 4, false),
      pageOf([0, 1], 4),
      pageOf([2, 3], 4, false),
    ]);
    expect(ids(await catalogue.panels())).toEqual([0, 1, 2, 3]);
  });

  test('both times is given with each panel once, and a warning', async () => {
    const { catalogue, log, requests } = await openWith([
      pageOf([1, 2], 4),
      pageOf([2, 3], 4, false),
      pageOf([1, 2], 4),
      pageOf([2, 3], 4, false),
    ]);
    expect(ids(await catalogue.panels())).toEqual([1, 2, 3]);
    expect(requests).toHaveLength(4);
    expect(log.lines).toMatchObject([{ level: 'warn', fields: { list: 'panels' } }]);
  });
});

describe('a reading that was interrupted', () => {
  const interrupted = async (...later: readonly Handler[]) => {
    const { catalogue, requests } = await openWith([pageOf([1, 2], 4), ...later]);
    const pagesRead = new Map();
    const beforeRequest = (): void => {
      if (requests.length === 1) throw new Error('the requests are used up');
    };
    await expect(catalogue.listPanels({ pagesRead, beforeRequest })).rejects.toThrow('used up');
    const { items } = await catalogue.listPanels({ pagesRead, beforeRequest: () => {} });
    return { read: ids(items), requests };
  };
  const requestsOf = (...pages: readonly number[]): readonly string[] =>
    pages.map((number) => `GET /api/v1/panels/${number === 1 ? '' : `?page=${number}`}`);

  test('goes on where its last page still shows the same', async () => {
    const { read, requests } = await interrupted(pageOf([1, 2], 4), pageOf([3, 4], 4, false));
    expect(read).toEqual([1, 2, 3, 4]);
    expect(requests).toEqual(requestsOf(1, 1, 2));
  });

  test('begins anew where one panel vanished and another appeared: the count is the same, and one moved to a page that was read', async () => {
    const moved = pageOf([2, 3], 4);
    const { read, requests } = await interrupted(moved, moved, pageOf([4, 5], 4, false));
    expect(read).toEqual([2, 3, 4, 5]);
    expect(requests).toEqual(requestsOf(1, 1, 1, 2));
  });
});

describe('a server that never ends a list', () => {
  test('that repeats one page is left, with a warning', async () => {
    const { catalogue, requests, log } = await openWith([pageOf([1, 2], 2)]);
    expect(ids(await catalogue.panels())).toEqual([1, 2]);
    expect(requests).toHaveLength(4);
    expect(log.lines).toHaveLength(1);
  });

  test('that always has more panels is left at the limit of pages', async () => {
    let id = 0;
    const { catalogue, requests } = await openWith(
      [
        (response, request) => {
          id += 1;
          pageOf([id], 1000)(response, request);
        },
      ],
      { limits: { pages: 7 } },
    );
    const error = await failure(catalogue.panels());
    expect(error.code).toBe('CATALOGUE_ENDLESS');
    expect(error.message).toContain('7 pages of panels');
    expect(requests).toHaveLength(7);
  });
});

describe('a count', () => {
  test.each([undefined, null, 'many', -1])('of %j does not prevent a listing', async (count) => {
    const { catalogue, log, requests } = await openWith([pageOf([1], count), pageOf([2], count, false)]);
    expect(ids(await catalogue.panels())).toEqual([1, 2]);
    expect(requests).toHaveLength(2);
    expect(log.lines).toMatchObject([{ level: 'warn', fields: { list: 'panels' } }]);
  });

  test('that is wrong does not prevent a listing', async () => {
    const { catalogue } = await openWith([pageOf([1], 90), pageOf([2], 90, false)]);
    expect(ids(await catalogue.panels())).toEqual([1, 2]);
  });
});

describe('invalid panels', () => {
  test.each([
    ['an id that is text', { id: '1' }, 'id is "1"'],
    ['a version that is a number', { version: 3.1 }, 'version is 3.1, expected text'],
    [
      'a version that is text of another form',
      { version: 'draft' },
      'version is "draft", expected text such as 3.10',
    ],
    ['no types', { types: undefined }, 'types is missing, expected a list'],
    ['types of nothing', { types: [null] }, 'types.0 is null, expected an object'],
    [
      'disorders that are text',
      { relevant_disorders: 'R54' },
      'relevant_disorders is "R54", expected a list',
    ],
  ])('with %s are left out and logged', async (_, change, problem) => {
    const { catalogue, log } = await openWith([page({ results: [panel(1, change), panel(2)] })]);
    expect(ids(await catalogue.panels())).toEqual([2]);
    expect(log.lines).toMatchObject([
      { level: 'warn', fields: { list: 'panels', page: 1, problem: expect.stringContaining(problem) } },
    ]);
  });

  test('alone on a page are an error', async () => {
    const bad = [panel(1, { version: 3 }), 'no panel'];
    const { catalogue } = await openWith([pageOf([7], 3), page({ results: bad, count: 3 })]);
    const error = await failure(catalogue.panels());
    expect(error.code).toBe('CATALOGUE_ITEMS_WRONG');
    expect(error.message).toContain('none of the 2 items on page 2 of the panels');
    expect(error.message).toContain('version is 3, expected text');
  });
});

test('a panel with numbers and one without are valid', async () => {
  const { catalogue, log } = await openWith([page({ results: [panel(1), panel(2, { stats: {} })] })]);
  expect(ids(await catalogue.panels())).toEqual([1, 2]);
  expect(log.lines).toEqual([]);
});

test('a transient error in the middle of a listing costs one retry', async () => {
  const { catalogue, requests } = await openWith([pageOf([1], 2), status(502), pageOf([2], 2, false)]);
  expect(ids(await catalogue.panels())).toEqual([1, 2]);
  expect(requests).toHaveLength(3);
});

describe('regions', () => {
  const region = (name: string, panelId: number, more: object = {}) => ({
    gene_data: null,
    entity_type: 'region',
    entity_name: name,
    verbose_name: '7q11.23 recurrent region Loss',
    confidence_level: '3',
    penetrance: null,
    mode_of_pathogenicity: null,
    haploinsufficiency_score: '',
    triplosensitivity_score: '0',
    required_overlap_percentage: 60,
    type_of_variants: 'cnv_loss',
    publications: [],
    evidence: ['Expert Review Green'],
    phenotypes: [],
    mode_of_inheritance: 'MONOALLELIC',
    chromosome: '7',
    grch37_coordinates: null,
    grch38_coordinates: [25128462, 25198453],
    tags: [],
    panel: panel(panelId),
    ...more,
  });
  const all = (...results: readonly unknown[]): Handler => page({ results });

  test('are listed once for each panel that holds them', async () => {
    const sent = [region('ISCA-1-Loss', 1), region('ISCA-1-Loss', 2), region('ISCA-2-Gain', 1)];
    const { catalogue } = await openWith([all(...sent)]);
    expect(await catalogue.regions()).toEqual(sent);
  });

  test('with only id, name and version of their panel are valid', async () => {
    const sent = region('ISCA-1-Loss', 1, { panel: { id: 1, name: 'Panel 1', version: '3.10' } });
    const { catalogue, log } = await openWith([all(sent)]);
    expect(await catalogue.regions()).toEqual([sent]);
    expect(log.lines).toEqual([]);
  });

  test.each([
    ['coordinates of one number', { grch38_coordinates: [1] }, 'grch38_coordinates is a list: Too small'],
    [
      'coordinates of text',
      { grch37_coordinates: ['1', 2] },
      'grch37_coordinates.0 is "1", expected a number',
    ],
    ['no panel', { panel: null }, 'panel is null, expected an object'],
    ['a panel without id', { panel: { name: 'Panel 1', version: '3.10' } }, 'panel.id is missing'],
    ['a panel with a version that is a number', { panel: panel(1, { version: 3.1 }) }, 'version is 3.1'],
    ['tags that are null', { tags: null }, 'tags is null, expected a list'],
  ])('with %s are left out and logged', async (_, change, problem) => {
    const { catalogue, log } = await openWith([all(region('bad', 1, change), region('good', 1))]);
    expect((await catalogue.regions()).map(({ entity_name }) => entity_name)).toEqual(['good']);
    expect(log.lines).toMatchObject([
      { level: 'warn', fields: { list: 'regions', page: 1, problem: expect.stringContaining(problem) } },
    ]);
  });
});
