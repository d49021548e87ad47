import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { beforeAll, expect, test } from 'vitest';
import { systemClock as clock } from '../../lambdas/run/clock.ts';
import { startCatalogue } from '../../sandbox/catalogue/start.ts';
import { runCommand, words } from '../bin/run-command.ts';
import { newFolder } from '../new-folder.ts';
import { pages, readPage } from './pages.ts';

/** The commands of the pages that read a state on one machine, each run as it is shown. */

const folder = newFolder();
const state = join(folder, 'state');

beforeAll(async () => {
  const catalogue = await startCatalogue({ clock, from: 'test/fixtures/catalogue' });
  const from = ['--from', '2020-01-01', '--output', join(folder, 'events.ndjson')];
  const { code, stderr } = await runCommand(words`poll --only log --catalogue ${catalogue.url}
    --state ${state} ${from}`);
  await catalogue.close();
  // The history of the test does not have every name and version of the pages.
  expect(code, stderr).toBe(/^No .+ (?:is called|has) /m.test(stderr) ? 3 : 0);
});

/** A line of a shell as its parts; a redirection, a pipe and a comment end it. */
function partsOf(line: string): readonly string[] {
  const [command = ''] = line.split(/ (?:[>|]|#) ?/);
  return [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '');
}

/** The folder of the test is begun now: `--as-of` asks what was kept before. */
const elsewhere =
  /--(as-of|stage|table|catalogue|config|output|to-arn|set|preview|genes-file)\b|--to (queue|topic|function|arn):|[<…]/;

const shown = pages.flatMap(({ path, blocks }) =>
  blocks
    .flatMap(({ code }) => code.replaceAll(/\\\n\s*/g, ' ').split('\n'))
    .filter((line) => /^npx gene-panel-notifier (history|report|replay|mark)\b/.test(line))
    .filter((line) => !elsewhere.test(line))
    .map((line) => ({ path, line })),
);

test.each(shown)('$path: $line', async ({ line }) => {
  const [, , ...parts] = partsOf(line);
  const at = parts.indexOf('--state');
  const parameters = at < 0 ? parts : parts.toSpliced(at, 2);
  // What is served until Ctrl-C is stopped at once.
  const stopped = parts.includes('--page') ? { signal: AbortSignal.abort() } : {};
  const { code, stderr } = await runCommand([...parameters, '--state', state], stopped);
  // The history of the test does not have every name and version of the pages.
  expect(code, stderr).toBe(/^No .+ has the curator|has no version .+ that is known/m.test(stderr) ? 3 : 0);
});

test('the pages show such commands', () => {
  expect(shown.length).toBeGreaterThan(5);
});

test('the program about six digits prints what its comments say', () => {
  const { blocks } = readPage('docs/guides/guarantees.md');
  const [program] = blocks.filter(({ language }) => language === 'js');
  const code = program?.code ?? '';
  const printed: unknown[] = [];
  runInNewContext(code, { console: { log: (value: unknown) => printed.push(value) } });
  expect(printed.map(String)).toStrictEqual([...code.matchAll(/\/\/ (\w+)$/gm)].map(([, value]) => value));
  expect(printed).toHaveLength(2);
});
