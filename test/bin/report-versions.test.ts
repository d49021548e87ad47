import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { unknownVersions } from '../../bin/report/known-versions.ts';
import { type Catalogue, createCatalogue } from '../../lambdas/catalogue/client.ts';
import { anonymous } from '../../lambdas/catalogue/http/access.ts';
import type { EntityChange } from '../../lambdas/filters/entity-history.ts';
import { identityOf } from '../../lambdas/panels/entity-identity.ts';
import { stateFromDetail } from '../../lambdas/panels/state-from-detail.ts';
import type { Report } from '../../lambdas/questions/read-report.ts';
import { silentLog } from '../../lambdas/run/log.ts';
import { type RunningCatalogue, startCatalogue } from '../../sandbox/catalogue/start.ts';
import { seededRandom } from '../../sandbox/seeded-random.ts';
import { createTestClock } from '../run/test-clock.ts';
import { type Ran, runCommand } from './run-command.ts';

const clock = createTestClock({ now: Date.UTC(2026, 10, 20, 9), wokenByHand: true });
let root: string;
let sandbox: RunningCatalogue;
let catalogue: Catalogue;
/** The versions of each panel, oldest first. */
const versions = new Map<number, readonly string[]>();

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'report-versions-'));
  sandbox = await startCatalogue({ clock, history: 200 });
  catalogue = createCatalogue({ baseUrl: sandbox.url, access: anonymous, clock, log: silentLog });
  for (const kind of silentKinds) sandbox.act({ kind });
  for (const { id, version } of await catalogue.panels()) versions.set(id, await versionsUpTo(id, version));
});
afterAll(async () => {
  await catalogue.close();
  await sandbox.close();
  await rm(root, { recursive: true });
});

const silentKinds = [
  'rate a gene as administrator',
  'delete a gene silently',
  'replace the symbol of a gene silently',
  'clear the phenotypes of a gene',
];

const report = (...args: readonly string[]): Promise<Ran> => runCommand(['report', ...args], { clock });
const fresh = (): Promise<string> => mkdtemp(join(root, 'state-'));
const reportOf = ({ stdout }: Ran): Report => JSON.parse(stdout) as Report;

describe('a report between two versions from before the log was followed', () => {
  test('begins and ends with what the archive holds, for panels and versions drawn at random', async () => {
    const random = seededRandom(7);
    const state = join(await fresh(), 'none');
    const usable = [...versions].filter(([, own]) => own.length > 1);
    let changed = 0;
    for (let drawn = 0; drawn < 12; drawn += 1) {
      const [id, own] = usable[Math.floor(random() * usable.length)] ?? [0, []];
      const last = 1 + Math.floor(random() * (own.length - 1));
      const from = own[Math.floor(random() * last)] ?? '';
      const to = own[last] ?? '';
      const args = ['--panel', String(id), '--from', from, '--to', to, '--format', 'json'];
      const ran = await report(...args, '--catalogue', sandbox.url, '--state', state);
      expect(ran, `panel ${id} ${from} to ${to}`).toMatchObject({ code: 0, stderr: '' });
      const { changes, compared } = reportOf(ran);
      expect(compared).toMatchObject({ before: { version: from }, after: { version: to }, rows: 'read' });
      // A super panel may hold a gene several times; a renamed one is another for the archive.
      const several = await heldSeveralTimes(id, from, to);
      const renamed = changes.panels.flatMap(({ renamedEntities }) =>
        renamedEntities.flatMap((each) => [each.from, each.to]),
      );
      const leftOut = new Set([...several, ...renamed]);
      const found = changes.panels.flatMap(({ lists: { 'changed and changed back': _back, ...lists } }) =>
        Object.values(lists)
          .flat()
          .filter(({ entity }) => !leftOut.has(entity.name))
          .map(stepOf),
      );
      const truth = await changesTruly(id, from, to, leftOut);
      expect([...new Set(found)].toSorted(), `panel ${id} ${from} to ${to}`).toEqual(truth);
      changed += truth.length;
    }
    expect(changed).toBeGreaterThan(10);
  });
});

describe('a change without a row between two versions', () => {
  test('is in the report, which says that no row states it, and needs no network once the versions were read', async () => {
    const { panel } = sandbox.act({ kind: 'rate a gene as administrator' });
    const to = (await catalogue.panelDetail(panel.id))?.version ?? '';
    const [major, minor] = to.split('.').map(Number);
    const from = `${major}.${Number(minor) - 1}`;
    const state = join(await fresh(), 'state');
    const place = ['--state', state, '--name', 'uk'];
    const asked = ['--panel', panel.name, '--from', from, '--to', to, ...place];
    const { stdout } = await report(...asked, '--catalogue', sandbox.url);
    expect(stdout).toMatch(/^No row that was read states one change: the two versions show it\.$/m);
    expect(stdout).toMatch(/^- .+: \w+ → \w+ \(no row that was read states it\)$/m);
    // The newest version is read once its rows must be visible.
    clock.pass(20 * 60_000);
    await runCommand(
      ['verify', '--panel', panel.name, '--all-versions', '--catalogue', sandbox.url, ...place],
      { clock },
    );
    sandbox.forgetRequests();
    const offline = await report(...asked);
    expect(offline).toMatchObject({ code: 0, stderr: expect.not.stringContaining('not kept') });
    expect(sandbox.requests).toEqual([]);
    expect(offline.stdout).toContain('→');
    const csv = await report(...asked, '--format', 'csv');
    expect(csv.stdout).toMatch(/^compared,.*Version \d+\.\d+ \(SHA-256 [0-9a-f]{64}\)/m);
  });

  test('to the symbol of a gene is a renaming, not another gene', async () => {
    const { panel } = sandbox.act({ kind: 'replace the symbol of a gene silently' });
    const to = (await catalogue.panelDetail(panel.id))?.version ?? '';
    const from = (await versionsUpTo(panel.id, to)).at(-2) ?? '';
    const args = ['--panel', String(panel.id), '--from', from, '--catalogue', sandbox.url];
    const { changes, compared } = reportOf(
      await report(...args, '--state', join(await fresh(), 'none'), '--format', 'json'),
    );
    expect(compared?.after.version).toBe(to);
    const [changed] = changes.panels;
    const renamed = changed?.renamedEntities.filter((each) => /-R\d+$/.test(each.to)) ?? [];
    expect(renamed.length).toBe(1);
    const others = [...(changed?.lists.added ?? []), ...(changed?.lists.removed ?? [])].map(
      ({ entity }) => entity.name,
    );
    expect(others.filter((name) => renamed.some((each) => each.to === name || each.from === name))).toEqual(
      [],
    );
  });
});

test('a report between versions that are not kept says so, and what to do', async () => {
  const state = join(await fresh(), 'state');
  await runCommand(['poll', '--only', 'states', '--catalogue', sandbox.url, '--state', state], { clock });
  const ran = await report('--panel', '1', '--from', '0.1', '--to', '0.3', '--state', state);
  expect(ran.stderr).toContain(
    'The state of version 0.1 is not kept. Give --catalogue URL to ask the catalogue.',
  );
  expect(ran.stdout).toContain('Not covered');
  const days = await report('--from', '2026-01-01', '--state', state, '--catalogue', sandbox.url);
  expect(days).toMatchObject({ code: 2, stdout: '' });
});

test('a report up to a version that does not exist says so, and which are the nearest', async () => {
  const state = join(await fresh(), 'state');
  const [id, own] = [...versions].find(([, each]) => each.length > 2) ?? [0, []];
  const asked = ['--panel', String(id), '--from', own[0] ?? '', '--state', state];
  const sentence = `has no version 99.9 that is known. The newest known version is ${own.at(-1)}.`;
  const archive = await report(...asked, '--to', '99.9', '--catalogue', sandbox.url);
  expect(archive).toMatchObject({ code: 3, stdout: '', stderr: expect.stringContaining(sentence) });
  await runCommand(['poll', '--only', 'states', '--catalogue', sandbox.url, '--state', state], { clock });
  await runCommand(
    ['poll', '--only', 'log', '--catalogue', sandbox.url, '--state', state, '--from', '2026-01-01'],
    { clock },
  );
  const kept = await report(...asked, '--to', '99.9');
  expect(kept).toMatchObject({ code: 3, stderr: expect.stringContaining(sentence) });
  expect((await report(...asked, '--to', own.at(-1) ?? '')).code).toBe(0);
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
  expect(unknownVersions('3', [version, undefined], known)).toEqual(sentences);
});

const stepOf = ({ entity: { type, name }, from, to }: EntityChange): string =>
  `${type} ${name}: ${from} → ${to}`;

/** What differs between two versions, by the archive alone. */
async function changesTruly(
  id: number,
  from: string,
  to: string,
  leftOut: ReadonlySet<string>,
): Promise<readonly string[]> {
  const [before, after] = await Promise.all([held(id, from), held(id, to)]);
  return [...new Set([...before.keys(), ...after.keys()])]
    .flatMap((identity) => {
      const [[old], [now]] = [before.get(identity) ?? [], after.get(identity) ?? []];
      const either = now ?? old;
      if (!either || leftOut.has(either.name) || old?.rating === now?.rating) return [];
      return [`${either.type} ${either.name}: ${old?.rating ?? 'absent'} → ${now?.rating ?? 'absent'}`];
    })
    .toSorted();
}

async function heldSeveralTimes(id: number, ...both: readonly string[]): Promise<ReadonlySet<string>> {
  const states = await Promise.all(both.map((version) => held(id, version)));
  return new Set(
    states.flatMap((state) =>
      [...state.values()].flatMap((same) => (same.length > 1 ? same.map(({ name }) => name) : [])),
    ),
  );
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
