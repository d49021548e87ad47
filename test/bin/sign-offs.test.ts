import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createCatalogue } from '../../lambdas/catalogue/client.ts';
import { anonymous } from '../../lambdas/catalogue/http/access.ts';
import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import { silentLog } from '../../lambdas/run/log.ts';
import { type CatalogueOptions, startCatalogue } from '../../sandbox/catalogue/start.ts';
import { newFolder } from '../new-folder.ts';
import { createTestClock } from '../run/test-clock.ts';
import { runCommand } from './run-command.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

async function start(options: Partial<CatalogueOptions> = {}) {
  const clock = createTestClock({ now: Date.UTC(2026, 10, 20, 9), wokenByHand: true });
  const sandbox = await startCatalogue({ clock, history: 100, ...options });
  const directory = newFolder();
  onTestFinished(() => sandbox.close());
  const place = ['--state', join(directory, 'state')];
  const reading = [...place, '--catalogue', sandbox.url, '--name', 'uk'];
  const client = createCatalogue({ baseUrl: sandbox.url, access: anonymous, clock, log: silentLog });
  onTestFinished(() => client.close());
  const run = async (part: 'log' | 'listings'): Promise<void> => {
    clock.pass(2 * HOUR);
    const ran = await runCommand(['poll', '--only', part, ...reading], { clock });
    expect(ran.code, ran.stderr).toBe(0);
  };
  const found = async <Event>(...filter: readonly string[]): Promise<readonly Event[]> => {
    const asking = ['history', ...place, ...filter, '--format', 'ndjson', '--limit', '10000'];
    const { stdout } = await runCommand(asking, { clock });
    const lines = stdout.split('\n').filter(Boolean);
    return lines.map((line) => JSON.parse(line) as Event).reverse();
  };
  await run('log');
  await run('listings');
  return {
    clock,
    sandbox,
    place: reading,
    run,
    /** Every event that was published, oldest first. */
    events: () => found<PanelEvent>(),
    /** The sign-offs that were published, oldest first. */
    published: () => found<PanelEvent<'panel.signed-off'>>('--type', 'panel.signed-off'),
    listed: async (id: number) => (await client.signedOff()).items.filter((one) => one.id === id).at(-1),
  };
}

test('the row of a sign-off is published once, with the version and day that the list shows', async () => {
  const { sandbox, run, published, listed, clock } = await start();
  const { panel } = sandbox.act({ kind: 'sign off an older version' });
  const entry = await listed(panel.id);
  await run('log');
  const [event, ...others] = await published();
  expect(others).toEqual([]);
  expect(event?.data.change).toMatchObject({
    signedOff: true,
    signedOffVersion: entry?.version,
    signedOffDate: entry?.signed_off,
    via: 'activity',
  });
  expect(event?.data.panel.version).not.toBe(entry?.version);
  expect(event?.data.summary).toContain(`Version ${entry?.version} of `);
  clock.pass(DAY);
  await run('listings');
  expect((await published()).length).toBe(1);
});

test('later events of the panel state the version that is signed off', async () => {
  const { sandbox, run, listed, clock, events } = await start();
  const { panel } = sandbox.act({ kind: 'sign off the present version' });
  await run('log');
  const entry = await listed(panel.id);
  clock.pass(HOUR);
  let touched = 0;
  while (touched !== panel.id) touched = sandbox.act({ kind: 'rate' }).panel.id;
  await run('log');
  const last = (await events()).filter(({ data }) => data.panel?.id === panel.id).at(-1);
  expect(last?.type).not.toBe('gene-panel.panel.signed-off.v1');
  expect(last?.data.panel).toMatchObject({
    signedOffVersion: entry?.version,
    signedOffDate: entry?.signed_off,
  });
});

test('a sign-off without a row is found by the list, once', async () => {
  const { sandbox, run, published, listed, clock } = await start();
  const { panel } = sandbox.act({ kind: 'sign off silently' });
  const entry = await listed(panel.id);
  clock.pass(DAY);
  await run('listings');
  clock.pass(DAY);
  await run('listings');
  const events = await published();
  expect(events.map(({ data }) => data.change)).toEqual([
    expect.objectContaining({
      signedOff: true,
      signedOffVersion: entry?.version,
      signedOffDate: entry?.signed_off,
      via: 'snapshot',
    }),
  ]);
  expect(events[0]?.data).toMatchObject({ activities: [], actor: null, panel: { id: panel.id } });
});

test('where the list cannot be read, the row is published without a version, and an event of its own completes it', async () => {
  const { sandbox, run, published, listed, clock } = await start();
  const { panel } = sandbox.act({ kind: 'sign off the present version' });
  sandbox.fail({ kind: 'status', status: 404 }, { times: 1, path: 'signedoff' });
  await run('log');
  expect((await published()).map(({ data }) => data.change)).toEqual([{ signedOff: true, via: 'activity' }]);
  clock.pass(DAY);
  await run('listings');
  const entry = await listed(panel.id);
  const [, completing, ...others] = await published();
  expect(others).toEqual([]);
  expect(completing?.data.change).toMatchObject({ signedOffVersion: entry?.version, via: 'snapshot' });
});

test('the row of a removed sign-off names the version that was signed off, and nothing follows it', async () => {
  const { sandbox, run, published, listed, clock } = await start();
  const { panel } = sandbox.act({ kind: 'sign off silently' });
  const entry = await listed(panel.id);
  clock.pass(DAY);
  await run('listings');
  clock.pass(HOUR);
  let removed = 0;
  while (removed !== panel.id) removed = sandbox.act({ kind: 'remove the sign-off' }).panel.id;
  await run('log');
  clock.pass(DAY);
  await run('listings');
  const ofPanel = (await published()).filter(({ data }) => data.panel.id === panel.id);
  expect(ofPanel.map(({ data }) => data.change)).toHaveLength(2);
  expect(ofPanel[1]?.data.change).toEqual({
    signedOff: false,
    previousSignedOffVersion: entry?.version,
    previousSignedOffDate: entry?.signed_off,
    via: 'activity',
  });
});

test('the rows of a catalogue without the list are published', async () => {
  const { sandbox, run, published } = await start({ details: 'none' });
  sandbox.act({ kind: 'sign off the present version' });
  await run('log');
  expect((await published()).map(({ data }) => data.change)).toEqual([{ signedOff: true, via: 'activity' }]);
});

test('a sign-off has its version also where the panel was saved again before the poll', async () => {
  const { sandbox, run, published, listed, clock } = await start();
  const { panel } = sandbox.act({ kind: 'sign off an older version' });
  clock.pass(60_000);
  for (let saved = 0; saved !== panel.id; ) saved = sandbox.act({ kind: 'edit a gene' }).panel.id;
  const entry = await listed(panel.id);
  await run('log');
  expect((await published()).map(({ data }) => data.change)).toMatchObject([
    { signedOff: true, signedOffVersion: entry?.version, signedOffDate: entry?.signed_off, via: 'activity' },
  ]);
});

test('each of two sign-offs within a poll is published, the first one without a version that the list no longer shows', async () => {
  const { sandbox, run, published, listed, clock } = await start();
  const { panel } = sandbox.act({ kind: 'sign off an older version' });
  clock.pass(60_000);
  sandbox.act({ kind: 'sign off the present version', panel: panel.id });
  const entry = await listed(panel.id);
  await run('log');
  expect((await published()).map(({ data }) => data.change.signedOffVersion)).toEqual([
    undefined,
    entry?.version,
  ]);
  await run('listings');
  expect(await published()).toHaveLength(2);
});

test('an empty list publishes nothing, and the sweep says why', async () => {
  const { sandbox, run, published, clock, place } = await start();
  for (let signed = 0; signed < 8; signed += 1) sandbox.act({ kind: 'sign off silently' });
  clock.pass(2 * HOUR);
  await run('listings');
  const before = (await published()).length;
  const empty = '{"count":0,"next":null,"previous":null,"results":[]}';
  sandbox.fail({ kind: 'body', body: empty, contentType: 'application/json' }, { path: 'signedoff' });
  clock.pass(2 * HOUR);
  const swept = await runCommand(['poll', '--only', 'listings', ...place], { clock });
  expect(swept).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('the list of signed-off versions changed'),
  });
  sandbox.clearFaults();
  await run('listings');
  expect(await published()).toHaveLength(before);
});
