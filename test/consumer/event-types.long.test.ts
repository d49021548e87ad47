import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventTypes } from '../../scripts/event-types.ts';
import { newFolder } from '../new-folder.ts';
import { root } from '../sources.ts';

const named = (text: string): readonly string[] =>
  [...text.matchAll(/^export (?:type|interface) (\w+)|^export type \{ (.+) \}/gm)]
    .flatMap(([, one, several]) => one ?? several?.split(', ') ?? [])
    .toSorted();

test('the types that the packages hold say what the schemas of events say', async () => {
  const written = await eventTypes();
  const names = named(written);
  expect(named(readFileSync(join(root, 'consumer/event-types.ts'), 'utf8'))).toStrictEqual(names);
  expect(names.length).toBeGreaterThan(25);
  const folder = newFolder();
  writeFileSync(join(folder, 'written.ts'), written);
  const checks = names.map((name) => `export const of${name}: Same<Read.${name}, Written.${name}> = true;`);
  const file = join(folder, 'same.ts');
  writeFileSync(
    file,
    `import type * as Read from '${join(root, 'consumer/event-types.ts')}';
import type * as Written from './written.ts';
type Same<One, Other> = [One] extends [Other] ? ([Other] extends [One] ? true : never) : never;
${checks.join('\n')}
`,
  );
  // Without exact optional properties: a schema lets an optional field be undefined too.
  const options = '--ignoreConfig --noEmit --strict --skipLibCheck --types node --allowImportingTsExtensions';
  const { stdout } = spawnSync(
    join(root, 'node_modules/.bin/tsc'),
    [...options.split(' '), '--target', 'es2024', '--lib', 'es2024', '--module', 'nodenext', file],
    { cwd: root, encoding: 'utf8', shell: process.platform === 'win32' },
  );
  expect(stdout).toBe('');
});
