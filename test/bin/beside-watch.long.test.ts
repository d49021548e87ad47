import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock as clock } from '../../lambdas/run/clock.ts';
import { startCatalogue } from '../../sandbox/catalogue/start.ts';
import { newFolder } from '../new-folder.ts';

const program = fileURLToPath(new URL('../../bin/gene-panel-notifier.js', import.meta.url));

const HOUR = 3_600_000;

interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A catalogue that a process of its own watches every second, and what runs other commands with the same state. */
async function startWatch() {
  // What happened before the first poll is an hour old; rows show up at once.
  let behindMs = HOUR;
  const past = { ...clock, now: () => clock.now() - behindMs };
  const catalogue = await startCatalogue({ clock: past, history: 60, seed: 5, ties: 'fixed' });
  const directory = newFolder();
  const started = new Set<ChildProcess>();
  onTestFinished(async () => {
    for (const child of started) child.kill('SIGKILL');
    await catalogue.close();
  });
  const place = ['--state', join(directory, 'state')];
  const start = (name: string, ...args: readonly string[]): ChildProcess => {
    const child = spawn(process.execPath, [program, name, ...place, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    started.add(child);
    return child;
  };
  const ended = async (child: ChildProcess): Promise<Ran> => {
    const [stdout, stderr] = await Promise.all([
      text(child.stdout as NodeJS.ReadableStream),
      text(child.stderr as NodeJS.ReadableStream),
      once(child, 'close'),
    ]);
    started.delete(child);
    return { code: child.exitCode, stdout, stderr };
  };
  const read = ['--catalogue', catalogue.url, '--overlap', '0'];
  const watchArgs = [...read, '--no-page', '--every', '1', '--sweep-every', '2s'];
  const watch = start('watch', ...watchArgs);
  const watched = ended(watch);
  /** Resolves once so many polls more have been asked for. */
  const polls = (count: number): Promise<void> =>
    new Promise((resolve) => {
      let left = count;
      catalogue.onRequest(({ path }) => {
        if (path.includes('/activities/')) left -= 1;
        if (left <= 0) resolve();
      });
    });
  await polls(4);
  return {
    catalogue,
    polls,
    watchArgs,
    run: (name: string, ...args: readonly string[]) => ended(start(name, ...args)),
    read,
    catchUp: () => {
      behindMs = 0;
    },
    async stop() {
      watch.kill('SIGINT');
      return watched;
    },
  };
}

test('verify and poll run beside watch, which goes on, and what no row states is published once', async () => {
  const { catalogue, polls, run, read, stop, catchUp } = await startWatch();
  const first = await run('verify', ...read);
  expect([first.code, first.stderr]).toEqual([0, expect.stringContaining('requests to the archive')]);
  catchUp();
  catalogue.act({ kind: 'rate' });
  const { panel } = catalogue.act({ kind: 'rate a gene as administrator' });
  const others = await Promise.all([
    run('verify', ...read, '--format', 'ndjson'),
    run('poll', ...read, '--only', 'listings'),
    run('poll', ...read),
  ]);
  expect(others.map(({ code, stderr }) => (code !== null && code <= 1 ? '' : stderr))).toEqual(['', '', '']);
  expect(others.map(({ stderr }) => stderr).join('')).not.toMatch(/is using it|STATE_CONFLICT|conflict/i);
  await polls(6);
  expect((await run('verify', ...read)).code).toBe(0);
  await polls(2);
  const { code, stderr } = await stop();
  expect([code, stderr]).toEqual([0, expect.not.stringMatching(/is using it|STATE_|conflict/i)]);
  const { stdout } = await run('history', '--format', 'ndjson', '--since', '1d');
  const silent = stdout
    .split('\n')
    .filter((line) => line.includes('"via":"snapshot"'))
    .map((line) => JSON.parse(line).data.panel.id as number);
  expect(silent).toEqual([panel.id]);
});

test('a second watch with the same state is refused', async () => {
  const { run, watchArgs, stop } = await startWatch();
  const { code, stderr } = await run('watch', ...watchArgs);
  expect([code, stderr]).toEqual([1, expect.stringMatching(/process \d+ is using it/)]);
  expect((await stop()).code).toBe(0);
});
