import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openLock } from '../../bin/local/open-state.ts';
import { Stopped, stopSignal } from '../../bin/main.ts';
import { systemClock as clock } from '../../lambdas/run/clock.ts';
import { type RunningCatalogue, startCatalogue } from '../../sandbox/catalogue/start.ts';
import { newFolder } from '../new-folder.ts';
import { serveLogWithComments } from '../poll/log-with-comments.ts';
import { type Ran, runCommand } from './run-command.ts';

const program = fileURLToPath(new URL('../../bin/gene-panel-notifier.js', import.meta.url));
const saved = fileURLToPath(new URL('../fixtures/catalogue/', import.meta.url));

const root = newFolder();
let catalogue: RunningCatalogue;
let states = 0;
beforeEach(async () => {
  states += 1;
  catalogue = await startCatalogue({ clock, from: saved, ties: 'fixed' });
});
afterEach(() => catalogue.close());

const state = (): string => join(root, String(states));
const commandLine = (name: string): string[] => [
  name,
  ...(name === 'poll' ? ['--only', 'log'] : []),
  ...['--catalogue', catalogue.url, '--state', state(), '--from', '2023-09-01'],
];
const silent = (path: string) => catalogue.fail({ kind: 'silence' }, { path, times: 99 });

/** Resolves when a list of the catalogue is asked for. */
const asked = (list: string): Promise<void> =>
  new Promise((resolve) => {
    catalogue.onRequest(({ path }) => {
      if (path.includes(list)) resolve();
    });
  });

/** A command that gets a signal to stop once it has requested a list. */
async function stoppedAt(list: string, name = 'poll'): Promise<Ran> {
  const stop = new AbortController();
  const running = runCommand(commandLine(name), { signal: stop.signal });
  await asked(list);
  stop.abort(new Stopped('stopped by SIGINT'));
  return running;
}

const message = 'stopped; nothing is lost: the same command continues from here\n';
const linesOf = (printed: string): string[] => printed.split('\n').filter(Boolean);

async function run(child: ChildProcess): Promise<readonly [code: number | null, stderr: string]> {
  const [stderr] = await Promise.all([text(child.stderr as NodeJS.ReadableStream), once(child, 'close')]);
  return [child.exitCode, stderr];
}

/** Whether a process polls with the state. */
function isLocked(): boolean {
  const lock = openLock(state(), 'publishing', { clock });
  try {
    return !lock.take();
  } finally {
    lock.close();
  }
}

/** Windows ends a process by any signal, so none can be answered there. */
const hasSignals = process.platform !== 'win32';

describe('a poll that waits for the catalogue', () => {
  test.runIf(hasSignals).each(['SIGINT', 'SIGTERM'] as const)(
    'ends by one %s, and leaves no lock',
    async (signal) => {
      silent('activities');
      const child = spawn(process.execPath, [program, ...commandLine('poll')], {
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      const ran = run(child);
      await asked('activities');
      expect(isLocked()).toBe(true);
      child.kill(signal);
      expect(await ran).toStrictEqual([130, message]);
      expect(isLocked()).toBe(false);
    },
  );

  test.each(['activities', 'page=2', 'panels'])('is stopped while it asks for %s', async (list) => {
    silent(list);
    const { code, stdout, stderr } = await stoppedAt(list);
    expect([code, stdout, linesOf(stderr).filter((line) => !line.startsWith('warning:'))]).toStrictEqual([
      130,
      '',
      [message.trim()],
    ]);
    catalogue.clearFaults();
    expect(linesOf((await runCommand(commandLine('poll'))).stdout).length).toBeGreaterThan(200);
  });

  test('is stopped while it asks for a token', async () => {
    const stop = new AbortController();
    const provider = createServer(() => stop.abort(new Stopped('stopped by SIGINT')));
    await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
    const authUrl = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
    const env = { AUTH_URL: authUrl, TENANT_ID: 'x', CLIENT_ID: 'a', CLIENT_SECRET: 'b' };
    const ran = await runCommand(commandLine('poll'), { signal: stop.signal, env });
    expect(ran).toStrictEqual({ code: 130, stdout: '', stderr: message });
    provider.closeAllConnections();
    provider.close();
  });

  test('is stopped while it waits before a repeat', async () => {
    catalogue.fail({ kind: 'status', status: 503, retryAfter: '19' }, { times: 9 });
    const { code, stderr } = await stoppedAt('activities');
    expect([code, linesOf(stderr).at(-1)]).toStrictEqual([130, message.trim()]);
  });
});

test('a poll that is stopped while it prints finishes its chunk, and the next prints the rest', async () => {
  const log = await serveLogWithComments({ rows: 2_500, every: 2_500, length: 10 });
  const poll = (...more: string[]): string[] => [
    ...['poll', '--only', 'log', '--catalogue', log.url, '--from', '2020-01-01', '--state', ...more],
  ];
  const whole = await runCommand(poll(join(root, 'whole')));
  const stop = new AbortController();
  const first = await runCommand(poll(state()), {
    signal: stop.signal,
    onOutput: () => stop.abort(new Stopped('stopped by SIGINT')),
  });
  expect(first).toMatchObject({ code: 130, stderr: expect.stringContaining(message) });
  const second = await runCommand(poll(state()));
  log.close();
  const [before, after, all] = [first, second, whole].map(({ stdout }) => linesOf(stdout));
  expect(before?.length).toBeGreaterThan(0);
  expect(after?.length).toBeGreaterThan(0);
  // Two runs differ in the time at which they listed the panels.
  const timeless = (line: string): string => line.replace(/"factsReadAt":"[^"]*"/, '');
  expect([...(before ?? []), ...(after ?? [])].map(timeless)).toStrictEqual(all?.map(timeless));
});

test('watch is stopped while it waits for the catalogue', async () => {
  silent('activities');
  const { code, stderr } = await stoppedAt('activities', 'watch');
  const lines = [/^Page: http:/, /^Watching/, /^A poll every/].map((line) => expect.stringMatching(line));
  expect([code, linesOf(stderr)]).toStrictEqual([0, lines]);
});

test('a command that has nothing to tidy up is ended at once', async () => {
  silent('activities');
  const child = spawn(process.execPath, [program, 'doctor', '--catalogue', catalogue.url], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ran = run(child);
  await asked('activities');
  child.kill('SIGINT');
  await ran;
  expect(child.signalCode).toBe('SIGINT');
});

const bundled = fileURLToPath(
  new URL(`../../node_modules/node-linux-${process.arch}/bin/node`, import.meta.url),
);

describe.runIf(existsSync(bundled))('the launcher on an old Node', () => {
  const old = `data:text/javascript,Object.defineProperty(process, 'versions', { value: { node: '20.0.0' } });`;
  /** A process group of its own, as a terminal would signal it. */
  const launch = (...args: readonly string[]): ChildProcess =>
    spawn(process.execPath, ['--import', old, program, ...args], {
      stdio: ['ignore', 'ignore', 'pipe'],
      detached: true,
    });

  test('lets one Ctrl-C at a terminal be one, though both processes hear it', async () => {
    silent('activities');
    const child = launch(...commandLine('poll'));
    const ran = run(child);
    await asked('activities');
    process.kill(-(child.pid as number), 'SIGINT');
    expect(await ran).toStrictEqual([130, message]);
    expect(isLocked()).toBe(false);
  });

  test.each([
    ['SIGINT', 'poll', 130],
    ['SIGTERM', 'doctor', 143],
    ['SIGHUP', 'poll', 129],
  ] as const)('passes on %s that it alone gets, and how %s ended: %i', async (signal, name, code) => {
    silent('activities');
    const args = commandLine(name).slice(0, name === 'doctor' ? 3 : undefined);
    const child = launch(...args);
    const ran = run(child);
    await asked('activities');
    child.kill(signal);
    expect((await ran)[0]).toBe(code);
  });

  test('leaves no program running when it is killed and can pass on nothing', async () => {
    silent('activities');
    const child = launch(...commandLine('poll'));
    const ran = run(child);
    await asked('activities');
    child.kill('SIGKILL');
    // Standard error is closed once both processes have ended.
    const [, stderr] = await ran;
    expect(stderr).toBe(message);
    expect(isLocked()).toBe(false);
  });

  test('passes on the exit code', async () => {
    expect((await run(launch('poll', '--only', 'log', '--nope')))[0]).toBe(2);
  });
});

describe('the signal to stop', () => {
  function watched() {
    const killed: unknown[][] = [];
    const kill = (...given: unknown[]) => killed.push(given) > 0;
    const process = Object.assign(new EventEmitter(), { pid: 17, kill });
    let now = 1000;
    const signal = stopSignal(process as unknown as NodeJS.Process, { now: () => now });
    const at = (ms: number, name: string): void => {
      now = 1000 + ms;
      process.emit(name, name);
    };
    return { signal, at, killed, process };
  }

  test.each(['SIGINT', 'SIGTERM'])('is given by %s, also where it arrives twice', (name) => {
    const { signal, at, killed } = watched();
    expect(signal.aborted).toBe(false);
    at(0, name);
    expect(signal.reason).toBeInstanceOf(Stopped);
    at(1, name);
    at(499, name);
    expect(killed).toEqual([]);
  });

  test('and what comes later ends the process', () => {
    const { at, killed, process } = watched();
    at(0, 'SIGINT');
    at(500, 'SIGINT');
    expect(killed).toEqual([[17, 'SIGINT']]);
    expect(process.listenerCount('SIGINT')).toBe(0);
  });
});

test('ends with a failure when the program that reads its output has ended, so that a service is started again', async () => {
  const child = spawn(process.execPath, [program, 'watch', '--sandbox', '--no-page', '--json'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await once(child.stdout, 'data');
  child.stdout.destroy();
  const [code] = await once(child, 'exit');
  expect(code).toBe(1);
});
