import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSqlitePanelStates } from '../../lambdas/panels/sqlite-panel-states.ts';
import { systemClock as clock } from '../../lambdas/run/clock.ts';
import { openStateFile } from '../../lambdas/store/sqlite-file.ts';
import { type RunningCatalogue, startCatalogue } from '../../sandbox/catalogue/start.ts';
import { newFolder } from '../new-folder.ts';
import { createTestClock } from '../run/test-clock.ts';
import { packagedProgram } from './packaged-program.ts';
import { runCommand, words } from './run-command.ts';

const root = newFolder();
let program: string;
let catalogue: RunningCatalogue;
beforeAll(async () => {
  program = await packagedProgram(root);
  catalogue = await startCatalogue({ clock, seed: 5, history: 300, ties: 'fixed' });
});
afterAll(() => catalogue.close());

const isState = (path: string): boolean => /\/panels\/\d+\//.test(path);

/** Runs a baseline in a process of its own, killed while the catalogue answers so many requests for states. */
async function baseline(state: string, killAfter: number): Promise<{ code: number | null; asked: number }> {
  const args = [program, 'poll', '--only', 'states', '--catalogue', catalogue.url, '--name', 'uk'];
  const child = spawn(process.execPath, [...args, '--state', join(root, state)], { stdio: 'ignore' });
  let asked = 0;
  catalogue.onRequest(({ path }) => {
    if (isState(path) && ++asked === killAfter) child.kill('SIGKILL');
  });
  await once(child, 'exit');
  catalogue.onRequest(undefined);
  return { code: child.exitCode, asked };
}

async function keptIn(state: string): Promise<readonly string[]> {
  const file = openStateFile(join(root, state));
  const states = createSqlitePanelStates({ file, catalogue: 'uk', now: clock.now });
  const kept: string[] = [];
  for (const { panelId } of await states.panels()) {
    for (const { version, sha256 } of await states.versions(panelId))
      kept.push(`${panelId} ${version} ${sha256}`);
  }
  file.close();
  return kept;
}

test('a baseline that is killed at any request goes on from there, and asks again only for what it was killed at', async () => {
  const whole = await baseline('whole', Number.POSITIVE_INFINITY);
  expect(whole.code).toBe(0);
  const kept = await keptIn('whole');
  expect(kept.length).toBeGreaterThan(15);
  for (const every of [1, 5]) {
    const state = `every-${every}`;
    let [asked, kills] = [0, 0];
    for (let runs = 0; runs < 100; runs += 1) {
      const run = await baseline(state, every + 1);
      asked += run.asked;
      if (run.code === 0) break;
      kills += 1;
    }
    expect(await keptIn(state), state).toEqual(kept);
    expect(kills).toBeGreaterThan(2);
    expect(asked).toBeLessThanOrEqual(whole.asked + kills);
  }
});

test('a baseline shows how much is left and when it will end, by the pace that it was given', async () => {
  const own = createTestClock({ now: Date.now() });
  const args = words`poll --only states --catalogue ${catalogue.url} --state ${join(root, 'paced')}
    --pace 10`;
  const { code, stderr } = await runCommand(args, { clock: own });
  expect(code).toBe(0);
  const shown = [...stderr.matchAll(/^(\d+) (panels?|signed-off versions?) left, about (\d+) min$/gm)];
  expect(new Set(shown.map(([, , what]) => what?.replace(/s$/, '')))).toEqual(
    new Set(['panel', 'signed-off version']),
  );
  for (const [, left, , minutes] of shown) {
    const seconds = Number(minutes) * 60;
    expect(seconds).toBeLessThanOrEqual(Number(left) * 10 + 60);
    expect(seconds).toBeGreaterThanOrEqual((Number(left) * 10) / 2);
  }
});

test('a baseline says how long it takes also where panels have several versions to read', async () => {
  const begun = Date.now();
  const own = createTestClock({ now: begun });
  const from = new Date(begun - 20 * 86_400_000).toISOString();
  const place = ['--catalogue', catalogue.url, '--state', join(root, 'earlier')];
  await runCommand(['poll', '--only', 'log', ...place, '--from', from], { clock: own });
  const before = own.now();
  const { stderr } = await runCommand(['poll', '--only', 'states', ...place, '--pace', '10'], { clock: own });
  const [, minutes] = /^\d+ panels left, about (\d+) min$/m.exec(stderr) ?? [];
  const took = (own.now() - before) / 60_000;
  expect(Number(minutes)).toBeGreaterThan(took * 0.8);
});

test.each([
  ['a panel is listed and not shown', '/panels/3/', /1 panel could not be read/],
  ['a panel answers an error', '/panels/3/', /1 panel could not be read/],
  ['the lists are not trusted', 'v1/panels/', /the listing has no panel/],
])('poll --only states ends with 1 where %s', async (why, path, said) => {
  const state = join(root, why);
  const args = ['poll', '--only', 'states', '--catalogue', catalogue.url, '--state', state, '--pace', '0'];
  const body = JSON.stringify({ count: 0, next: null, previous: null, results: [] });
  catalogue.fail(
    why.includes('lists')
      ? { kind: 'body', body, contentType: 'application/json' }
      : { kind: 'status', status: why.includes('error') ? 418 : 404 },
    { path, times: 99 },
  );
  const failing = await runCommand(args);
  expect([failing.code, failing.stderr]).toEqual([1, expect.stringMatching(said)]);
  catalogue.clearFaults();
  const later = createTestClock({ now: Date.now() + 3_600_000 });
  expect((await runCommand(args, { clock: later })).code).toBe(0);
});
