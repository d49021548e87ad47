import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const here = new URL('./', import.meta.url);
/** `service 1, 3; claims 2`: some facts of each kind. */
const factIds = /^(?:service|provider|request|response|claims|authentication|users) \d+(?:, \d+)*$/;

test('docs/interfaces.md lists each documented fact that a test covers, and no other', () => {
  const files = readdirSync(here).filter((name) => /^documented-.*\.test\.ts$/.test(name));
  const titles = files.flatMap((name) =>
    [...readFileSync(new URL(name, here), 'utf8').matchAll(/ test\('([a-z]+ \d+): /g)].map(([, id]) =>
      String(id),
    ),
  );
  const page = readFileSync(new URL('../../docs/interfaces.md', here), 'utf8');
  const rows = page.split('\n').flatMap((line) => {
    const [, name = '', facts = ''] = line.split('|').map((cell) => cell.trim());
    const groups = facts.split('; ');
    return groups.every((group) => factIds.test(group)) ? [{ name, groups }] : [];
  });
  const ids = rows.flatMap(({ groups }) => groups.flatMap(idsIn));
  expect(titles.length).toBeGreaterThan(40);
  expect(new Set(titles).size).toBe(titles.length);
  expect([...new Set(ids)].toSorted()).toEqual(titles.toSorted());
  const missing = rows.filter(({ name }) => !existsSync(new URL(`../${name}.test.ts`, here)));
  expect(missing).toEqual([]);
});

/** `service 1, 3` as `service 1` and `service 3`. */
function idsIn(group: string): string[] {
  const [kind = '', ...numbers] = group.split(/,? /);
  return numbers.map((number) => `${kind} ${number}`);
}
