import { safeJson } from '../run/safe-json.ts';
import { versionCell } from '../words/change-csv.ts';
import { byteOrderMark, csvLine } from '../words/csv.ts';
import { type NamedState, stateColumns, stateRows } from './state-rows.ts';

/** One JSON object a line for each entity of the states. */
export function stateNdjson(states: readonly NamedState[]): string {
  return states
    .flatMap(stateRows)
    .map((row) => `${safeJson(JSON.stringify(row))}\n`)
    .join('');
}

const isVersion = (column: string): boolean => column === 'version' || column === 'fromPanelVersion';
const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** The entities of the states for a spreadsheet; several values of a cell are separated by "; ". */
export function stateCsv(states: readonly NamedState[]): string {
  const lines = states.flatMap(stateRows).map((row) =>
    csvLine(
      stateColumns.map((column) => {
        const value = isVersion(column) ? versionCell(textOf(row[column])) : row[column];
        return Array.isArray(value) ? value.join('; ') : (value as string | number | null | undefined);
      }),
    ),
  );
  return byteOrderMark + csvLine(stateColumns) + lines.join('');
}
