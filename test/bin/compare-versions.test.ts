import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Catalogue, createCatalogue } from '../../lambdas/catalogue/client.ts';
import { anonymous } from '../../lambdas/catalogue/http/access.ts';
import { stateFromDetail } from '../../lambdas/panels/state-from-detail.ts';
import { identityOf } from '../../lambdas/panels/version-state.ts';
import { unknownVersions } from '../../lambdas/questions/compare.ts';
import { silentLog } from '../../lambdas/run/log.ts';
import { type RunningCatalogue, startCatalogue } from '../../sandbox/catalogue/start.ts';
import { seededRandom } from '../../sandbox/software/values.ts';
import { newFolder } from '../new-folder.ts';
import { createTestClock } from '../run/test-clock.ts';
import { type Ran, runCommand } from './run-command.ts';

const clock = createTestClock({ now: Date.UTC(2026, 10, 20, 9), wokenByHand: true });
const root = newFolder();
let sandbox: RunningCatalogue;
let catalogue: Catalogue;
/** The versions of each panel, oldest first. */
const versions = new Map<number, readonly string[]>();

beforeAll(async () => {
  sandbox = await startCatalogue({ clock, history: 200 });
  catalogue = createCatalogue({ baseUrl: sandbox.url, access: anonymous, clock, log: silentLog });
  for (const kind of silentKinds) sandbox.act({ kind });
  for (const { id, version } of await catalogue.panels()) versions.set(id, await versionsUpTo(id, version));
});
afterAll(async () => {
  await catalogue.close();
  await sandbox.close();
});

const silentKinds = [
  'rate a gene as administrator',
  'delete a gene silently',
  'replace the symbol of a gene silently',
  'clear the phenotypes of a gene',
];

const compare = (...args: readonly string[]): Promise<Ran> => runCommand(['compare', ...args], { clock });
const fresh = (): Promise<string> => mkdtemp(join(root, 'state-'));

interface Line {
  readonly what: string;
  readonly name: string;
  readonly type: string;
  readonly hgncId: string | null;
  readonly firstName: string | null;
  readonly secondName: string | null;
  readonly firstRating: string;
  readonly secondRating: string;
}

const linesOf = ({ stdout }: Ran): readonly Line[] =>
  stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line);

describe('two versions from before the log was followed', () => {
  test('differ in what the archive holds, for panels and versions drawn at random', async () => {
    const random = seededRandom(7);
    const state = join(await fresh(), 'none');
    const usable = [...versions].filter(([, own]) => own.length > 1);
    let changed = 0;
    for (let drawn = 0; drawn < 12; drawn += 1) {
      const [id, own] = usable[Math.floor(random() * usable.length)] ?? [0, []];
      const last = 1 + Math.floor(random() * (own.length - 1));
      const [from, to] = [own[Math.floor(random() * last)] ?? '', own[last] ?? ''];
      const asked = ['--panel', String(id), from, to, '--format', 'ndjson', '--state', state];
      const ran = await compare(...asked, '--catalogue', sandbox.url);
      expect(ran, `panel ${id} ${from} to ${to}`).toMatchObject({ code: 0, stderr: '' });
      const found = linesOf(ran)
        .filter((line) => line.firstRating !== line.secondRating)
        .map((line) => `${line.hgncId ?? line.name}: ${line.firstRating} → ${line.secondRating}`);
      const truth = await changesTruly(id, from, to);
      expect(found.toSorted(), `panel ${id} ${from} to ${to}`).toEqual(truth);
      changed += truth.length;
    }
    expect(changed).toBeGreaterThan(10);
  });

  test('show the new symbol of a gene as another name, not as another gene', async () => {
    const { panel } = sandbox.act({ kind: 'replace the symbol of a gene silently' });
    const to = (await catalogue.panelDetail(panel.id))?.version ?? '';
    const from = (await versionsUpTo(panel.id, to)).at(-2) ?? '';
    const asked = ['--panel', String(panel.id), from, 'newest', '--format', 'ndjson'];
    const ran = await compare(...asked, '--catalogue', sandbox.url, '--state', join(await fresh(), 'none'));
    const renamed = linesOf(ran).filter(({ secondName }) => /-R\d+$/.test(secondName ?? ''));
    expect(renamed).toMatchObject([{ what: 'other names', firstName: expect.any(String) }]);
  });
});

test('a version that is not kept is named, with what to do; once it is read, no network is needed', async () => {
  const { panel } = sandbox.act({ kind: 'rate a gene as administrator' });
  const to = (await catalogue.panelDetail(panel.id))?.version ?? '';
  const [from = ''] = (await versionsUpTo(panel.id, to)).slice(-2);
  const place = ['--state', join(await fresh(), 'state'), '--name', 'uk'];
  await runCommand(['poll', '--only', 'states', '--catalogue', sandbox.url, '--pace', '0', ...place], {
    clock,
  });
  const asked = ['--panel', panel.name, from, to, ...place];
  expect(await compare(...asked)).toMatchObject({
    code: 4,
    stderr: expect.stringContaining(`The state of version ${from} is not kept. Give --catalogue URL`),
  });
  // The newest version is read once its rows must be visible.
  clock.pass(20 * 60_000);
  await runCommand(
    ['verify', '--panel', panel.name, '--all-versions', '--catalogue', sandbox.url, ...place],
    { clock },
  );
  sandbox.forgetRequests();
  const offline = await compare(...asked);
  expect(offline).toMatchObject({ code: 0, stderr: '' });
  expect(sandbox.requests).toEqual([]);
  expect(offline.stdout).toMatch(/\(1\)/);
});

test('a version that does not exist is said not to, and which are the nearest', async () => {
  const state = join(await fresh(), 'state');
  const [id, own] = [...versions].find(([, each]) => each.length > 2) ?? [0, []];
  await runCommand(['poll', '--only', 'states', '--catalogue', sandbox.url, '--state', state], { clock });
  await runCommand(
    ['poll', '--only', 'log', '--catalogue', sandbox.url, '--state', state, '--from', '2026-01-01'],
    { clock },
  );
  const ran = await compare('--panel', String(id), own.at(-1) ?? '', '99.9', '--state', state);
  const sentence = `has no version 99.9 that is known. The newest known version is ${own.at(-1)}.`;
  expect(ran).toMatchObject({ code: 3, stdout: '', stderr: expect.stringContaining(sentence) });
});

test.each([
  [['2.0', '1.0'], '--panel'],
  [['newest'], 'two different sides'],
  [['newest', 'newest'], 'two different sides'],
  [['newest', 'yesterday'], 'a version such as 3.1'],
])('sides %j are refused', async (sides, message) => {
  const state = join(await fresh(), 'state');
  await runCommand(['poll', '--only', 'log', '--catalogue', sandbox.url, '--state', state], { clock });
  expect(await compare(...sides, '--state', state)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(message),
  });
});

test.each([
  ['2.9', ['2.8', '3.1'], []],
  ['3.0', ['3.0', '2.9'], []],
  ['1.0', ['2.8', '2.9'], []],
  [
    '2.57',
    ['2.9', '3.0', '3.1'],
    ['3 has no version 2.57 that is known. The nearest known versions are 2.9 and 3.0.'],
  ],
  ['3.2', ['2.9', '3.1', '3.0'], ['3 has no version 3.2 that is known. The newest known version is 3.1.']],
  ['9.9', [], []],
])('of the version %s, where %j are known', (version, known, sentences) => {
  expect(unknownVersions('3', [version], known).map(({ sentence }) => sentence)).toEqual(sentences);
});

/** What differs between two versions, by the archive alone; of a gene that a panel holds several times, the highest rating counts. */
async function changesTruly(id: number, from: string, to: string): Promise<readonly string[]> {
  const [before, after] = await Promise.all([held(id, from), held(id, to)]);
  return [...new Set([...before.keys(), ...after.keys()])]
    .flatMap((identity) => {
      const [old, now] = [before.get(identity) ?? [], after.get(identity) ?? []];
      const either = now[0] ?? old[0];
      const ratingIn = (all: typeof old) =>
        (['green', 'amber', 'red', 'none'] as const).find((rating) =>
          all.some((one) => one.rating === rating),
        ) ?? 'absent';
      if (!either || ratingIn(old) === ratingIn(now)) return [];
      return [`${either.hgncId ?? either.name}: ${ratingIn(old)} → ${ratingIn(now)}`];
    })
    .toSorted();
}

async function held(id: number, version: string) {
  const detail = await catalogue.panelDetail(id, version);
  if (!detail) throw new Error(`the sandbox has no version ${version} of panel ${id}`);
  const proof = { kind: 'proven' } as const;
  const { entities } = stateFromDetail(detail, { source: 'archive', readAt: 0n, proof });
  return Map.groupBy(entities, identityOf);
}

async function versionsUpTo(id: number, last: string): Promise<readonly string[]> {
  const [lastMajor = 0] = last.split('.').map(Number);
  const found: string[] = [];
  for (let major = 0; major <= lastMajor; major += 1) {
    for (let minor = 0; ; minor += 1) {
      const version = `${major}.${minor}`;
      const detail = await catalogue.panelDetail(id, version);
      if (!detail) break;
      found.push(version);
    }
  }
  return found;
}
