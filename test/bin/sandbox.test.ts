import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import { systemClock as clock } from '../../lambdas/run/clock.ts';
import { type RunningCatalogue, startCatalogue } from '../../sandbox/catalogue/start.ts';
import { newFolder } from '../new-folder.ts';
import { runCommand, words } from './run-command.ts';

const program = fileURLToPath(new URL('../../bin/gene-panel-notifier.js', import.meta.url));
const saved = fileURLToPath(new URL('../fixtures/catalogue/', import.meta.url));

const root = newFolder();
let state: string;
let catalogue: RunningCatalogue;
let states = 0;
beforeEach(async () => {
  state = join(root, String(states++));
  catalogue = await startCatalogue({ clock, from: saved, pageSize: 20 });
});
afterEach(() => catalogue.close());

let written = 0;
const comment = (): { readonly text: string } & Record<string, unknown> => ({
  panel_name: 'Hearing loss',
  panel_id: 12,
  panel_version: '2.1',
  user_name: 'Eleanor Vance',
  item_type: 'entity',
  text: `commented on gene: BRCA1: number ${written++}`,
  entity_name: 'BRCA1',
  entity_type: 'gene',
});

async function poll(...args: string[]): Promise<PanelEvent[]> {
  const ran = await runCommand(words`poll --only log --catalogue ${catalogue.url} --state ${state} ${args}`);
  expect(ran.stderr).not.toContain('failed');
  expect(ran.code).toBe(0);
  return ran.stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as PanelEvent);
}

/** Polls until nothing is new. */
async function pollUntilQuiet(): Promise<PanelEvent[]> {
  const all: PanelEvent[] = [];
  for (let events = await poll(); events.length > 0; events = await poll()) all.push(...events);
  return all;
}

const textsOf = (events: readonly PanelEvent[]): string[] =>
  events.flatMap(({ data }) => data.activities.map(({ text }) => String(text))).sort();

describe('a poll of the sandbox', () => {
  test('that has nothing new makes one request', async () => {
    await poll();
    catalogue.forgetRequests();
    expect(await poll()).toStrictEqual([]);
    expect(catalogue.requests.map(({ path }) => path)).toStrictEqual(['/api/v1/activities/']);
  });

  test('publishes rows that are added, late within the overlap, or of one instant across a page boundary', async () => {
    await poll();
    const fresh = Array.from({ length: 5 }, comment);
    catalogue.addRows(fresh);
    const first = await pollUntilQuiet();
    const late = Array.from({ length: 3 }, comment);
    catalogue.addRows(late, { lateMs: 10 * 60_000 });
    const second = await pollUntilQuiet();
    expect(second.every(({ data }) => data.late)).toBe(true);
    const created = new Date(clock.now()).toISOString().replace('Z', '123Z');
    const tied = Array.from({ length: 30 }, () => ({ ...comment(), created }));
    catalogue.addRows(tied);
    const third = await pollUntilQuiet();
    // Newer rows shift the boundary, so that what lay on no page comes to light.
    const newer = Array.from({ length: 15 }, comment);
    catalogue.addRows(newer);
    const fourth = await pollUntilQuiet();
    const printed = [...first, ...second, ...third, ...fourth];
    expect(textsOf(printed)).toStrictEqual(
      [...fresh, ...late, ...tied, ...newer].map(({ text }) => text).sort(),
    );
    expect(new Set(printed.map(({ id }) => id)).size).toBe(printed.length);
  });

  test('publishes rows that are added between two requests', async () => {
    await poll();
    const before = Array.from({ length: 50 }, comment);
    catalogue.addRows(before);
    const between: ReturnType<typeof comment>[] = [];
    catalogue.onRequest(() => {
      if (between.length >= 12) return;
      const row = comment();
      between.push(row);
      catalogue.addRows([row]);
    });
    const printed = await pollUntilQuiet();
    catalogue.onRequest(() => {});
    expect(textsOf(printed)).toStrictEqual([...before, ...between].map(({ text }) => text).sort());
    expect(new Set(printed.map(({ id }) => id)).size).toBe(printed.length);
  });

  test('publishes the rows of a panel that was hidden and shown again within the overlap', async () => {
    await poll();
    const rows = Array.from({ length: 4 }, () => ({ ...comment(), panel_id: 77 }));
    catalogue.hidePanel(77);
    catalogue.addRows(rows);
    expect(await pollUntilQuiet()).toStrictEqual([]);
    catalogue.addRows([comment()]);
    expect(await pollUntilQuiet()).toHaveLength(1);
    catalogue.revealPanel(77);
    expect(textsOf(await pollUntilQuiet())).toStrictEqual(rows.map(({ text }) => text).sort());
  });
});

describe('the sandbox command', () => {
  test('serves until it is stopped, and prints its address', async () => {
    const stop = new AbortController();
    const running = runCommand(['sandbox', '--from', saved, '--family'], { signal: stop.signal });
    stop.abort();
    const { code, stdout } = await running;
    expect(code).toBe(0);
    expect(stdout).toMatch(/^CATALOGUE_URL=http:\/\/127\.0\.0\.1:\d+\/api\/v1\/\nAUTH_URL=http/);
  });

  test.each([
    ['nothing', () => join(root, 'nowhere'), 'it does not exist'],
    ['a file', () => program, 'it is no directory'],
  ])('says what it expects where --from names %s', async (_what, from, seen) => {
    expect(await runCommand(['sandbox', '--from', from()])).toStrictEqual({
      code: 1,
      stdout: '',
      stderr: `gene-panel-notifier sandbox: Reading the saved pages of ${from()}: ${seen}. Expected response bodies of the catalogue, saved as activities-page-001.json, panels-page-001.json, regions-page-001.json and so on. Give the directory that holds them (--from DIR), or none for a made-up catalogue. [SAVED_PAGES_UNUSABLE]\n`,
    });
  });

  test.each([[[]], [['--family']]])('explains a port that is taken, %j', async (args) => {
    const { port } = new URL(catalogue.url);
    const [first, taken] = args.length > 0 ? [Number(port) - 1, port] : [port, port];
    expect(await runCommand(['sandbox', '--from', saved, '--port', String(first), ...args])).toStrictEqual({
      code: 1,
      stdout: '',
      stderr: `gene-panel-notifier sandbox: Listening on port ${taken}: another program uses it. Choose another with --port, or leave --port out for a free one. [PORT_UNUSABLE]\n`,
    });
  });

  test('fails where one port of several is taken', async () => {
    const port = Number(new URL(catalogue.url).port) - 3;
    const args = ['sandbox', '--from', saved, '--family', '--port', String(port)];
    const child = spawn(process.execPath, [program, ...args], { stdio: 'ignore' });
    expect(await once(child, 'exit')).toEqual([1, null]);
  });

  test.each([
    ['a missing directory', ['--from', '/no/such/directory'], 1, /\/no\/such\/directory/],
    ['an unknown zone', ['--zone', 'mars'], 2, /--zone "mars": expected utc or sydney/],
    ['an operand', ['here'], 2, /expected options only/],
    [
      '--require-token without an identity provider',
      ['--require-token'],
      2,
      /--require-token needs --family/,
    ],
    [
      '--token-lifetime without an identity provider',
      ['--token-lifetime', '5'],
      2,
      /--token-lifetime needs --family/,
    ],
    [
      'a length of time in another unit',
      ['--act-every', '5x'],
      2,
      /--act-every "5x": expected .*with a unit/,
    ],
    [
      'a lifetime that is too long, with a unit',
      ['--family', '--token-lifetime', '2d'],
      2,
      /--token-lifetime "2d": expected a number from 1 to 86400 \(seconds\), or with a unit/,
    ],
    ['--basic without an identity provider', ['--basic', 'raw'], 2, /--basic needs --family/],
    ['an unknown --basic', ['--family', '--basic', 'x'], 2, /--basic "x": expected both, raw or form/],
  ])('fails on %s', async (_what, args, expected, message) => {
    const { code, stderr } = await runCommand(['sandbox', ...args]);
    expect(stderr).toMatch(message);
    expect(code).toBe(expected);
  });
});
