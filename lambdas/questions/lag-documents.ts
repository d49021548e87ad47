import { safeJson } from '../run/safe-json.ts';
import { byteOrderMark, csvLine } from '../words/csv.ts';
import { type LagRow, lagColumns } from './lag-rows.ts';

/** One JSON object a line. */
export const lagNdjson = (rows: readonly LagRow[]): string =>
  rows.map((row) => `${safeJson(JSON.stringify(row))}\n`).join('');

/** Versions that a spreadsheet would read as numbers: `8.10` as 8.1. */
const versions: ReadonlySet<string> = new Set(['signedOffVersion', 'workingVersion', 'sinceVersion']);

/**
 * The rows for a spreadsheet, and below them a line for each sentence about what is not in them.
 * @param limits sentences
 */
export function lagCsv(rows: readonly LagRow[], limits: readonly string[]): string {
  const lines = rows.map((row) =>
    csvLine(
      lagColumns.map((column) => {
        const value = row[column];
        if (versions.has(column)) return `v${String(value)}`;
        return Array.isArray(value) ? value.join('; ') : (value as string | number | boolean | null);
      }),
    ),
  );
  return (
    byteOrderMark + csvLine(lagColumns) + lines.join('') + limits.map((each) => csvLine([each])).join('')
  );
}
