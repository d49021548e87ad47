import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readSavedPages } from '../../../sandbox/catalogue/saved-pages.ts';
import { startCatalogue } from '../../../sandbox/catalogue/start.ts';
import { newFolder } from '../../new-folder.ts';
import { createTestClock } from '../../run/test-clock.ts';
import { aCatalogue, namesOn, type Page, pageOf, someRows } from './running-catalogue.ts';

const page = (results: readonly unknown[]): string =>
  JSON.stringify({ count: results.length, next: null, previous: null, results });

const saved = {
  'activities-page-001.json': page(someRows(2)),
  'activities-page-002.json': page([
    { ...someRows(1)[0], created: '2020-01-01T00:00:00Z', entity_name: 'Old' },
  ]),
  'panels-page-001.json': page([]),
  'regions-page-001.json': page([]),
};

function directoryOf(files: Readonly<Record<string, string>>): string {
  const directory = newFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);
  return directory;
}

test('saved pages are served as one list', async () => {
  const { url } = await aCatalogue({ from: directoryOf(saved), pageSize: 2 });
  expect(await namesOn(`${url}activities/`)).toEqual(['G0', 'G1']);
  expect(await namesOn(`${url}activities/?page=2`)).toEqual(['Old']);
});

test('saved pages have no curators', async () => {
  const catalogue = await aCatalogue({ from: directoryOf(saved) });
  expect(() => catalogue.act()).toThrow('Saved pages have no curators. Start the catalogue without them');
});

describe('the error for pages that cannot be served names the file, what was seen and what was expected', () => {
  const without = (name: keyof typeof saved): Record<string, string> => {
    const { [name]: _left, ...files } = saved;
    return files;
  };
  const cases: readonly (readonly [name: string, files: Readonly<Record<string, string>>, seen: RegExp])[] = [
    [
      'no activities',
      { 'panels-page-001.json': page([]) },
      /folder-\w+: activities-page-001\.json is missing\./,
    ],
    ['no regions', without('regions-page-001.json'), /regions-page-001\.json is missing\./],
    [
      'a missing page',
      { ...without('activities-page-002.json'), 'activities-page-003.json': page([]) },
      /page 2 of its activities is missing\./,
    ],
    [
      'text that is not JSON',
      { ...saved, 'panels-page-001.json': '<html>' },
      /panels-page-001\.json: it is not JSON \(.*<html>.*\)\./,
    ],
    [
      'a list in place of the envelope',
      { ...saved, 'panels-page-001.json': '[]' },
      /panels-page-001\.json: at the top: Invalid input: expected object, received array\./,
    ],
    [
      'no results',
      { ...saved, 'panels-page-001.json': '{"count":1}' },
      /at results: Invalid input: expected array, received undefined\./,
    ],
    [
      'an invalid row',
      { ...saved, 'activities-page-002.json': page([{ ...someRows(1)[0], panel_id: '7' }]) },
      /activities-page-002\.json: at results\.0\.panel_id: .*expected number, received string\./,
    ],
    [
      'an invalid time',
      { ...saved, 'activities-page-001.json': page([{ ...someRows(1)[0], created: '2020' }]) },
      /at results\.0\.created: .*expected a time/,
    ],
  ];
  test.each(cases)('%s', async (_name, files, seen) => {
    const failure = await readSavedPages(directoryOf(files)).catch((error: unknown) => error);
    expect(failure).toMatchObject({ name: 'SavedPagesError', code: 'SAVED_PAGES_UNUSABLE' });
    expect(String(failure)).toMatch(seen);
    expect(String(failure)).toContain('Expected response bodies of the catalogue');
  });

  test('a missing directory', async () => {
    await expect(
      startCatalogue({ clock: createTestClock({ wokenByHand: true }), from: '/nowhere/at/all' }),
    ).rejects.toThrow(/saved pages of \/nowhere\/at\/all: it does not exist\. Expected /);
  });
});

/** Pages in the form of the real software: those of every clone, and more where they are at hand. */
const folders = [
  ['../../fixtures/catalogue', [1, 2, 3]],
  ['../../../../shared/samples', [1, 3, 6]],
] as const;

describe.each(folders.map(([path, pages]) => [path, join(import.meta.dirname, path), pages] as const))(
  'pages of %s',
  (_path, directory, pages) => {
    const isThere = existsSync(directory);

    test.skipIf(!isThere).each(pages)(
      'page %i of the activities is served byte for byte, but for the order of ties',
      async (number) => {
        const { url } = await aCatalogue({ from: directory, ties: 'fixed' });
        const file = readFileSync(join(directory, `activities-page-00${number}.json`), 'utf8');
        const sent = await (await fetch(`${url}activities/?page=${number}`)).text();
        const rows = (text: string): Page['results'] => (JSON.parse(text) as Page).results;
        expect(sent.slice(sent.indexOf('"results"'))).toBe(
          `"results":${JSON.stringify(rows(file)).replaceAll('\u2028', '\\u2028')}}`,
        );
      },
    );

    test.skipIf(!isThere).each(['panels', 'regions'])('%s come back as they were', async (list) => {
      const { url } = await aCatalogue({ from: directory });
      const { results } = JSON.parse(readFileSync(join(directory, `${list}-page-001.json`), 'utf8')) as Page;
      expect(JSON.stringify((await pageOf(`${url}${list}/`)).results)).toBe(JSON.stringify(results));
    });
  },
);
