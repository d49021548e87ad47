import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { root, sourcesIn } from '../sources.ts';
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

test('every source file that a page of the repository names exists', () => {
  const named = pages
    .filter(({ path }) => /^(?:CONTRIBUTING|docs\/(?:architecture|adding-[\w-]+|decisions))\.md$/.test(path))
    .flatMap(({ path, prose }) =>
      [...prose.matchAll(/`([\w/-]+\.ts)`/g)].map(([, file = '']) => ({ path, file })),
    );
  const places = ['', 'lambdas', 'lambdas/classifier'];
  const names = new Set(
    ['bin', 'lib', 'lambdas', 'page', 'consumer', 'sandbox', 'scripts', 'test']
      .flatMap(sourcesIn)
      .map((file) => basename(file)),
  );
  const missing = named.filter(({ file }) =>
    file.includes('/') ? !places.some((place) => existsSync(join(root, place, file))) : !names.has(file),
  );
  // The channel that its page writes.
  expect(missing.map(({ file }) => file)).toStrictEqual(['lambdas/channels/mychat.ts']);
  expect(named.length).toBeGreaterThan(20);
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

test('every row of a table stands in a table with a heading, and no paragraph is indented by one space', () => {
  const torn = pages.flatMap(({ path, prose }) => {
    const lines = prose.split('\n');
    return lines.flatMap((line, number) => {
      const begins = line.startsWith('|') && lines[number - 1]?.startsWith('|') !== true;
      const heads = /^\|[-: |]+\|$/.test(lines[number + 1] ?? '');
      return (begins && !heads) || /^ \S/.test(line) ? [`${path}: ${line}`] : [];
    });
  });
  expect(torn).toStrictEqual([]);
});

test('every heading that a comment cites is on its page', () => {
  const cited = ['bin', 'lib', 'lambdas', 'page', 'consumer', 'sandbox', 'scripts', 'examples', 'test']
    .flatMap(sourcesIn)
    .flatMap((file) => {
      const prose = readFileSync(join(root, file), 'utf8').replaceAll(/\n\s*(?:\*|\/\/) /g, ' ');
      return [...prose.matchAll(/(docs\/[\w/-]+\.md), ("[A-Z][^"]*"(?:(?:,| and) "[A-Z][^"]*")*)/g)].flatMap(
        ([, page = '', headings = '']) =>
          [...headings.matchAll(/"([^"]+)"/g)].map(([, heading = '']) => ({ file, page, heading })),
      );
    });
  const missing = cited.filter(
    ({ page, heading }) =>
      !textOf(page)
        .split('\n')
        .some((line) => /^#+ (.*)$/.exec(line)?.[1] === heading),
  );
  expect(missing).toStrictEqual([]);
  expect(cited.length).toBeGreaterThan(30);
});

const textOf = (page: string): string =>
  existsSync(join(root, page)) ? readFileSync(join(root, page), 'utf8') : '';
