import { printable } from '../lambdas/run/printable.ts';
import { widthOf } from './terminal-text.ts';

/** Rows of a table with their cells below each other, two spaces apart; the first row is the heading. */
export function textTable(rows: readonly (readonly string[])[]): readonly string[] {
  const table = rows.map((row) => row.map(printable));
  const columns = Math.max(...table.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, at) =>
    Math.max(...table.map((row) => widthOf(row[at] ?? ''))),
  );
  return table.map((row) =>
    row
      .map((cell, at) =>
        at === row.length - 1 ? cell : cell + ' '.repeat((widths[at] ?? 0) - widthOf(cell)),
      )
      .join('  ')
      .trimEnd(),
  );
}
