import { expect, onTestFinished, test } from 'vitest';
import { createCatalogue } from '../../lambdas/catalogue/client.ts';
import { instantOf } from '../../lambdas/clock/instant.ts';
import { anonymous } from '../../lambdas/http/access.ts';
import { silentLog } from '../../lambdas/log/log.ts';
import { startCatalogue } from '../../sandbox/catalogue/start.ts';
import { createTestClock } from '../clock/test-clock.ts';
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
  expect(await harness.prove()).toMatchObject({ requests: 0 });
  clock.pass(7 * DAY);
  await harness.prove();
  expect(await harness.states.find(panel.id, version)).not.toBeNull();
});
