import { expect, test } from 'vitest';
import { readPage } from './pages.ts';

const { prose } = readPage('docs/guides/costs.md');
const cellsOf = (line: string): readonly string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());

test('the sums of the costs are those of prices and numbers', () => {
  const [, table = ''] = /\| what \| \$ for .*\n\|[-|]*\n((?:\|.*\n)+)/.exec(prose) ?? [];
  const lines = table.trim().split('\n').map(cellsOf);
  const rows = lines.slice(0, -1);
  const stated = lines.at(-1)?.slice(3, 6);
  const sums = [3, 4, 5].map((column) =>
    rows.reduce((sum, cells) => sum + Number(cells[2]) * Number(cells[column]), 0),
  );
  expect(rows.length).toBeGreaterThan(10);
  expect(stated).toStrictEqual(sums.map((sum) => `**${sum.toFixed(2)}**`));
});
