import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import { newFolder } from '../new-folder.ts';
import { runCommand, words } from './run-command.ts';

const fixture = (name: string): string =>
  fileURLToPath(new URL(`../fixtures/catalogue/${name}`, import.meta.url));
const pages = [1, 2, 3].map((page) => fixture(`activities-page-00${page}.json`));

const directory = newFolder();

const file = async (name: string, content: string): Promise<string> => {
  const path = join(directory, name);
  await writeFile(path, content);
  return path;
};

const eventsOf = (stdout: string): PanelEvent[] =>
  stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as PanelEvent);

describe('classify', () => {
  test('prints the events of saved pages, oldest first, with nothing unclassified', async () => {
    const { code, stdout, stderr } = await runCommand(['classify', ...pages]);
    const events = eventsOf(stdout);
    expect(code).toBe(0);
    expect(stderr).toMatch(/^300 activities \(1 of them repeated\): \d+ events, 0 unclassified\n$/);
    expect(events.length).toBeGreaterThan(250);
    const times = events.map(({ time }) => time);
    expect([...times].sort()).toStrictEqual(times);
  });

  test('gives the same for input in any order and form', async () => {
    const whole = await runCommand(['classify', ...pages]);
    expect((await runCommand(['classify', ...[...pages].reverse()])).stdout).toBe(whole.stdout);
    const rows = (
      await Promise.all(
        pages.map(async (page) => JSON.parse(await readFile(page, 'utf8')) as { results: unknown[] }),
      )
    ).flatMap(({ results }) => results);
    const lines = rows.map((row) => JSON.stringify(row)).join('\n');
    for (const stdin of [JSON.stringify(rows), lines, `${lines}\r\n`]) {
      expect((await runCommand(['classify', '-'], { stdin })).stdout).toBe(whole.stdout);
    }
  });

  test('adds what a listing says of the panels', async () => {
    const { stdout } = await runCommand(words`classify --name uk --source https://catalogue.example
      --panels ${fixture('panels-page-001.json')} ${pages}`);
    const [event] = eventsOf(stdout).filter(({ data }) => data.panel?.id === 3);
    expect(event).toMatchObject({
      source: 'https://catalogue.example/api/v1/',
      data: { catalogue: 'uk', panel: { diseaseGroup: 'Neurology', signedOff: true } },
    });
  });

  test('reports rows that are no activities as unclassified', async () => {
    const { code, stdout } = await runCommand(['classify', '-'], { stdin: '[{"text":"x"}]' });
    expect(code).toBe(0);
    expect(eventsOf(stdout)).toMatchObject([
      { data: { change: { reason: 'invalid-row', row: { text: 'x' } } } },
    ]);
  });

  test.each([
    ['an empty file', '', /is empty/],
    ['HTML', '<!DOCTYPE html><html>Sorry</html>', /is not JSON.*HTML/],
    ['broken JSON', '{"count": 1, "results": [', /is not JSON/],
    ['one bad line', '{"results":[]}\n{"results":\n', /line 2 is not JSON/],
    ['a number', '17', /saw 17; expected a list page/],
    ['an error of the catalogue', '{"detail":"Invalid page."}', /saw \{"detail"/],
    ['an empty object', '{}', /saw \{\}; expected a list page.*an item with created, panel_name/],
    ['a page without a list', '{"count":1,"results":"x"}', /saw \{"count".*with a list of results/],
    ['one such line', '{"created":"x"}\n{}', /line 2: saw \{\}; expected/],
  ])('fails on %s with a clear message', async (name, content, message) => {
    const path = await file(`${name}.json`, content);
    const { code, stderr } = await runCommand(['classify', path]);
    expect(code).toBe(1);
    expect(stderr).toMatch(message);
    expect(stderr).toContain(path);
    expect(stderr).not.toContain('    at ');
  });

  test('names standard input where that is what it cannot read', async () => {
    const { code, stderr } = await runCommand(['classify', '-'], { stdin: '{}' });
    expect([code, stderr]).toEqual([1, expect.stringContaining('Reading standard input: saw {}')]);
  });

  test.each([
    ['a file that is not there', ['/no/such/file.json'], 1, /there is no such file/],
    ['a directory', ['/'], 1, /it is a directory/],
    ['an unknown option', ['--nope'], 2, /--nope/],
  ])('fails on %s', async (_what, args, wanted, message) => {
    const { code, stderr } = await runCommand(['classify', ...args]);
    expect(code).toBe(wanted);
    expect(stderr).toMatch(message);
  });
});

const commands = ['classify', 'poll', 'watch', 'sandbox', 'api', 'doctor'];

describe('the command line', () => {
  test('lists its commands', async () => {
    const { code, stdout } = await runCommand(['--help']);
    expect(code).toBe(0);
    for (const name of commands) expect(stdout).toContain(`  ${name} `);
  });

  test.each(commands)('%s --help prints options and exit codes', async (name) => {
    const { code, stdout } = await runCommand([name, '--help']);
    expect(code).toBe(0);
    expect(stdout).toContain('Options:');
    expect(stdout).toContain('Exit codes:');
  });

  test('names the commands when it is given an unknown one', async () => {
    expect(await runCommand(['constructor'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('classify, subscriptions'),
    });
  });

  test('prints its version', async () => {
    expect((await runCommand(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});
