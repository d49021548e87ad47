import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock as clock } from '../../lambdas/clock/clock.ts';
import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import { type RunningCatalogue, startCatalogue } from '../../sandbox/catalogue/start.ts';
import { type SavedLog, serveSavedLog } from '../poll/saved-log.ts';
import { runCommand } from './run-command.ts';

let log: SavedLog;
let root: string;
let state: string;
beforeAll(async () => {
  [log, root] = await Promise.all([serveSavedLog(), mkdtemp(join(tmpdir(), 'history-'))]);
  state = join(root, 'state');
  await runCommand(['poll', '--catalogue', log.url, '--state', state, '--from', '2023-09-01']);
});
afterAll(() => Promise.all([log.close(), rm(root, { recursive: true })]));

const linesOf = (text: string): string[] => text.split('\n').filter(Boolean);
const eventsOf = (text: string): PanelEvent[] => linesOf(text).map((line) => JSON.parse(line) as PanelEvent);
const history = (...args: string[]) => runCommand(['history', '--state', state, ...args]);

describe('history', () => {
  test('gives what was published, the newest first', async () => {
    const { code, stdout } = await history('--format', 'ndjson', '--limit', '100000');
    expect(code).toBe(0);
    const times = eventsOf(stdout).map(({ time }) => time ?? '');
    expect(times.length).toBeGreaterThan(200);
    expect(times).toEqual(times.toSorted().reverse());
  });

  test('finds by rating, direction, type, panel and gene at once', async () => {
    const { stdout } = await history('--format', 'ndjson', '--to', 'green', '--direction', 'upgraded');
    const found = eventsOf(stdout);
    expect(found.length).toBeGreaterThan(0);
    for (const { type, data } of found) {
      expect(type).toBe('gene-panel.entity.classified.v1');
      expect(data.change).toMatchObject({ to: 'green', direction: 'upgraded' });
    }
    const name = String(found[0]?.data.entity?.name);
    const { stdout: ofGene } = await history('--format', 'ndjson', '--gene', name, '--to', 'green');
    expect(new Set(eventsOf(ofGene).map(({ data }) => data.entity?.name))).toEqual(new Set([name]));
  });

  test('says which names it has not', async () => {
    expect((await history('--gene', 'NOSUCHGENE')).stderr).toContain('NOSUCHGENE');
  });

  test('refuses an option value that is none', async () => {
    expect(await history('--direction', 'sideways')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('sideways'),
    });
  });
});

describe('report', () => {
  test('is written once to a file in each format, and no formula reaches a spreadsheet', async () => {
    for (const format of ['markdown', 'html', 'csv', 'json']) {
      const file = join(root, `report.${format}`);
      const ran = await runCommand([
        ...['report', '--state', state, '--from', '2023-09-01', '--to', '2023-12-01'],
        ...['--format', format, '--output', file],
      ]);
      expect(ran).toMatchObject({ code: 0, stdout: '' });
      const text = await readFile(file, 'utf8');
      expect(text.length).toBeGreaterThan(500);
      if (format === 'csv') expect(text).not.toMatch(/(?:^|,)"?[=+@-](?=[A-Za-z(])/m);
    }
  });
});

const samples = fileURLToPath(new URL('../../../shared/samples/', import.meta.url));

interface Listed {
  readonly list?: string;
}

interface Truth {
  readonly created_utc: string;
  readonly panel_id: number;
  readonly entity_name: string;
  readonly events?: readonly { readonly from?: Listed | null; readonly to?: Listed | null }[];
}

describe.runIf(existsSync(samples))('a report over the saved samples (in ../shared only)', () => {
  let catalogue: RunningCatalogue;
  beforeAll(async () => {
    catalogue = await startCatalogue({ clock, from: samples });
  });
  afterAll(() => catalogue.close());

  test('states no rating before and after that is not the truth', async () => {
    const filled = join(root, 'samples');
    await runCommand(['poll', '--catalogue', catalogue.url, '--state', filled, '--from', '2020-01-01']);
    const { stdout } = await runCommand([
      ...['report', '--state', filled, '--from', '2020-01-01', '--to', '2024-01-01', '--format', 'json'],
    ]);
    const { changes } = JSON.parse(stdout) as {
      changes: { panels: { id: number; nowGreen: Rated[]; noLongerGreen: Rated[]; otherRatings: Rated[] }[] };
    };
    interface Rated {
      readonly entity: { readonly name: string };
      readonly from: string | null;
      readonly to: string | null;
    }
    const ratings = new Map<string, { from: string; to: string }[]>();
    const rows = JSON.parse(readFileSync(join(samples, 'truth.json'), 'utf8')) as Truth[];
    for (const row of rows.toSorted((one, other) => (one.created_utc < other.created_utc ? -1 : 1))) {
      for (const { from, to } of row.events ?? []) {
        if (typeof from?.list !== 'string' || typeof to?.list !== 'string') continue;
        const key = `${row.panel_id} ${row.entity_name}`;
        const known = ratings.get(key) ?? [];
        ratings.set(key, [...known, { from: ratingOf(from.list), to: ratingOf(to.list) }]);
      }
    }
    let compared = 0;
    for (const panel of changes.panels) {
      for (const { entity, from, to } of [...panel.nowGreen, ...panel.noLongerGreen, ...panel.otherRatings]) {
        const truth = ratings.get(`${panel.id} ${entity.name}`);
        if (!truth || from === null || ['unknown', 'absent'].includes(from)) continue;
        compared += 1;
        expect({ panel: panel.id, name: entity.name, from, to }).toEqual({
          panel: panel.id,
          name: entity.name,
          from: truth[0]?.from,
          to: truth.at(-1)?.to,
        });
      }
    }
    expect(compared).toBeGreaterThan(3);
  });
});

const ratingOf = (list: string): string => (list === 'No list' ? 'none' : list.toLowerCase());
