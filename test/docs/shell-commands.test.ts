import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { pages } from './pages.ts';
import { entries, entryOf, shellCommands } from './shell-commands.ts';

const named = ({ page, line }: { readonly page: string; readonly line: string }): string =>
  `${page}: ${line}`;

test('each command of the pages is typed by a test, or has a reason why not', () => {
  expect(shellCommands.filter((command) => entryOf(command) === undefined).map(named)).toStrictEqual([]);
  expect(shellCommands.length).toBeGreaterThan(120);
  const untyped = shellCommands.filter((command) => 'reason' in (entryOf(command) ?? {}));
  expect(untyped.length).toBeLessThan(10);
});

test('each entry is the first of some command, and names a file that takes its commands from the list', () => {
  for (const entry of entries) {
    expect(
      shellCommands.some((command) => entryOf(command) === entry),
      String(entry.matches),
    ).toBe(true);
    if (!('by' in entry)) continue;
    expect(existsSync(entry.by), entry.by).toBe(true);
    if (entry.how === undefined)
      expect(readFileSync(entry.by, 'utf8'), entry.by).toMatch(/commandsOf\(\w+\)/);
  }
});

test('a block of commands says that it is one', () => {
  const programs = new Set(shellCommands.map(({ line }) => line.split(' ')[0]));
  const unmarked = pages.flatMap(({ path, blocks }) =>
    blocks
      .filter(({ language, code }) => language === '' && programs.has(code.split(' ')[0] ?? ''))
      .map(({ code }) => `${path}: ${code.split('\n')[0]}`),
  );
  expect(unmarked).toStrictEqual([]);
});
