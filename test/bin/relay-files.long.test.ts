import { execFileSync, spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openTreeInFolder, verifyTree } from '../../bin/relay/tree-in-folder.ts';
import { writeTree } from '../../lambdas/questions/relay/write-tree.ts';
import { systemClock } from '../../lambdas/run/clock.ts';
import { startCatalogue } from '../../sandbox/catalogue/start.ts';
import { newFolder } from '../new-folder.ts';
import { relayOf } from '../questions/relay/as-the-catalogue.ts';
import { DAY, follow, readAll } from '../questions/relay/followed.ts';
import { root } from '../sources.ts';
import { runCommand, words } from './run-command.ts';

const KILLS = Number(process.env.KILLS ?? 5);
const origin = 'http://relay.example';
const { privateKey, publicKey } = generateKeyPairSync('ed25519');

const filesOf = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => /\/@[^/]*\.json$/.test(path));

/** `uk/api/v1/panels/@page=2.json` is the file of `/uk/api/v1/panels/?page=2`. */
const addressOf = (path: string): string => {
  const [, folder = '', query = ''] = /^(.*\/)@([^/]*)\.json$/.exec(path) ?? [];
  return `/${folder}${query && '?'}${query}`;
};

/** The rule of the guide that finds the file of an address. */
async function rewriting(): Promise<(address: string) => string> {
  const guide = readFileSync(join(root, 'docs/guides/relay.md'), 'utf8');
  const [, code = ''] = /```js\n(function handler[^`]+)```/.exec(guide) ?? [];
  const { handler } = await import(`data:text/javascript,${encodeURIComponent(`export ${code}`)}`);
  return (address) => {
    const [uri = '', query = ''] = address.split('?');
    const asked = query
      .split('&')
      .filter((one) => one !== '')
      .map((one) => one.split('='));
    const querystring = Object.fromEntries(asked.map(([name, value]) => [name, { value }]));
    return handler({ request: { uri, querystring } }).uri;
  };
}

test('relay --export writes what the relay answers, day by day, and writes again only what changed', async () => {
  const followed = await follow();
  const { clock, catalogue, harness } = followed;
  const directory = newFolder();
  const current = join(directory, 'current');
  const write = async (more: { readonly from?: string; readonly versions?: boolean } = {}) => {
    const sources = new Map([['uk', harness.relaySource]]);
    return writeTree(await openTreeInFolder(directory), {
      sources,
      origin,
      key: privateKey,
      versions: false,
      ...more,
    });
  };
  const notAsAnswered = async (): Promise<readonly string[]> => {
    const ask = relayOf(harness.relaySource, clock.now);
    const different = [];
    for (const path of filesOf(current)) {
      const answer = await ask(addressOf(path));
      const bytes = Buffer.from(await answer.arrayBuffer());
      if (answer.status !== 200 || !bytes.equals(readFileSync(join(current, path)))) different.push(path);
    }
    return different;
  };

  await expect(write()).rejects.toThrow('the panels of the catalogue have not been listed yet');
  expect(existsSync(current)).toBe(false);
  await readAll(followed);
  const first = (await write({ versions: true })).get('uk');
  expect(first?.changed).toBe(first?.files);
  expect(await notAsAnswered()).toEqual([]);
  const files = filesOf(current);
  const { results } = JSON.parse(readFileSync(join(current, 'uk/api/v1/panels/@.json'), 'utf8'));
  expect(results.length).toBeGreaterThan(5);
  for (const { id, version } of results)
    for (const path of [
      '@.json',
      `@version=${version}.json`,
      'genes/@confidence_level=3.json',
      'activities/@.json',
    ])
      expect(files).toContain(`uk/api/v1/panels/${id}/${path}`);
  expect(files.filter((path) => path.startsWith('uk/api/v1/genes/')).length).toBeGreaterThan(20);
  const panel = `uk/api/v1/panels/${results[0].id}/@.json`;
  const before = statSync(join(current, panel)).ino;

  const again = (await write({ versions: true })).get('uk');
  expect(again).toMatchObject({ files: first?.files, changed: 0 });
  expect(statSync(join(current, panel)).ino).toBe(before);

  clock.pass(DAY);
  for (let act = 0; act < 3; act += 1) {
    catalogue.act();
    clock.pass(60_000);
  }
  await readAll(followed);
  const later = (await write({ versions: true })).get('uk');
  expect(later?.newDays).toEqual(['2026-11-20']);
  expect(later?.changed).toBeGreaterThan(0);
  expect(later?.changed).toBeLessThan((later?.files ?? 0) / 2);
  expect(await notAsAnswered()).toEqual([]);
  const day = join(current, 'uk/at/2026-11-20');
  expect(filesOf(day).length).toBeGreaterThan(results.length * 4);
  const bytes = filesOf(day).map((path) => readFileSync(join(day, path), 'utf8'));

  clock.pass(DAY);
  await readAll(followed);
  // A row of the last day may still come late.
  expect((await write()).get('uk')).toMatchObject({
    newDays: [],
    missing: [
      {
        address: `${origin}/uk/at/2026-11-21/api/v1/`,
        why: expect.stringContaining('no row after that day'),
      },
    ],
  });
  clock.pass(DAY);
  catalogue.act();
  await readAll(followed);
  expect((await write()).get('uk')?.newDays).toEqual(['2026-11-21', '2026-11-22']);
  expect(filesOf(day).map((path) => readFileSync(join(day, path), 'utf8'))).toEqual(bytes);
  const [old, next] = ['2026-11-20', '2026-11-21'].map((name) => join(current, 'uk/at', name));
  const shared = filesOf(`${old}`).filter(
    (path) =>
      statSync(join(`${old}`, path)).ino === statSync(join(`${next}`, path), { throwIfNoEntry: false })?.ino,
  );
  expect(shared.length).toBeGreaterThan(0);

  const verified = await verifyTree(directory, publicKey);
  expect(verified).toMatchObject({ problems: [] });
  expect(verified.files).toBeGreaterThan(filesOf(current).length);
  await harness.close();
  await catalogue.close();
});

test('a tree is found to be another one than was signed, whatever was changed in it', async () => {
  const followed = await follow();
  const { clock, catalogue, harness } = followed;
  await readAll(followed);
  clock.pass(DAY);
  catalogue.act();
  await readAll(followed);
  const directory = newFolder();
  const sources = new Map([['uk', harness.relaySource]]);
  await writeTree(await openTreeInFolder(directory), { sources, origin, key: privateKey, versions: false });
  const changed = async (change: (root: string) => void): Promise<readonly string[]> => {
    const copy = newFolder();
    execFileSync('cp', ['-rL', join(directory, 'current'), join(copy, 'tree')]);
    change(join(copy, 'tree'));
    return (await verifyTree(join(copy, 'tree'), publicKey)).problems;
  };
  expect(await changed(() => {})).toEqual([]);
  const list = 'uk/at/2026-11-20/api/v1/panels/@.json';
  const another = expect.stringMatching(/^\S+ has another content than was signed\.$/);
  expect(await changed((at) => writeFileSync(join(at, list), '{}'))).toEqual([another]);
  expect(await changed((at) => rmSync(join(at, 'uk/api/v1/panels/@.json')))).toEqual([
    'uk/api/v1/panels/@.json is missing.',
  ]);
  expect(await changed((at) => writeFileSync(join(at, 'uk/api/v1/more.json'), '{}'))).toEqual([
    'uk/api/v1/more.json is in no manifest.',
  ]);
  expect(await changed((at) => writeFileSync(join(at, 'uk/at/2026-11-20/SHA256SUMS'), ''))).toContainEqual(
    another,
  );
  const unsigned = expect.stringMatching(
    /^SHA256SUMS is not what the key with the fingerprint [0-9a-f]{64} signed\.$/,
  );
  expect(
    await changed((at) => {
      mkdirSync(join(at, 'other'));
      writeFileSync(
        join(at, 'SHA256SUMS'),
        readFileSync(join(at, 'SHA256SUMS'), 'utf8').replace(/^.*relay\.json\n/m, ''),
      );
    }),
  ).toEqual([unsigned, 'relay.json is in no manifest.']);
  const { publicKey: other } = generateKeyPairSync('ed25519');
  expect((await verifyTree(directory, other)).problems).toEqual([unsigned]);
  await harness.close();
  await catalogue.close();
});

test('an export that is killed leaves a tree that verifies', async () => {
  const folder = newFolder();
  const catalogue = await startCatalogue({ clock: systemClock, history: 60, seed: 7, ties: 'fixed' });
  onTestFinished(() => catalogue.close());
  const state = join(folder, 'state');
  const poll = words`poll --catalogue ${catalogue.url} --name uk --state ${state} --from 2000-01-01`;
  expect((await runCommand(poll)).code).toBe(0);
  const key = join(folder, 'key.pem');
  writeFileSync(key, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const tree = join(folder, 'tree');
  const args = words`relay --state ${state} --export ${tree} --address ${origin} --signing-key ${key}
    --versions`;
  const started = await runCommand(args);
  expect(started.stderr).toContain('Catalogue uk as of ');
  for (let kill = 1; kill <= KILLS; kill += 1) {
    catalogue.act();
    await runCommand(poll);
    const unfinished = join(
      tree,
      'trees',
      String(Number(readlinkSync(join(tree, 'current')).split('/').at(-1)) + 1),
    );
    rmSync(unfinished, { recursive: true, force: true });
    const child = spawn(process.execPath, [join(root, 'bin/gene-panel-notifier.js'), ...args]);
    const ended = once(child, 'exit');
    const enough = kill * 15;
    while (child.exitCode === null && !(existsSync(unfinished) && filesOf(unfinished).length >= enough))
      await new Promise(setImmediate);
    child.kill('SIGKILL');
    const [code] = await ended;
    expect(code).toBeNull();
    expect((await verifyTree(tree, publicKey)).problems).toEqual([]);
  }
  expect(lstatSync(join(tree, 'current')).isSymbolicLink()).toBe(true);
  await runCommand(args);
  expect((await verifyTree(tree, publicKey)).problems).toEqual([]);
  expect(readdirSync(join(tree, 'trees')).length).toBeLessThanOrEqual(2);

  const rule = await rewriting();
  for (const same of ['panels', 'panels/', 'panels?page=1', 'panels/?page=1'])
    expect(rule(`/uk/api/v1/${same}`)).toBe('/uk/api/v1/panels/@.json');
  expect(rule('/relay.json')).toBe('/relay.json');
  const server = createServer((request, response) => {
    const path = join(tree, 'current', rule(request.url ?? ''));
    const body = existsSync(path) ? readFileSync(path) : null;
    response.writeHead(body ? 200 : 404, { 'content-type': 'application/json' }).end(body ?? '{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const files = `http://127.0.0.1:${(server.address() as AddressInfo).port}/uk/api/v1/`;
  const { asOf } = JSON.parse(readFileSync(join(tree, 'current', 'relay.json'), 'utf8')).catalogues.uk;
  const published = async (...from: readonly string[]): Promise<readonly unknown[]> => {
    const args = ['--name', 'uk', '--from', '2000-01-01', '--format', 'ndjson', '--state', newFolder()];
    const { stdout } = await runCommand(['poll', ...args, '--catalogue', ...from]);
    return stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
      .filter(({ time, data }) => data.change?.via === undefined && time <= asOf)
      .map(({ id, source, data }) => ({ id, source, summary: data.summary }))
      .toSorted((one, other) => (one.id < other.id ? -1 : 1));
  };
  const behind = await published(files, '--original', catalogue.url);
  expect(behind).toEqual(await published(catalogue.url));
  expect(behind.length).toBeGreaterThan(30);

  const pem = join(folder, 'public.pem');
  writeFileSync(pem, publicKey.export({ type: 'spki', format: 'pem' }));
  expect(await runCommand(['relay', '--verify', tree, '--public-key', pem])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^\d+ files of \S+ are as they were signed by the key in \S+\n$/),
  });
  writeFileSync(join(tree, 'current', 'uk/api/v1/panels/@.json'), '{}');
  expect(await runCommand(['relay', '--verify', tree])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('uk/api/v1/panels/@.json has another content than was signed.'),
  });
});

test('relay says which options an export needs, and which do not go together', async () => {
  const folder = newFolder();
  const refused = async (...args: readonly string[]): Promise<unknown> => {
    const { code, stderr } = await runCommand(['relay', ...args]);
    return [code, stderr.split('\n')[0]?.replace('gene-panel-notifier relay: ', '')];
  };
  expect(await refused('--verify', folder, '--port', '1')).toEqual([2, '--port does not go with --verify']);
  expect(await refused('--versions')).toEqual([2, '--versions goes with --export or --verify']);
  expect(await refused('--verify', folder)).toEqual([
    1,
    expect.stringContaining('SHA256SUMS: there is no such file'),
  ]);
  writeFileSync(join(folder, 'key.pem'), 'SECRET');
  expect(await refused('--verify', folder, '--public-key', join(folder, 'key.pem'))).toEqual([
    1,
    expect.stringContaining('it is no Ed25519 key in PEM form'),
  ]);
});
