import { expect, onTestFinished, test } from 'vitest';
import { createCatalogue } from '../../lambdas/catalogue/client.ts';
import { anonymous } from '../../lambdas/catalogue/http/access.ts';
import { instantOf } from '../../lambdas/run/instant.ts';
import { silentLog } from '../../lambdas/run/log.ts';
import { startCatalogue } from '../../sandbox/catalogue/start.ts';
import { createTestClock } from '../run/test-clock.ts';
import { openProvingHarness } from './proving-harness.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** A catalogue in which an older version was signed off before anything was read. */
async function open() {
  const clock = createTestClock({ now: Date.UTC(2026, 10, 20, 9) });
  const sandbox = await startCatalogue({ clock, history: 120, seed: 5 });
  const { panel } = sandbox.act({ kind: 'sign off an older version' });
  clock.pass(DAY);
  const harness = openProvingHarness({ url: sandbox.url, clock });
  const client = createCatalogue({ baseUrl: sandbox.url, access: anonymous, clock, log: silentLog });
  onTestFinished(async () => {
    await client.close();
    await harness.close();
    await sandbox.close();
  });
  const { items } = await client.signedOff();
  const listedAt = instantOf(clock.now());
  const readList = (): Promise<void> =>
    harness.states.saveSignOffs(
      items.map(({ id, name, version, signed_off: date }) => ({
        panelId: id,
        panelName: name,
        version,
        date,
        listedAt,
        removedAt: null,
      })),
    );
  await harness.poll();
  await harness.sweep();
  const signedOff = items.filter(({ id }) => id === panel.id).at(-1);
  return { clock, sandbox, harness, panel, version: signedOff?.version ?? '', readList };
}

test('the signed-off version of a panel is read once, after the panels, and nothing is published of it', async () => {
  const { harness, panel, version, readList } = await open();
  await readList();
  const { requests, events } = await harness.prove();
  const state = await harness.states.find(panel.id, version);
  expect(state).toMatchObject({ version, source: 'archive', panelId: panel.id });
  expect(state?.entities.length).toBeGreaterThan(0);
  expect(requests).toBeGreaterThan((await harness.states.panels()).length);
  expect(events).toBe(0);
  expect(await harness.prove()).toMatchObject({ outcome: 'done', requests: 0, events: 0 });
});

test('a signed-off version that the archive lacks is asked for again after a week, and no version is unproven for it', async () => {
  const { clock, sandbox, harness, panel, version, readList } = await open();
  await harness.prove();
  await readList();
  sandbox.fail({ kind: 'status', status: 404 }, { times: 1, path: `panels/${panel.id}/` });
  expect(await harness.prove()).toMatchObject({ outcome: 'done', unproven: 0 });
  expect(await harness.states.find(panel.id, version)).toBeNull();
  clock.pass(DAY);
  await harness.prove();
  // It is served by now, and nobody asked.
  expect(await harness.states.find(panel.id, version)).toBeNull();
  clock.pass(7 * DAY);
  await harness.prove();
  expect(await harness.states.find(panel.id, version)).not.toBeNull();
});

test('a version that is signed off within minutes hides none of the versions before it', async () => {
  const { clock, sandbox, harness } = await open();
  await harness.prove();
  const { panel } = sandbox.act({ kind: 'add a gene' });
  const add = (times: number): void => {
    for (let added = 0; added < times; added += 1) sandbox.act({ kind: 'add a gene', panel: panel.id });
  };
  const versionNow = (): string => String(Object(sandbox.details?.present(panel.id)).version);
  const before = (await harness.states.versions(panel.id)).at(-1);
  add(3);
  const version = versionNow();
  add(1);
  const listedAt = instantOf(clock.now());
  const signOff = { panelId: panel.id, panelName: panel.name, date: '2026-11-20', listedAt, removedAt: null };
  await harness.states.saveSignOffs([{ ...signOff, version }]);
  await harness.poll();
  await harness.sweep();
  const { percent } = await harness.prove();
  expect(await harness.states.find(panel.id, version)).toMatchObject({ source: 'archive' });
  expect((await harness.unproven()).filter(({ panelId }) => panelId === panel.id).length).toBe(5);
  expect(percent).toBeLessThan(100);
  clock.pass(2 * HOUR);
  await harness.sweep();
  expect(await harness.prove()).toMatchObject({ unproven: 0, percent: 100 });
  const kept = await harness.states.versions(panel.id);
  const since = kept.filter(({ validFrom }) => validFrom > (before?.validFrom ?? 0n));
  const [major, minor] = (before?.version ?? '').split('.').map(Number);
  expect(since.map((one) => one.version)).toEqual(
    [1, 2, 3, 4, 5].map((step) => `${major}.${Number(minor) + step}`),
  );
  expect(since.map(({ proof }) => proof.kind)).toEqual(since.map(() => 'proven'));
});

test('a version that is signed off as soon as it begins is read by its proof alone', async () => {
  const { clock, sandbox, harness } = await open();
  await harness.prove();
  const { panel } = sandbox.act({ kind: 'promote a panel' });
  const version = String(Object(sandbox.details?.present(panel.id)).version);
  const listedAt = instantOf(clock.now());
  const signOff = { panelId: panel.id, panelName: panel.name, date: '2026-11-20', listedAt, removedAt: null };
  await harness.states.saveSignOffs([{ ...signOff, version }]);
  const asked: string[] = [];
  sandbox.onRequest(({ path }) => {
    if (path.endsWith(`/panels/${panel.id}/?version=${version}`)) asked.push(path);
  });
  await harness.poll();
  await harness.sweep();
  await harness.prove();
  clock.pass(HOUR);
  await harness.prove();
  expect(asked).toEqual([]);
  expect(await harness.states.find(panel.id, version)).toMatchObject({ source: 'present' });
});
