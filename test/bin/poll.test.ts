import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createKeptChanges } from '../../lambdas/questions/worklist/kept-changes.ts';
import { openStateFile } from '../../lambdas/store/sqlite-file.ts';
import { newFolder } from '../new-folder.ts';
import { type SavedLog, serveSavedLog } from '../poll/saved-log.ts';
import { createTestClock } from '../run/test-clock.ts';
import { runCommand, words } from './run-command.ts';

const program = fileURLToPath(new URL('../../bin/gene-panel-notifier.js', import.meta.url));
const since = ['--from', '2023-09-01'];

let log: SavedLog;
let root: string;
let state: string;
let states = 0;
beforeAll(async () => {
  [log, root] = await Promise.all([serveSavedLog(), newFolder()]);
});
afterAll(() => Promise.all([log.close(), rm(root, { recursive: true })]));
beforeEach(() => {
  state = join(root, String(states++));
});

const poll = (...args: string[]): readonly string[] => words`poll --only log --catalogue ${log.url}
  --state ${state} ${args}`;

/** A poll in a process of its own, killed without warning once it has printed so many lines. */
async function killedAfter(lines: number): Promise<string[]> {
  const child: ChildProcess = spawn(process.execPath, [program, ...poll(...since)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const printed: string[] = [];
  for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) {
    // The kill may cut the last line.
    if (!line.endsWith('}}}')) continue;
    if (printed.push(line) === lines) child.kill('SIGKILL');
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  expect(child.signalCode).toBe('SIGKILL');
  return printed;
}

const linesOf = (text: string): string[] => text.split('\n').filter(Boolean);

describe('poll', () => {
  test('first bookmarks the newest row, then has nothing new', async () => {
    const first = await runCommand(poll());
    expect(first).toMatchObject({
      code: 0,
      stdout: '',
      stderr: expect.stringContaining('bookmarked the newest row'),
    });
    const second = await runCommand(poll());
    expect(second).toMatchObject({ code: 0, stdout: '', stderr: 'nothing new (1 request)\n' });
  });

  test('takes the start as a day, a time or how long ago, as every command takes times', async () => {
    const ago = await runCommand([...poll('--from', '2000d'), '--name', 'days']);
    expect(ago.code).toBe(0);
    expect(linesOf(ago.stdout).length).toBeGreaterThan(200);
    expect((await runCommand(['mark', '--state', state, '--set', '24h'])).stderr).toContain(
      'Nothing was changed',
    );
    expect(await runCommand(poll('--from', '3x'))).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('or 90d for the last 90 days'),
    });
  });

  test('keeps the changes of the worklist and the words of searches, so that the next view reads few events', async () => {
    await runCommand(poll(...since));
    const file = openStateFile(state);
    const kept = await createKeptChanges(file).read((all) => all.changes({}));
    const unindexed = 'SELECT count(*) AS events FROM event WHERE seq NOT IN (SELECT id FROM search_docsize)';
    expect(file.database.prepare(unindexed).get()?.events).toBe(0);
    file.close();
    const { stdout } = await runCommand(['worklist', '--format', 'ndjson', '--state', state]);
    expect(kept?.length).toBeGreaterThan(5);
    expect(linesOf(stdout)).toHaveLength(kept?.length ?? 0);
  });

  test('publishes everything since a time, once', async () => {
    const { code, stdout, stderr } = await runCommand(poll(...since));
    expect(code).toBe(0);
    expect(linesOf(stdout).length).toBeGreaterThan(200);
    // The saved pages have rows of one instant at a page boundary, of which one was served twice and one never.
    expect(stderr).toMatch(/^(?:warning: .*\n)+\d+ events from \d+ rows, \d+ requests\n$/);
    expect(await runCommand(poll(...since))).toMatchObject({
      stdout: '',
      stderr: expect.stringContaining('nothing new'),
    });
  });

  test('with a filter reports how many events it printed, and which names are unknown', async () => {
    const { stderr } = await runCommand(poll(...since, '--gene', 'NOSUCHGENE', '--panel', '99999'));
    expect(stderr).toMatch(/ events from \d+ rows, 0 of them match the filter and were printed, /);
    expect(stderr).toContain('No gene, STR or region is called “NOSUCHGENE” in what was read.');
    expect(stderr).toContain('No panel has the id 99999.');
    const filtered = await runCommand(words`watch ${poll().slice(3)} --polls 1 --no-page --gene NOSUCHGENE`);
    expect(filtered.stderr).toContain('“NOSUCHGENE”');
  });

  /** A line without the time at which the panels were listed, in which two runs differ. */
  const timeless = (line: string): string => line.replace(/"factsReadAt":"[^"]*"/, '');

  test('that was killed goes on where it was, and repeats at most a chunk, byte for byte', async () => {
    const whole = linesOf((await runCommand(poll(...since))).stdout);
    state = join(root, String(states++));
    const before = await killedAfter(60);
    const after = linesOf((await runCommand(poll(...since))).stdout);
    expect(new Set([...before, ...after].map(timeless))).toStrictEqual(new Set(whole.map(timeless)));
    const repeated = after.filter((line) => before.includes(line));
    expect(repeated.length).toBeLessThanOrEqual(250);
  });

  test('waits two minutes for another one that uses the state, and then says which one', async () => {
    const server = createServer(() => {});
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const silent = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const child = spawn(
      process.execPath,
      [program, 'poll', '--only', 'log', '--catalogue', silent, '--state', state],
      {
        stdio: 'ignore',
      },
    );
    await once(server, 'request');
    const waiting = createTestClock({ now: Date.now() });
    const begun = waiting.now();
    expect(await runCommand(poll(), { clock: waiting })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`process ${child.pid} is using it`),
    });
    expect(Math.round((waiting.now() - begun) / 60_000)).toBe(2);
    child.kill('SIGKILL');
    await once(child, 'exit');
    server.closeAllConnections();
    server.close();
    expect((await runCommand(poll())).code).toBe(0);
  });

  test.each([
    ['no address', ['--state', '/tmp/x'], 2, /--catalogue URL is missing/],
    [
      'an address that is none',
      ['--catalogue', 'panelapp'],
      2,
      /"panelapp" is not a URL;.*Correct --catalogue\./,
    ],
    ['an address of another kind', ['--catalogue', 'ftp://x.example'], 2, /"ftp:.*Correct --catalogue\./],
    ['an address without scheme', ['--catalogue', '127.0.0.1:8123'], 2, /"127.*Correct --catalogue\./],
    ['an address with a password', ['--catalogue', 'http://a:b@x.example'], 2, /\(not shown\).*password/],
    [
      'a time that is none',
      ['--catalogue', 'http://127.0.0.1:9', '--from', 'monday'],
      2,
      /--from "monday": expected/,
    ],
    [
      'a start in the future',
      ['--catalogue', 'http://127.0.0.1:9', '--from', '2062-01-01'],
      2,
      /--from "2062-01-01": expected a time that is not in the future/,
    ],
    ['an overlap that is none', ['--catalogue', 'http://127.0.0.1:9', '--overlap', '-1'], 2, /--overlap/],
    [
      'a host that refuses',
      ['--catalogue', 'http://127.0.0.1:9'],
      1,
      /127\.0\.0\.1:9.*CATALOGUE_CONNECTION_REFUSED/s,
    ],
    ['a state that is a file', ['--catalogue', 'http://127.0.0.1:9', '--state', program], 1, /--state/],
  ])('fails on %s with a clear message', async (_what, args, wanted, message) => {
    const given = args.includes('--state') ? args : [...args, '--state', state];
    const { code, stderr } = await runCommand(['poll', '--only', 'log', ...given]);
    expect(stderr).toMatch(message);
    expect(stderr).not.toContain('    at ');
    expect(code).toBe(wanted);
  });

  test('refuses another address in a folder that follows a catalogue, and names its mark and the way on', async () => {
    const other = await serveSavedLog();
    await runCommand(poll(...since));
    const mark = await runCommand(['mark', '--state', state]);
    const elsewhere = poll().map((word) => (word === log.url ? other.url : word));
    for (const args of [elsewhere, ['poll', '--only', 'listings', ...elsewhere.slice(3)]]) {
      const refused = await runCommand(args);
      expect(refused).toMatchObject({ code: 1, stdout: '' });
      const [, reached = ''] = /mark {13}(\S+):/.exec(mark.stdout) ?? [];
      expect(refused.stderr).toContain(`${log.url}/api/v1/, published up to ${reached}`);
      expect(refused.stderr).toContain(
        `gene-panel-notifier mark --state ${state} --moved-to ${other.url}/api/v1/`,
      );
      expect(refused.stderr).toContain('--name');
    }
    expect(await runCommand(['mark', '--state', state])).toStrictEqual(mark);
    await other.close();
  });

  test('goes on at another address once the mark was moved there, with the name and the ids of before', async () => {
    const other = await serveSavedLog();
    const first = await runCommand(poll(...since));
    const moved = await runCommand(['mark', '--state', state, '--moved-to', other.url]);
    expect(moved).toMatchObject({ code: 2, stderr: expect.stringContaining('Add --yes') });
    expect((await runCommand(['mark', '--state', state, '--moved-to', other.url, '--yes'])).code).toBe(0);
    const elsewhere = poll().map((word) => (word === log.url ? other.url : word));
    expect((await runCommand(elsewhere)).stderr).toContain('nothing new');
    await runCommand(['mark', '--state', state, '--set', '2023-11-10', '--yes']);
    const again = linesOf((await runCommand(elsewhere)).stdout);
    const idsOf = (lines: readonly string[]) => lines.map((line) => (JSON.parse(line) as { id: string }).id);
    expect(again.length).toBeGreaterThan(0);
    expect(idsOf(linesOf(first.stdout))).toEqual(expect.arrayContaining(idsOf(again)));
    expect(again[0]).toContain(`"catalogue":"${new URL(log.url).host.replace(':', '-')}"`);
    const back = await runCommand(poll());
    expect(back.stderr).toContain(`it belongs to ${other.url}/api/v1/`);
    await other.close();
  });

  test('keeps two catalogues apart in one state, and refuses to mix them under one name', async () => {
    const other = await serveSavedLog();
    const { host: name } = new URL(other.url);
    const elsewhere = [
      ...poll(...since).map((word) => (word === log.url ? other.url : word)),
      '--name',
      name.replace(':', '-'),
    ];
    const [one, two] = [await runCommand(poll(...since)), await runCommand(elsewhere)];
    expect(linesOf(two.stdout)).toHaveLength(linesOf(one.stdout).length);
    const { host } = new URL(other.url);
    expect(two.stdout).toContain(`"catalogue":"${host.replace(':', '-')}"`);

    expect(two.stderr).not.toContain('begins anew');
    const again = await runCommand(poll('--name', 'uk'));
    expect(again).toMatchObject({ code: 0, stderr: expect.stringContaining('As "uk" it begins anew') });
    expect((await runCommand(poll('--name', 'uk'))).stderr).not.toContain('begins anew');
    const mixed = await runCommand([...elsewhere, '--name', 'uk']);
    expect(mixed.code).toBe(1);
    expect(mixed.stderr).toMatch(/the log of "uk": it belongs to .*CATALOGUE_CHANGED/s);
    await other.close();
  });

  test('fails on HTML where JSON was expected', async () => {
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Maintenance</html>');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { code, stderr } = await runCommand(words`poll --only log --catalogue ${url} --state ${state}`);
    expect(code).toBe(1);
    expect(stderr).toMatch(/HTML.*CATALOGUE_HTML/s);
    server.close();
  });

  test('sends the Authorization header of the environment, and never prints it', async () => {
    const seen: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      seen.push(request.headers.authorization);
      response.writeHead(403).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const env = { CATALOGUE_AUTHORIZATION: 'Token canary-1234' };
    const { code, stdout, stderr } = await runCommand(
      ['poll', '--only', 'log', '--catalogue', url, '--state', state],
      {
        env,
      },
    );
    expect(code).toBe(1);
    expect(seen).toStrictEqual(['Token canary-1234']);
    expect(stdout + stderr).not.toContain('canary-1234');
    server.close();
  });
});
