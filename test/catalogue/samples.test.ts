import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readActivity } from '../../lambdas/catalogue/log-row.ts';
import { open } from './http/fixtures/opened.ts';
import { body, status } from './http/fixtures/responses.ts';
import { serve } from './http/fixtures/server.ts';

/** Pages in the form of the catalogue: those of every clone, and more where they are at hand. */
const own = new URL('../fixtures/catalogue/', import.meta.url);
const samples = new URL('../../../shared/samples/', import.meta.url);
const folders = [own, samples, new URL('offset-timestamps/', samples)].filter((folder) => existsSync(folder));

/** A catalogue of saved pages. */
async function saved(folder: URL): Promise<string> {
  const { url } = await serve((response, request) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const number = (searchParams.get('page') ?? '1').padStart(3, '0');
    const file = new URL(`${pathname.split('/').at(-2)}-page-${number}.json`, folder);
    const answer = existsSync(file) ? body(readFileSync(file)) : status(404);
    answer(response, request);
  });
  return url;
}

describe.each(folders.map((folder) => [folder.pathname, folder] as const))(
  'the pages of %s',
  (_path, folder) => {
    test('have nothing but activities', async () => {
      const { catalogue } = open(await saved(folder));
      const files = readdirSync(folder).filter((name) => name.startsWith('activities-'));
      expect(files.length).toBeGreaterThan(1);
      for (let number = 1; number <= files.length; number += 1) {
        const page = await catalogue.activities(number);
        expect(page?.rows).toHaveLength(100);
        expect(page?.count).toBeGreaterThanOrEqual(100 * files.length);
        expect(page?.rows.map(readActivity).filter(({ ok }) => !ok)).toEqual([]);
      }
      expect(await catalogue.activities(files.length + 1)).toBeNull();
    });
  },
);

test.each(
  [own, samples].filter((folder) => existsSync(folder)).map((folder) => [folder.pathname, folder] as const),
)('every panel and region of %s is valid', async (_path, folder) => {
  const { catalogue, log } = open(await saved(folder));
  expect(await catalogue.panels()).toHaveLength(19);
  expect(await catalogue.regions()).toHaveLength(15);
  expect(log.lines).toEqual([]);
});
