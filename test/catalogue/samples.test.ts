import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readActivity } from '../../lambdas/catalogue/read-activity.ts';
import { open } from '../http/fixtures/opened.ts';
import { body, status } from '../http/fixtures/responses.ts';
import { serve } from '../http/fixtures/server.ts';

const samples = new URL('../../../shared/samples/', import.meta.url);

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

describe.skipIf(!existsSync(samples))('the saved pages (in ../shared only)', () => {
  test.each(['', 'offset-timestamps/'])('every row of %j is an activity', async (folder) => {
    const { catalogue } = open(await saved(new URL(folder, samples)));
    const files = readdirSync(new URL(folder, samples)).filter((name) => name.startsWith('activities-'));
    expect(files.length).toBeGreaterThan(1);
    for (let number = 1; number <= files.length; number += 1) {
      const page = await catalogue.activities(number);
      expect(page?.rows).toHaveLength(100);
      expect(page?.count).toBeGreaterThanOrEqual(600);
      expect(page?.rows.map(readActivity).filter(({ ok }) => !ok)).toEqual([]);
    }
    expect(await catalogue.activities(files.length + 1)).toBeNull();
  });

  test('every panel and region is valid', async () => {
    const { catalogue, log } = open(await saved(samples));
    expect(await catalogue.panels()).toHaveLength(19);
    expect(await catalogue.regions()).toHaveLength(15);
    expect(log.lines).toEqual([]);
  });
});
