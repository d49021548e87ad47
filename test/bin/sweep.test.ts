import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { RunningCatalogue } from '../../sandbox/catalogue/start.ts';
import { newFolder } from '../new-folder.ts';
import { type Ran, runCommand } from './run-command.ts';
import { savedPage, startSaved } from './saved-page.ts';

let root: string;
let state: string;
let catalogue: RunningCatalogue;
let panels: Record<string, unknown>[];
let regions: Record<string, unknown>[];
beforeEach(async () => {
  root = newFolder();
  state = join(root, 'state');
  [panels, regions] = [savedPage('panels'), savedPage('regions')];
  catalogue = await startSaved({ panels, regions });
});
afterEach(() => catalogue.close());

const given = (): string[] => ['--catalogue', catalogue.url, '--state', state];
const sweep = (...args: string[]): Promise<Ran> =>
  runCommand(['poll', '--only', 'listings', ...given(), ...args]);
const poll = (): Promise<Ran> => runCommand(['poll', '--only', 'log', ...given()]);
const eventsIn = (text: string): { id: string; type: string; data: { change: unknown } }[] =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

/** A major version of a panel that no row of the log states. */
function promote(panel = panels[0]): void {
  if (!panel) throw new Error('the saved pages have no panel');
  panel.version = `${Number(String(panel.version).split('.')[0]) + 1}.0`;
}

test('doctor says how many versions of panels have a row or an event of a sweep', async () => {
  const doctor = () => runCommand(['doctor', '--completeness', '--state', state, '--json']);
  await sweep();
  const name = new URL(catalogue.url).host.replace(':', '-');
  const finding = JSON.parse((await doctor()).stdout);
  expect(finding).toMatchObject({ check: `completeness of ${name}`, outcome: 'skipped' });
  expect(finding.text).toMatch(
    /^The sweep of .* was the first to count the versions of panels; the next count,/,
  );
});

describe('sweep', () => {
  test('stores the listings first, and prints nothing', async () => {
    expect(await sweep()).toStrictEqual({
      code: 0,
      stdout: '',
      stderr: `baseline: ${panels.length} panels and ${regions.length} regions stored to compare with (3 requests)\n`,
    });
    expect(await sweep()).toStrictEqual({
      code: 0,
      stdout: '',
      stderr: expect.stringMatching(
        /^warning: The log was not read: .*\nnothing changed without a row \(2 requests\)\n$/,
      ),
    });
  });

  test('begins with no catalogue: the log is left to the first poll', async () => {
    await sweep();
    promote();
    const changed = await sweep();
    expect(changed).toMatchObject({
      code: 0,
      stdout: '',
      stderr: expect.stringContaining('no poll has begun with this catalogue. Run a poll first'),
    });
  });

  test('prints a change without a row once, and keeps it in the history', async () => {
    await poll();
    await sweep();
    promote();
    const changed = await sweep();
    expect(changed).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('1 event of changes without a row; 1 panel differed'),
    });
    expect(eventsIn(changed.stdout)).toMatchObject([
      { type: 'gene-panel.panel.promoted.v1', data: { change: { via: 'listing' } } },
    ]);
    expect(await sweep()).toMatchObject({ stdout: '', stderr: expect.stringContaining('nothing changed') });
    const kept = await runCommand(['history', '--state', state, '--format', 'ndjson']);
    expect(kept.stdout).toBe(changed.stdout);
  });

  test('leaves to the log what the log says', async () => {
    await poll();
    await sweep();
    promote();
    const [panel] = panels;
    catalogue.addRows([
      {
        panel_id: Number(panel?.id),
        panel_name: String(panel?.name),
        panel_version: String(panel?.version),
        entity_type: null,
        entity_name: null,
        item_type: 'panel',
        text: `promoted panel to version ${panel?.version}`,
        user_name: 'Jo Example',
      },
    ]);
    const changed = await sweep();
    expect(eventsIn(changed.stdout)).toMatchObject([{ type: 'gene-panel.panel.promoted.v1' }]);
    expect(changed.stdout).not.toContain('"via":"listing"');
    expect(changed.stderr).toContain('the log explains what differs on 1 panel');
  });

  test('trusts no listing that lost many panels, unless an option says how many may go', async () => {
    await poll();
    await sweep();
    const lost = panels.splice(0, 10);
    const listed = new Set(lost.map(({ id }) => id));
    const refused = await sweep();
    expect(refused).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('too many panels or regions are gone from the listings'),
    });
    const { code, stdout } = await sweep('--shrunken-listing', '100');
    expect(code).toBe(0);
    const withdrawn = eventsIn(stdout).filter(({ type }) => type === 'gene-panel.panel.withdrawn.v1');
    expect(withdrawn).toHaveLength(listed.size);
  });

  test('prints what the filter lets through; the history keeps the rest', async () => {
    await poll();
    await sweep();
    promote();
    expect((await sweep('--topic', 'tags')).stdout).toBe('');
    const kept = await runCommand(['history', '--state', state, '--format', 'ndjson']);
    expect(eventsIn(kept.stdout)).toHaveLength(1);
  });

  test('with wrong arguments says so', async () => {
    expect(await runCommand(['poll', '--only', 'listings'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--catalogue URL is missing'),
    });
    expect(await sweep('--shrunken-listing', '200')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--shrunken-listing "200": expected a number from 0 to 100'),
    });
  });
});

describe('watch', () => {
  const watch = (...args: string[]): Promise<Ran> =>
    runCommand(['watch', ...given(), '--no-page', '--every', '0', '--json', ...args]);

  test('sweeps after its first poll, and shows what changed without a row', async () => {
    expect((await watch('--polls', '1')).stderr).toContain(`baseline: ${panels.length} panels`);
    promote();
    const { stdout, stderr } = await watch('--polls', '3');
    expect(eventsIn(stdout)).toMatchObject([{ type: 'gene-panel.panel.promoted.v1' }]);
    expect(stderr).not.toContain('baseline');
  });

  test('sweeps again only after --sweep-every', async () => {
    const listed = (): number =>
      catalogue.requests.filter(({ path }) => path.startsWith('/api/v1/regions/')).length;
    await watch('--polls', '4', '--sweep-every', '60');
    expect(listed()).toBe(1);
    await watch('--polls', '4', '--sweep-every', '0.0000001');
    expect(listed()).toBeGreaterThan(2);
  });

  test('never sweeps with --sweep-every 0', async () => {
    await watch('--polls', '2', '--sweep-every', '0');
    expect(catalogue.requests.filter(({ path }) => path.startsWith('/api/v1/regions/'))).toStrictEqual([]);
  });

  test('goes on polling when a sweep fails', async () => {
    catalogue.fail({ kind: 'status', status: 404 }, { path: '/regions/' });
    const { code, stderr } = await watch('--polls', '2');
    expect(code).toBe(0);
    expect(stderr).toMatch(/Sweeping again in 60 min\.\n$/);
  });
});
