import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { parse } from 'csv-parse';
import { type AnalysedCase, analysedCaseSchema } from '../../lambdas/impact/analysed-case.ts';
import { UsageError } from '../command.ts';
import { isDate } from './case-mapping.ts';

/** The fields of a case, and the names of columns that are taken for them where none is given. */
const fields = {
  case: [
    'case',
    'case id',
    'case_id',
    'caseid',
    'sample',
    'sample id',
    'sample_id',
    'referral',
    'referral id',
  ],
  panel: [
    'panel',
    'panel id',
    'panel_id',
    'panelid',
    'panel name',
    'panel_name',
    'panelname',
    'r code',
    'r_code',
  ],
  version: ['version', 'panel version', 'panel_version', 'panelversion'],
  date: ['date', 'analysed', 'analysed on', 'reported', 'report date', 'report_date', 'tested'],
} as const;
type Field = keyof typeof fields;
const fieldNames = Object.keys(fields) as readonly Field[];

/** Which column, or which property of a line, holds which field. */
type Columns = Partial<Readonly<Record<Field, string>>>;

/** A file of cases cannot be read. The message names lines, never what they hold. */
export class CasesError extends Error {
  override readonly name = 'CasesError';
  readonly code = 'CASES_UNREADABLE';
}

/**
 * Reads `--columns case=…,panel=…,version=…,date=…`.
 * @throws {UsageError} when a field is unknown
 */
export function readColumns(text: string | undefined): Columns {
  if (text === undefined) return {};
  return Object.fromEntries(
    text.split(',').map((pair) => {
      const [, field = '', column = ''] = /^\s*(\w+)\s*=\s*(.+?)\s*$/.exec(pair) ?? [];
      if (fieldNames.some((known) => known === field) && column !== '') return [field, column];
      throw new UsageError(
        `--columns ${JSON.stringify(pair)}: expected FIELD=COLUMN, with one of the fields ${fieldNames.join(', ')}`,
      );
    }),
  );
}

/**
 * The cases of a file, line by line: CSV with commas, semicolons or tabs, or one JSON object a line.
 * @throws {CasesError} when the file, or a line of it, cannot be read
 */
export async function* readCases(
  file: string,
  { columns, stdin }: { readonly columns: Columns; readonly stdin: Readable },
): AsyncIterable<AnalysedCase> {
  const input = file === '-' ? stdin : createReadStream(file);
  try {
    const lines = /\.(ndjson|jsonl)$/i.test(file) ? jsonLines(input, columns) : csvLines(input, columns);
    for await (const line of lines) yield line;
  } catch (cause) {
    if (cause instanceof CasesError || cause instanceof UsageError) throw cause;
    const code = (cause as { code?: unknown }).code;
    const at = (cause as { lines?: unknown }).lines;
    const where = typeof at === 'number' ? ` line ${at}` : '';
    throw new CasesError(
      `Reading the cases in ${file === '-' ? 'standard input' : file}${where}: ${reasons[String(code)] ?? `it cannot be read (${String(code ?? 'unknown')})`}. Expected CSV with a line of headings, or one JSON object a line in a file that ends in .ndjson.`,
    );
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'this user may not read it',
  EISDIR: 'it is a folder',
  CSV_QUOTE_NOT_CLOSED: 'a quoted cell does not end',
  CSV_INVALID_CLOSING_QUOTE: 'a quoted cell goes on after its quotes',
  CSV_RECORD_INCONSISTENT_FIELDS_LENGTH: 'a line has more or fewer cells than the headings',
};

type Values = Readonly<Partial<Record<Field, string>>>;

async function* csvLines(input: Readable, columns: Columns): AsyncIterable<AnalysedCase> {
  const [first, whole] = await withFirstLine(input);
  const parser = whole.pipe(
    parse({ bom: true, delimiter: delimiterOf(first), trim: true, skip_empty_lines: true, info: true }),
  );
  whole.on('error', (error) => parser.destroy(error));
  let places: Partial<Record<Field, number>> | undefined;
  for await (const { record, info } of parser as AsyncIterable<{
    record: string[];
    info: { lines: number };
  }>) {
    if (places === undefined) {
      places = placesOf(record, columns);
      continue;
    }
    const values = Object.fromEntries(
      fieldNames.flatMap((field) => {
        const at = places?.[field];
        return at === undefined ? [] : [[field, record[at] ?? '']];
      }),
    );
    yield caseOf(values, info.lines);
  }
  if (places === undefined) throw new CasesError('Reading the cases: the file has no line of headings.');
}

/** The first line of a stream, and the stream with that line. */
async function withFirstLine(input: Readable): Promise<readonly [string, Readable]> {
  const read: Buffer[] = [];
  const chunks = input[Symbol.asyncIterator]() as AsyncIterator<Buffer | string>;
  let text = '';
  while (!/[\r\n]/.test(text)) {
    const { value, done } = await chunks.next();
    if (done) break;
    read.push(Buffer.from(value));
    text = Buffer.concat(read).toString();
  }
  const { Readable: Stream } = await import('node:stream');
  const whole = Stream.from(
    (async function* () {
      yield* read;
      for (let next = await chunks.next(); !next.done; next = await chunks.next())
        yield Buffer.from(next.value);
    })(),
  );
  return [text.split(/[\r\n]/, 1).join(''), whole];
}

/** The separator that the line of headings has most often: spreadsheets of some countries write semicolons. */
function delimiterOf(headings: string): string {
  const count = (delimiter: string): number => headings.split(delimiter).length;
  return [',', ';', '\t', '|'].toSorted((one, other) => count(other) - count(one))[0] ?? ',';
}

function placesOf(headings: readonly string[], columns: Columns): Partial<Record<Field, number>> {
  const keys = headings.map((heading) => heading.trim().toLowerCase());
  const places = Object.fromEntries(
    fieldNames.flatMap((field) => {
      const given = columns[field];
      const names: readonly string[] = given === undefined ? fields[field] : [given.toLowerCase()];
      const at = names.map((name) => keys.indexOf(name)).find((index) => index >= 0) ?? -1;
      if (at < 0 && given !== undefined) throw missing(`it has no column ${JSON.stringify(given)}`, headings);
      return at < 0 ? [] : [[field, at]];
    }),
  ) as Partial<Record<Field, number>>;
  const needed = (['case', 'panel'] as const).filter((field) => places[field] === undefined);
  if (needed.length > 0) throw missing(`no column is taken for ${needed.join(' and ')}`, headings);
  if (places.version === undefined && places.date === undefined) {
    throw missing('no column is taken for version or date, and one of them is needed', headings);
  }
  return places;
}

const missing = (seen: string, headings: readonly string[]): UsageError =>
  new UsageError(
    `--cases: ${seen}. Its columns are ${headings.map((heading) => JSON.stringify(heading)).join(', ')}. Give --columns case=…,panel=…,version=…,date=…`,
  );

async function* jsonLines(input: Readable, columns: Columns): AsyncIterable<AnalysedCase> {
  let number = 0;
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    number += 1;
    if (line.trim() !== '') yield* casesIn(jsonOf(line, number), columns, number);
  }
}

function jsonOf(line: string, number: number): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(line.replace(/^\ufeff/, ''));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return value as Readonly<Record<string, unknown>>;
    }
  } catch {
    // The parser quotes what it refuses, and that may be of a case.
  }
  throw new CasesError(`Reading the cases, line ${number}: it is not a JSON object.`);
}

/** A line has one panel, or a list of them: `panels[].panelName|panelId|panelVersion`. */
function* casesIn(
  value: Readonly<Record<string, unknown>>,
  columns: Columns,
  line: number,
): Iterable<AnalysedCase> {
  const read = (from: Readonly<Record<string, unknown>>, field: Field): string | undefined => {
    const names = columns[field] === undefined ? jsonNames[field] : [columns[field]];
    const found = names.map((name) => from[name]).find((each) => each !== undefined && each !== null);
    return typeof found === 'string' || typeof found === 'number' ? String(found) : undefined;
  };
  const own = Object.fromEntries(
    fieldNames.flatMap((field) => {
      const text = read(value, field);
      return text === undefined ? [] : [[field, text]];
    }),
  ) as Values;
  const { panels } = value;
  if (!Array.isArray(panels)) {
    yield caseOf(own, line);
    return;
  }
  if (panels.length === 0) {
    throw new CasesError(`Reading the cases, line ${line}: the list of its panels is empty.`);
  }
  for (const panel of panels as readonly unknown[]) {
    const item = (typeof panel === 'object' && panel !== null ? panel : {}) as Readonly<
      Record<string, unknown>
    >;
    const [reference, version] = [read(item, 'panel'), read(item, 'version')];
    yield caseOf({ ...own, ...(reference && { panel: reference }), ...(version && { version }) }, line);
  }
}

const jsonNames: Readonly<Record<Field, readonly string[]>> = {
  case: ['case', 'caseId', 'id'],
  panel: ['panel', 'panelId', 'panelName', 'id', 'name'],
  version: ['version', 'panelVersion'],
  date: ['date', 'analysed', 'analysedOn'],
};

/**
 * A case of which the needed fields are there and have their form.
 * @throws {CasesError} naming the line and the field
 */
function caseOf(values: Values, line: number): AnalysedCase {
  const wrong = (seen: string): CasesError => new CasesError(`Reading the cases, line ${line}: ${seen}.`);
  const { case: name = '', panel = '', version = '', date = '' } = values;
  if (name === '') throw wrong('it names no case');
  if (panel === '') throw wrong('it names no panel');
  if (version === '' && date === '') throw wrong('it has neither a version nor a date');
  const number = version.replace(/^v(?:ersion)?\.?\s*/i, '');
  if (version !== '' && !/^\d+\.\d+$/.test(number)) throw wrong('its version is not of the form 4.12');
  if (date !== '' && !isDate(date)) {
    throw wrong('its date is not of the form 2026-01-31 or 2026-01-31T12:00:00Z');
  }
  return analysedCaseSchema.parse({ line, case: name, panel, version: number || null, date: date || null });
}
