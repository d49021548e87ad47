import type { Readable } from 'node:stream';
import type { AnalysedCase } from './analysed-case.ts';
import type { Columns } from './case-columns.ts';
import { CasesError } from './cases-error.ts';
import { csvCases } from './csv-cases.ts';
import { jsonCases } from './json-cases.ts';

/** Where cases are read from. */
export interface CaseInput {
  /** For messages: it holds nothing of a case. */
  readonly name: string;
  readonly format: 'csv' | 'ndjson';
  open(): Readable;
}

/** Whether the name of a file is that of one JSON object a line. */
export const formatOf = (file: string): CaseInput['format'] =>
  /\.(ndjson|jsonl)$/i.test(file) ? 'ndjson' : 'csv';

/**
 * The cases of a file, line by line: CSV with headings, or one JSON object a line.
 * @throws {CasesError} when the file, or a line of it, cannot be read
 */
export async function* readCases(
  { name, format, open }: CaseInput,
  columns: Columns,
): AsyncIterable<AnalysedCase> {
  try {
    const input = open();
    yield* format === 'ndjson' ? jsonCases(input, columns) : csvCases(input, columns);
  } catch (cause) {
    if (cause instanceof CasesError) throw cause;
    const code = (cause as { code?: unknown }).code;
    const at = (cause as { lines?: unknown }).lines;
    const where = typeof at === 'number' ? ` line ${at}` : '';
    // The cause is left out: what csv-parse throws holds the record.
    throw new CasesError(
      `Reading the cases in ${name}${where}: ${reasons[String(code)] ?? `it cannot be read (${String(code ?? 'unknown')})`}. Expected CSV with a line of headings, or one JSON object a line in a file that ends in .ndjson.`,
    );
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'this user may not read it',
  EISDIR: 'it is a folder',
  CSV_QUOTE_NOT_CLOSED: 'a quoted cell does not end',
  CSV_INVALID_CLOSING_QUOTE: 'a quoted cell goes on after its quotes',
  CSV_MAX_RECORD_SIZE: 'a line is longer than a million bytes; a quoted cell may not end',
  CSV_RECORD_INCONSISTENT_FIELDS_LENGTH: 'a line has more or fewer cells than the headings',
};
