import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock as clock } from '../../lambdas/run/clock.ts';
import { type RunningCatalogue, startCatalogue } from '../../sandbox/catalogue/start.ts';
import { seededRandom } from '../../sandbox/seeded-random.ts';
import { pages } from './pages.ts';

/**
 * Every command that the pages show for one machine, typed as it is shown into a shell in one folder, the pages in an order of chance:
 * `SEED=7 npm run test:long -- test/docs/shown-commands` gives another one.
 */

const seed = Number(process.env.SEED ?? 1);
const folder = mkdtempSync(join(tmpdir(), 'shown-commands-'));
let catalogue: RunningCatalogue;

/** What is run by another test, or needs what this one does not have. */
const elsewhere: readonly (readonly [RegExp, string])[] = [
  [/ --as-of /, 'a folder of months: test/bin/as-of.test.ts'],
  [/relay --export /, 'a key of openssl: test/bin/relay-files.long.test.ts'],
  [/ --stage /, 'a deployed stage: test/bin/stage.test.ts, and test/aws on the emulator'],
  [/--sign-in |--end-sessions "/, 'a provider: test/page/team-guide.long.test.ts'],
  [
    /--config lab\.config\.ts/,
    'receivers of messages: test/bin/doctor-messages.long.test.ts, watch-messages.long.test.ts',
  ],
  [
    /interpretation|^npx gene-panel-notifier api /,
    'an identity provider: test/bin/api.test.ts, impact-interpretation.test.ts',
  ],
  [
    /compare uk australia|--name (?:uk|australia)\b/,
    'two catalogues: test/questions/compare-catalogues.test.ts',
  ],
];

const shown = pages.flatMap(({ path, blocks }) =>
  blocks
    .flatMap(({ code }) => code.replaceAll(/\\\n\s*/g, ' ').split('\n'))
    .filter((line) => /gene-panel-notifier [a-z]/.test(line))
    .map((line) => ({ path, line: line.trim() })),
);
const here = shown.filter(({ line }) => !elsewhere.some(([pattern]) => pattern.test(line)));

/** What a reader has in place of what a page can only name. */
let entry = '';
const filledIn = (line: string): string =>
  line
    .replace('docker compose exec notifier gene-panel-notifier', 'npx gene-panel-notifier')
    .replaceAll(
      /https:\/\/(?:panelapp-aus|panels\.example)\.org|http:\/\/127\.0\.0\.1:8000|http:\/\/relay\.example\.org\/australia\/api\/v1\//g,
      catalogue.url,
    )
    .replaceAll(/\/var\/lib\/gene-panel-notifier|--state \/data/g, (text) =>
      text.startsWith('--') ? '--state .gene-panel-notifier' : '.gene-panel-notifier',
    )
    .replaceAll('/backup/', `${folder}/backup/`)
    .replaceAll(/\b[0-9a-f]{12}\b/g, entry);

interface Ran {
  readonly code: number | null;
  readonly output: string;
}

/** Types a line; what serves is stopped as by Ctrl-C when it says that it serves. */
function type(line: string): Promise<Ran> {
  const serves = /^npx gene-panel-notifier (?:watch|page(?! --end)|relay|sandbox)/.test(line);
  const child = spawn('sh', ['-c', serves ? `exec ${line}` : line], {
    cwd: folder,
    env: { ...process.env, PATH: [join(folder, 'bin'), process.env.PATH].join(delimiter), NO_COLOR: '1' },
  });
  let output = '';
  let isStopped = false;
  const read = (chunk: Buffer): void => {
    output += chunk;
    if (!serves || isStopped || !/^(?:A poll every|Serving)/m.test(output)) return;
    isStopped = true;
    child.kill('SIGINT');
  };
  child.stdout.on('data', read);
  child.stderr.on('data', read);
  return new Promise((ran) => child.on('close', (code) => ran({ code, output })));
}

beforeAll(async () => {
  mkdirSync(join(folder, 'bin'));
  mkdirSync(join(folder, 'backup'));
  const npx = join(folder, 'bin', 'npx');
  writeFileSync(
    npx,
    `#!/bin/sh\nshift\nexec "${process.execPath}" "${resolve('bin/gene-panel-notifier.js')}" "$@"\n`,
  );
  chmodSync(npx, 0o755);
  writeFileSync(join(folder, 'cases.csv'), 'case,panel,date\nA-1,R131,2026-10-12\n');
  writeFileSync(join(folder, 'export.csv'), 'Lab No.,Test code,Date reported\n1,R131,13/10/2026\n');
  catalogue = await startCatalogue({ clock, history: 60 });
  const read = await type(`npx gene-panel-notifier poll --catalogue ${catalogue.url} --from 90d`);
  expect(read.code, read.output).toBe(0);
  const { output } = await type('npx gene-panel-notifier worklist list');
  [, entry = ''] = /^([0-9a-f]{12}) /m.exec(output) ?? [];
  expect(entry, output).not.toBe('');
});
afterAll(async () => {
  await catalogue.close();
  rmSync(folder, { recursive: true });
});

/** The pages in an order of chance; the commands of a page follow each other. */
const random = seededRandom(seed);
const pageAt = new Map([...new Set(here.map(({ path }) => path))].map((path) => [path, random()]));
const inOrder = here.toSorted((one, other) => (pageAt.get(one.path) ?? 0) - (pageAt.get(other.path) ?? 0));

test.each(inOrder)('$path: $line', async ({ line }) => {
  const { code, output } = await type(filledIn(line));
  // The made-up catalogue does not have every name, version and day of the pages: then the answer says which.
  const asksFirst = / mark --set /.test(line) && !line.endsWith('--yes');
  expect(asksFirst ? [2] : [0, 3, 4], output).toContain(code);
  if (code === 3)
    expect(output).toMatch(
      /^No .+ (?:is called|has|was)|has no version|was not read|was read|is not kept|first/m,
    );
  expect(output).not.toMatch(/^\s+at .+:\d+:\d+/m);
});

test('the pages show such commands, and each that is left out has its reason', () => {
  expect(inOrder.length).toBeGreaterThan(40);
  for (const [pattern] of elsewhere) expect(shown.some(({ line }) => pattern.test(line))).toBe(true);
});
