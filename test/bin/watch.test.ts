import { copyFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { command } from '../../bin/commands/watch.ts';
import type { LocalNotifier } from '../../bin/local/notifier.ts';
import { pollUntilStopped } from '../../bin/poll-until-stopped.ts';
import { CatalogueError } from '../../lambdas/catalogue/http/access.ts';
import { type Clock, systemClock as clock } from '../../lambdas/run/clock.ts';
import { type RunningCatalogue, startCatalogue } from '../../sandbox/catalogue/start.ts';
import { newFolder } from '../new-folder.ts';
import { createTestClock } from '../run/test-clock.ts';
import { type Ran, runCommand, words } from './run-command.ts';

const saved = fileURLToPath(new URL('../fixtures/catalogue/', import.meta.url));

let root: string;
let catalogue: RunningCatalogue;
beforeEach(async () => {
  root = newFolder();
  catalogue = await startCatalogue({ clock, from: saved });
});
afterEach(() => catalogue.close());

const given = (): string[] => ['--catalogue', catalogue.url, '--state', join(root, 'state')];
const watch = (...args: string[]): Promise<Ran> =>
  runCommand(['watch', ...given(), '--no-page', '--every', '0', '--polls', '1', ...args]);

const begun = 'bookmarked the newest row; new events are shown from now on (--from shows older ones)\n';
const baseline = 'baseline: 19 panels and 15 regions stored to compare with (3 requests)\n';

describe('watch', () => {
  test('says that the first poll bookmarks the newest row, once', async () => {
    const first = await watch();
    expect(first).toStrictEqual({
      code: 0,
      stdout: '',
      stderr: `Watching ${catalogue.url}\nA poll every 0 s; Ctrl-C stops\n${begun}${baseline}`,
    });
    expect((await watch()).stderr).not.toContain(begun);
  });

  test('shows events at times that are marked as UTC, as its help says', async () => {
    const { stdout, stderr } = await watch('--from', '2023-11-01');
    expect(stderr).not.toContain(begun);
    const lines = stdout.trimEnd().split('\n');
    expect(lines.length).toBeGreaterThan(9);
    for (const line of lines) expect(line).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\dZ {2}/);
    expect(command.usage).toContain('in UTC');
  });
});

const hostUnknown = new CatalogueError({
  condition: 'HOST_UNKNOWN',
  action: 'Asking the catalogue for https://catalogue.example/api/v1/activities/',
  seen: 'the host name is unknown (ENOTFOUND)',
});

const ioOf = () => ({
  stdin: Readable.from([]),
  stdout: new PassThrough(),
  stderr: new PassThrough(),
  env: {},
  clock,
  signal: new AbortController().signal,
});

test('watch ends, so that its service starts again, where another file was put over its own', async () => {
  const file = join(root, 'state', 'notifier.sqlite');
  await runCommand(['poll', '--only', 'log', ...given(), '--from', '2023-11-10']);
  await copyFile(file, join(root, 'copy.sqlite'));
  const putBack: Clock = { ...clock, sleep: () => rename(join(root, 'copy.sqlite'), file) };
  const { code, stderr } = await runCommand(
    ['watch', ...given(), '--no-page', '--every', '1', '--polls', '3'],
    { clock: putBack },
  );
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /was replaced by another file while this program had it open.*put a copy into an empty folder/,
  );
  expect(stderr).not.toContain('Trying again');
});

test('poll says until when it was asked to wait', async () => {
  const poll = () => runCommand(['poll', '--only', 'log', ...given()]);
  await poll();
  const before = clock.now();
  catalogue.fail({ kind: 'status', status: 429, retryAfter: '3600' });
  for (const polled of [await poll(), await poll()]) {
    const [, until = ''] =
      /the catalogue asked to wait until (\S+Z); poll again after that\n$/.exec(polled.stderr) ?? [];
    expect(polled.code).toBe(0);
    expect(Date.parse(until) - before).toBeGreaterThan(3_500_000);
  }
});

test('a sandbox ends with a watch that cannot write its output', async () => {
  const servers = (): number =>
    process.getActiveResourcesInfo().filter((resource) => resource === 'TCPServerWrap').length;
  const before = servers();
  const { code, stderr } = await runCommand(words`watch --sandbox --no-page
    --output ${join(root, 'nothing', 'events.ndjson')}`);
  expect(code).toBe(1);
  expect(stderr).toContain('there is no such directory');
  expect(servers()).toBe(before);
});

test('watch without a network says so once, waits, and says when it reads again', async () => {
  const io = ioOf();
  const polls: (() => Promise<{ outcome: string }>)[] = [
    () => Promise.reject(hostUnknown),
    () => Promise.reject(hostUnknown),
    () => Promise.resolve({ outcome: 'quiet' }),
    () => Promise.reject(hostUnknown),
  ];
  let kept = 0;
  const notifier = {
    poll: () => polls.shift()?.(),
    hasBegun: async () => false,
    compare: async () => [],
    indexWords: async () => {},
    keepWorklist: async () => {
      kept += 1;
    },
    tidy: async () => {},
    requests: 0,
  } as unknown as LocalNotifier;
  await pollUntilStopped(notifier, { io, every: 0, polls: 4 });
  expect(kept).toBe(1);
  const said = String(io.stderr.read());
  expect(said.match(/\S.*/g)).toStrictEqual([
    expect.stringMatching(/the host name is unknown.* Trying again every 0 s; Ctrl-C stops\.$/),
    'The catalogue is being read again; nothing was lost.',
    expect.stringMatching(/the host name is unknown/),
  ]);
  expect(polls).toHaveLength(0);
});

/** A notifier for which every poll is quiet. */
const quietNotifier = (given: object): LocalNotifier =>
  ({
    poll: async () => ({ outcome: 'quiet' }),
    sweep: async () => ({ outcome: 'quiet', refusal: null }),
    compare: async () => [],
    indexWords: async () => {},
    keepWorklist: async () => {},
    tidy: async () => {},
    requests: 0,
    ...given,
  }) as unknown as LocalNotifier;

test('watch reads states for half a minute at a time, so that verify gets its turn, and leaves it where another process has it', async () => {
  const clock = createTestClock();
  const begun = clock.now();
  const turns: number[] = [];
  const notifier = quietNotifier({
    proveIfFree: async ({ deadline }: { readonly deadline: number }) => {
      turns.push((deadline - begun) / 1000);
      clock.pass(deadline - clock.now());
      return turns.length === 4 ? null : { why: 'out-of-time' };
    },
  });
  await pollUntilStopped(notifier, {
    io: { ...ioOf(), clock },
    every: 70_000,
    polls: 3,
    sweepEvery: 3_600_000,
  });
  expect(turns).toEqual([30, 60, 70, 100]);
});

test('watch rests between states that are read at a slow pace, and does not ask again and again', async () => {
  const clock = createTestClock();
  const begun = clock.now();
  const turns: number[] = [];
  const notifier = quietNotifier({
    // The next request is due after each turn.
    proveIfFree: async () => {
      turns.push((clock.now() - begun) / 1000);
      if (turns.length > 9) throw new Error('watch asks again and again');
      return { why: 'out-of-time' };
    },
  });
  await pollUntilStopped(notifier, {
    io: { ...ioOf(), clock },
    every: 70_000,
    polls: 2,
    sweepEvery: 3_600_000,
  });
  expect(turns).toEqual([0, 30, 60]);
});

test('watch without a network keeps its page, which says that the last poll failed', async () => {
  const { url } = catalogue;
  await catalogue.close();
  let said = '';
  const views: string[] = [];
  const waiting: Clock = {
    ...createTestClock({ now: Date.UTC(2023, 10, 20) }),
    sleep: async () => {
      const [, page] = /^Page: (\S+)$/m.exec(said) ?? [];
      if (page === undefined || !said.includes('Trying again')) return;
      for (const path of ['', 'watcher']) views.push(await (await fetch(page + path)).text());
    },
  };
  const args = ['--catalogue', url, '--state', join(root, 'state'), '--port', '0', '--sweep-every', '0'];
  const { code } = await runCommand(['watch', ...args, '--every', '1', '--polls', '3'], {
    clock: waiting,
    onMessage: (text) => {
      said += text;
    },
  });
  expect(code).toBe(0);
  const [changes = '', watcher = ''] = views;
  expect(changes).toContain('Nothing was read ');
  expect(changes).toContain('the last poll failed');
  expect(watcher).toContain('ECONNREFUSED');
  catalogue = await startCatalogue({ clock, from: saved });
});
