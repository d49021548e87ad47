import { printable } from '../lambdas/run/printable.ts';
import { widthOf } from './terminal-text.ts';

/** Rows of a table with their cells below each other, two spaces apart; the first row is the heading. */
export function textTable(rows: readonly (readonly string[])[]): readonly string[] {
  const table = rows.map((row) => row.map(printable).map((cell) => ({ cell, width: widthOf(cell) })));
  const widths: number[] = [];
  for (const row of table) {
    for (const [at, { width }] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, width);
  }
  return table.map((row) =>
    row
      .map(({ cell, width }, at) =>
        at === row.length - 1 ? cell : cell + ' '.repeat((widths[at] ?? 0) - width),
      )
      .join('  ')
      .trimEnd(),
  );
}
