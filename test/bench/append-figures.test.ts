import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { appendFigures } from './append-figures.ts';

test('figures of two runs are lines of one CSV with one heading', () => {
  const folder = mkdtempSync(join(tmpdir(), 'figures-'));
  const file = join(folder, 'reports', 'bench.csv');
  const figures = [
    { name: 'time, printed to a file', value: 1.5, unit: '×', goal: 1, detail: '3.0 s', baseline: 'dlt' },
    { name: 'requests', value: 1000, unit: '' },
  ];
  const run = { commit: 'abc1234', node: '24.0.0', load: '0.10' };
  appendFigures(file, { ...run, time: '2026-01-01T00:00:00Z' }, { race: 'backlog', figures });
  appendFigures(file, { ...run, time: '2026-01-02T00:00:00Z' }, { race: 'backlog', figures });

  const lines: Record<string, string>[] = parse(readFileSync(file), { columns: true });
  expect(lines.map(({ time, figure, value, goal }) => [time, figure, value, goal])).toStrictEqual([
    ['2026-01-01T00:00:00Z', 'time, printed to a file', '1.5', '1'],
    ['2026-01-01T00:00:00Z', 'requests', '1000', ''],
    ['2026-01-02T00:00:00Z', 'time, printed to a file', '1.5', '1'],
    ['2026-01-02T00:00:00Z', 'requests', '1000', ''],
  ]);
  rmSync(folder, { recursive: true });
});
