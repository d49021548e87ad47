import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const here = new URL('./', import.meta.url);
const factId = /^(?:service|provider|request|response|claims|authentication|users) \d+$/;

test('docs/interfaces.md lists each documented fact that a test covers, and no other', () => {
  const files = readdirSync(here).filter((name) => /^documented-.*\.test\.ts$/.test(name));
  const titles = files.flatMap((name) =>
    [...readFileSync(new URL(name, here), 'utf8').matchAll(/ test\('([a-z]+ \d+): /g)].map(([, id]) =>
      String(id),
    ),
  );
  const page = readFileSync(new URL('../../docs/interfaces.md', here), 'utf8');
  const rows = page.split('\n').flatMap((line) => {
    const [, id = '', tests = ''] = line.split('|').map((cell) => cell.trim());
    return factId.test(id) ? [{ id, tests: tests.split(', ') }] : [];
  });
  expect(titles.length).toBeGreaterThan(40);
  expect(new Set(titles).size).toBe(titles.length);
  expect(rows.map(({ id }) => id).toSorted()).toEqual(titles.toSorted());
  const missing = rows
    .flatMap(({ tests }) => tests)
    .filter((name) => !existsSync(new URL(`../${name}.test.ts`, here)));
  expect(missing).toEqual([]);
});
