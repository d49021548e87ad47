import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const here = new URL('./', import.meta.url);

/** The tests that cover documented facts in depth, beside the one test of each fact whose title states it. */
const inDepth: Readonly<Record<string, string>> = {
  'sandbox/interpretation/tokens': 'service 1, 3; claims 2, 3, 5; authentication 1, 9',
  'catalogue/interpretation/family': 'service 2; authentication 5, 6',
  'sandbox/interpretation/rights': 'service 4; users 1, 2, 3, 4, 5, 6, 7, 8, 9, 10',
  'sandbox/identity/identity-provider':
    'provider 1; request 4; response 4; claims 1, 6, 7, 8; authentication 3, 8',
  'sandbox/identity/independent-clients': 'provider 2, 4; response 5; claims 4',
  'sandbox/identity/authorise-endpoint': 'provider 3',
  'catalogue/identity/token-request': 'request 1, 2, 3',
  'catalogue/identity/token-reply': 'response 1, 2, 3',
  'catalogue/identity/token-source': 'authentication 2, 7',
  'catalogue/identity/poll-with-tokens': 'authentication 2, 7',
  'catalogue/identity/token-exchange': 'authentication 4',
  'catalogue/identity/oidc-provider': 'authentication 4',
};

test('each documented fact that the title of a test states is covered in depth, and no other', () => {
  const files = readdirSync(here).filter((name) => /^documented-.*\.test\.ts$/.test(name));
  const titles = files.flatMap((name) =>
    [...readFileSync(new URL(name, here), 'utf8').matchAll(/ test\('([a-z]+ \d+): /g)].map(([, id]) =>
      String(id),
    ),
  );
  const covered = Object.values(inDepth).flatMap((facts) => facts.split('; ').flatMap(idsIn));
  expect(titles.length).toBeGreaterThan(40);
  expect(new Set(titles).size).toBe(titles.length);
  expect([...new Set(covered)].toSorted()).toEqual(titles.toSorted());
  const missing = Object.keys(inDepth).filter((name) => !existsSync(new URL(`../../${name}.test.ts`, here)));
  expect(missing).toEqual([]);
});

/** `service 1, 3` as `service 1` and `service 3`. */
function idsIn(group: string): string[] {
  const [kind = '', ...numbers] = group.split(/,? /);
  return numbers.map((number) => `${kind} ${number}`);
}
