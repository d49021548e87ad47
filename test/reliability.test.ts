import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const page = readFileSync(`${root}docs/reliability.md`, 'utf8');
const named = [...page.matchAll(/\]\(\.\.\/(test\/[^)#]+)#([^)]+)\)/g)].map(([, file = '', title = '']) => ({
  title,
  file,
}));

test('each test that docs/reliability.md names exists in the file that it names', () => {
  const missing = named.filter(({ title, file }) => !titlesIn(file).includes(title));
  expect(missing).toStrictEqual([]);
  expect(named.length).toBeGreaterThan(60);
});

test('each fault on docs/reliability.md names its outcome and a test', () => {
  const rows = page.split('\n').filter((line) => /^- .*\.test\.ts/.test(line));
  expect(rows.filter((row) => !/^- [^:]+: .+ \(\[[^\]]+\]\([^)]+#/.test(row))).toStrictEqual([]);
  expect(rows.length).toBeGreaterThan(50);
});

/** The texts of a file as the fragment of a link writes a title: words with hyphens. */
function titlesIn(file: string): readonly string[] {
  const texts = readFileSync(root + file, 'utf8').matchAll(/'((?:\\.|[^'\n\\])*)'/g);
  return [...texts].map(([, text = '']) =>
    text
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-|-$/g, ''),
  );
}
