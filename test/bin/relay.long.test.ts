import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../lambdas/run/clock.ts';
import { startCatalogue } from '../../sandbox/catalogue/start.ts';
import { newFolder } from '../new-folder.ts';
import { differences } from '../questions/relay/as-the-catalogue.ts';
import { relayed } from './relayed.ts';
import { type Ran, runCommand, words } from './run-command.ts';

test('relay serves what poll kept as the catalogue does, and another notifier publishes the same events behind it', async () => {
  const folder = newFolder();
  const catalogue = await startCatalogue({ clock: systemClock, history: 40, seed: 7, ties: 'fixed' });
  onTestFinished(() => catalogue.close());
  const state = join(folder, 'state');
  const poll = (url: string, at: string, ...more: readonly string[]): Promise<Ran> =>
    runCommand(words`poll --catalogue ${url} --name uk --state ${at} --from 2000-01-01 --format ndjson
      ${more}`);
  const first = await poll(catalogue.url, state);
  expect(first.code).toBe(0);
  const ran = await relayed(
    ['relay', '--state', state, '--port', '0', '--address', 'https://relay.example.org'],
    async (url) => {
      const relay = (path: string): Promise<Response> => fetch(`${url}${path}`);
      const root = (await (await fetch(new URL('/', url))).json()) as {
        readonly uk: { readonly now: string };
      };
      expect(root.uk.now).toBe('https://relay.example.org/uk/api/v1/');
      expect(await differences(['panels/', 'activities/'], { catalogue: catalogue.url, relay })).toEqual([]);
      const behind = join(folder, 'behind');
      const second = await poll(url, behind, '--original', catalogue.url);
      const named = ({ stdout }: Ran): readonly unknown[] =>
        stdout
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line))
          .map(({ id, source, data }) => ({ id, source, summary: data.summary }));
      expect(named(second)).toEqual(named(first));
      expect(named(second).length).toBeGreaterThan(25);
      // Who moves from the relay to the catalogue hears nothing twice.
      expect((await poll(catalogue.url, behind)).stdout).toBe('');
      const unnamed = await poll(url, join(folder, 'unnamed'));
      expect(unnamed.stderr).toContain(`original=${catalogue.url}`);
      const wrong = await poll(url, join(folder, 'wrong'), '--original', 'https://other.example');
      expect(wrong).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('expected https://other.example/api/v1/'),
      });
    },
  );
  expect(ran).toMatchObject({ code: 0 });
});

test('watch serves the relay of the catalogue that it begins to follow', async () => {
  const folder = newFolder();
  const catalogue = await startCatalogue({ clock: systemClock, history: 40, seed: 7, ties: 'fixed' });
  onTestFinished(() => catalogue.close());
  const place = ['--catalogue', catalogue.url, '--name', 'uk', '--state', join(folder, 'state')];
  const watch = ['watch', ...place, '--no-page', '--relay-port', '0', '--from', '2000-01-01'];
  const ran = await relayed(watch, async (url) => {
    const relay = (path: string): Promise<Response> => fetch(`${url}${path}`);
    await expect
      .poll(async () => (await relay('panels/')).status, { timeout: 60_000, interval: 100 })
      .toBe(200);
    expect(await differences(['panels/', 'activities/'], { catalogue: catalogue.url, relay })).toEqual([]);
  });
  expect(ran).toMatchObject({ code: 0 });
});

test('relay of a folder that follows nothing says so', async () => {
  const folder = newFolder();
  expect(await runCommand(['relay', '--state', folder])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(folder),
  });
});
