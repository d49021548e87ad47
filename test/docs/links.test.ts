import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { pages } from './pages.ts';

const byPath = new Map(pages.map((page) => [page.path, page]));

test('every link to a file leads to one, and every fragment to a heading', () => {
  const broken = pages.flatMap(({ path: from, links }) =>
    links
      .filter(({ path, anchor }) => {
        if (!existsSync(path)) return true;
        return anchor !== undefined && byPath.get(path)?.anchors.has(anchor) === false;
      })
      .map(({ path, anchor }) => `${from}: ${path}${anchor === undefined ? '' : `#${anchor}`}`),
  );
  expect(broken).toStrictEqual([]);
  expect(pages.flatMap(({ links }) => links).length).toBeGreaterThan(100);
});

test('every page is two links away from the README at most', () => {
  const next = (paths: readonly string[]): string[] =>
    paths.flatMap((from) => (byPath.get(from)?.links ?? []).map(({ path }) => path));
  const first = next(['README.md']);
  const near = new Set(['README.md', ...first, ...next(first)]);
  // A link to a folder shows its pages.
  const far = pages.filter(({ path }) => !near.has(path) && !near.has(path.replace(/\/[^/]*$/, '')));
  expect(far.map(({ path }) => path)).toStrictEqual([]);
});
