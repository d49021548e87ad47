import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startCatalogue } from '../../sandbox/catalogue/start.ts';
import { newFolder } from '../new-folder.ts';
import { createTestClock } from '../run/test-clock.ts';
import { type Ran, runCommand } from './run-command.ts';

const MINUTE = 60_000;

async function start() {
  const clock = createTestClock({ now: Date.UTC(2026, 10, 20, 9) });
  const folder = newFolder();
  const catalogue = await startCatalogue({ clock, history: 120, seed: 3 });
  onTestFinished(() => catalogue.close());
  const asked: string[] = [];
  catalogue.onRequest(({ path }) => {
    asked.push(path);
  });
  const place = ['--catalogue', catalogue.url, '--name', 'uk', '--state', join(folder, 'state')];
  return {
    clock,
    catalogue,
    poll: (...args: readonly string[]): Promise<Ran> => runCommand(['poll', ...place, ...args], { clock }),
    /** The lists and states that were asked for since the last call. */
    parts: () => {
      const paths = asked.splice(0);
      return {
        log: paths.some((path) => path.includes('/activities/')),
        listings: paths.some((path) => path.includes('/regions/')),
        states: paths.some((path) => /\/panels\/\d+\//.test(path)),
      };
    },
  };
}

test('a poll reads the log, the listings where an hour has passed, and states', async () => {
  const { clock, catalogue, poll, parts } = await start();
  expect(await poll()).toMatchObject({ code: 0, stdout: '' });
  expect(parts()).toEqual({ log: true, listings: true, states: true });

  clock.pass(5 * MINUTE);
  expect(await poll()).toMatchObject({ code: 0, stdout: '', stderr: 'nothing new (1 request)\n' });
  expect(parts()).toEqual({ log: true, listings: false, states: false });

  catalogue.act({ kind: 'make internal silently' });
  clock.pass(61 * MINUTE);
  const { code, stdout } = await poll();
  expect(code).toBe(0);
  expect(stdout).toContain('"type":"gene-panel.panel.withdrawn.v1"');
  expect(parts()).toMatchObject({ log: true, listings: true });
});

test('a poll reads the first states for a minute, and the next polls go on', async () => {
  const { clock, poll, parts } = await start();
  const begun = clock.now();
  const { stderr } = await poll('--pace', '10');
  expect(stderr).toMatch(/\d+ panels left, the time of this run is over/);
  expect(clock.now() - begun).toBeLessThanOrEqual(MINUTE);
  parts();
  await poll('--pace', '10');
  expect(parts()).toEqual({ log: true, listings: false, states: true });
});

test.each(['log', 'listings', 'states'] as const)('--only %s reads no other part', async (part) => {
  const { poll, parts } = await start();
  await poll();
  parts();
  expect((await poll('--only', part)).code).toBe(0);
  const wanted = { log: part === 'log', listings: part !== 'log', states: false };
  // Where the lists differ, and to know which versions there are, the other parts are read too.
  expect(parts()).toMatchObject(part === 'log' ? wanted : { listings: true });
});

test('--accept goes on with the listings at once', async () => {
  const { poll, parts } = await start();
  await poll();
  parts();
  expect((await poll('--accept')).stderr).toContain('nothing changed without a row');
  expect(parts()).toMatchObject({ listings: true });
});

test('a part that does not exist is refused', async () => {
  const { poll } = await start();
  expect(await poll('--only', 'genes')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--only "genes": expected log, listings or states'),
  });
});
