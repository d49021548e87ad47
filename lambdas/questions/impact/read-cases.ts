import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import type { AheadOfUtc } from '../../run/instant.ts';
import {
  type CaseLine,
  CasesError,
  type CaseTexts,
  type Columns,
  caseOf,
  type DateFormat,
  type Field,
  fieldNames,
  findDateFormat,
  isoDate,
  placesOf,
} from './case-of.ts';
import type { AnalysedCase } from './impact.ts';

/** Where cases are read from. */
export interface CaseInput {
  /** For messages: it holds nothing of a case. */
  readonly name: string;
  readonly format: 'csv' | 'ndjson';
  /** What is said of its form; what is not said is found in the file. */
  readonly form?: CaseForm;
  /** The bytes, from their beginning; it may be called again. */
  open(): Readable;
}

/** How a file of cases is written. */
export interface CaseForm {
  readonly columns?: Columns;
  readonly dates?: DateFormat | undefined;
  /** The time zone of times that state none. */
  readonly zone?: AheadOfUtc | undefined;
  /** Refuse a line that cannot be used, instead of counting its case as unknown. */
  readonly strict?: boolean;
}

/** A file of cases of which the form is known. */
export interface RecognisedCases {
  /** Which column is taken for what, and how its days are written; null where all of it is as it is by default. */
  readonly sentence: string | null;
  /**
   * The cases, line by line; those of a line that cannot be used are unknown.
   * @throws {CasesError} when the file, or with `strict` a line of it, cannot be read
   */
  read(): AsyncIterable<AnalysedCase>;
}

/** Which cases are asked about: those of a file, or of the interpretation API at an address. */
export interface NamedCases {
  readonly file?: string | undefined;
  readonly form: CaseForm;
  /** `mapping`: the content of that file. */
  readonly interpretation?: Readonly<Partial<Record<'url' | 'path' | 'mapping', string | undefined>>>;
}

/** Cases that can be read. */
export interface OpenedCases extends RecognisedCases {
  /** What a line of a case is: of a file, or an item of a list. */
  readonly line: 'line' | 'item';
  /** A sentence where cases may be missing. */
  readonly incomplete: string | null;
}

/** Whether the name of a file is that of one JSON object a line. */
export const formatOf = (file: string): CaseInput['format'] =>
  /\.(ndjson|jsonl)$/i.test(file) ? 'ndjson' : 'csv';

/**
 * Finds the columns of a file of cases, and how its days are written: CSV with headings, or one JSON object a line.
 * @throws {CasesError} when the file cannot be read, a heading is missing, or its days can be read in several ways
 */
export async function recogniseCases(input: CaseInput): Promise<RecognisedCases> {
  const { columns = {}, dates: given, zone, strict = false } = input.form ?? {};
  const found = await formIn(linesOf(input, columns), given);
  const dates = { format: found.format, zone: zone ?? null };
  return {
    sentence: sentenceOf(found, input.name),
    async *read() {
      for await (const line of linesOf(input, columns)) {
        const read = caseOf(line, dates);
        if (strict && read.unknown !== undefined)
          throw new CasesError(`Reading the cases, line ${line.line}: ${read.unknown}.`);
        yield read;
      }
    },
  };
}

interface FoundForm {
  readonly format: DateFormat;
  /** The headings by field, where the file has headings. */
  readonly headings: Readonly<Record<string, string>>;
}

async function formIn(lines: AsyncIterable<CaseLine>, given: DateFormat | undefined): Promise<FoundForm> {
  const formats = findDateFormat();
  let headings: FoundForm['headings'] = {};
  let unusable: Extract<CaseLine, { unknown: string }> | undefined;
  let usable = 0;
  for await (const line of lines) {
    if (line.found) headings = headingsOf(line.found);
    if ('unknown' in line) unusable ??= line;
    else usable += 1;
    const needsNoDates = given !== undefined || (line.found && line.found.places.date === undefined);
    if ((needsNoDates && usable > 0) || ('texts' in line && formats.add(line.texts.date ?? '', line.line)))
      break;
  }
  if (unusable && usable === 0)
    throw new CasesError(
      `Reading the cases: no line can be used. Line ${unusable.line}: ${unusable.unknown}.`,
    );
  return { format: given ?? formats.format(), headings };
}

const headingsOf = ({ headings, places }: NonNullable<CaseLine['found']>): FoundForm['headings'] =>
  Object.fromEntries(
    fieldNames.flatMap((field) => {
      const at = places[field];
      return at === undefined ? [] : [[field, headings[at] ?? '']];
    }),
  );

/** `Reading cases.csv: case is "Lab number", panel "Test code", date "Reported" (dd/mm/yyyy).` */
function sentenceOf({ format, headings }: FoundForm, name: string): string | null {
  const named = Object.entries(headings);
  const isDefault = named.every(([field, heading]) => heading.toLowerCase() === field);
  if (isDefault && format.pattern === isoDate.pattern) return null;
  const parts = named.map(
    ([field, heading]) =>
      `${field} is ${JSON.stringify(heading)}${field === 'date' ? ` (${format.pattern})` : ''}`,
  );
  return `Reading ${name}: ${parts.length > 0 ? parts.join(', ') : `days are written ${format.pattern}`}.`;
}

async function* linesOf({ name, format, open }: CaseInput, columns: Columns): AsyncIterable<CaseLine> {
  const input = open();
  try {
    yield* format === 'ndjson' ? jsonLines(input, columns) : csvLines(input, columns);
  } catch (cause) {
    if (cause instanceof CasesError) throw cause;
    const code = (cause as { code?: unknown }).code;
    const at = (cause as { lines?: unknown }).lines;
    const where = typeof at === 'number' ? ` line ${at}` : '';
    // The cause is left out: what csv-parse throws holds the record.
    throw new CasesError(
      `Reading the cases in ${name}${where}: ${reasons[String(code)] ?? `it cannot be read (${String(code ?? 'unknown')})`}. Expected CSV with a line of headings, or one JSON object a line in a file that ends in .ndjson.`,
    );
  } finally {
    input.destroy();
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'this user may not read it',
  EISDIR: 'it is a folder',
  CSV_QUOTE_NOT_CLOSED: 'a quoted cell does not end',
  CSV_INVALID_CLOSING_QUOTE: 'a quoted cell goes on after its quotes',
  CSV_MAX_RECORD_SIZE: 'a line is longer than a million bytes; a quoted cell may not end',
};

async function* jsonLines(input: Readable, columns: Columns): AsyncIterable<CaseLine> {
  let line = 0;
  for await (const text of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    line += 1;
    if (text.trim() === '') continue;
    const value = objectIn(text);
    if (value === null) yield { line, unknown: 'the line is not a JSON object' };
    else for (const texts of textsIn(value, columns)) yield { line, texts };
  }
}

type JsonObject = Readonly<Record<string, unknown>>;

function objectIn(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text.replace(/^\ufeff/, ''));
    return typeof value === 'object' && !Array.isArray(value) ? (value as JsonObject | null) : null;
  } catch {
    return null;
  }
}

/** A line has one panel, or a list of them: `panels[].panelName|panelId|panelVersion`. */
function textsIn(value: JsonObject, columns: Columns): readonly CaseTexts[] {
  const read = (from: JsonObject, field: Field): string | undefined => {
    const names = columns[field] === undefined ? jsonNames[field] : [columns[field]];
    const found = names.map((name) => from[name]).find((each) => each !== undefined && each !== null);
    return typeof found === 'string' || typeof found === 'number' ? String(found) : undefined;
  };
  const own = Object.fromEntries(
    fieldNames.flatMap((field) => {
      const text = read(value, field);
      return text === undefined ? [] : [[field, text]];
    }),
  ) as CaseTexts;
  const { panels } = value;
  if (!Array.isArray(panels)) return [own];
  if (panels.length === 0) return [{ ...own, panel: '' }];
  return (panels as readonly unknown[]).map((panel) => {
    const item = (typeof panel === 'object' && panel !== null ? panel : {}) as JsonObject;
    const [reference, version] = [read(item, 'panel'), read(item, 'version')];
    return { ...own, ...(reference && { panel: reference }), ...(version && { version }) };
  });
}

const jsonNames: Readonly<Record<Field, readonly string[]>> = {
  case: ['case', 'caseId', 'id'],
  panel: ['panel', 'panelId', 'panelName', 'id', 'name'],
  version: ['version', 'panelVersion'],
  date: ['date', 'analysed', 'analysedOn'],
};

/** In bytes: a quoted cell that never ends would otherwise take in the whole file. */
const LARGEST_LINE = 1_000_000;

async function* csvLines(input: Readable, columns: Columns): AsyncIterable<CaseLine> {
  const [first, whole] = await withFirstLine(input);
  const { parse } = await import('csv-parse');
  const parser = whole.pipe(
    parse({
      bom: true,
      delimiter: delimiterOf(first),
      trim: true,
      skip_empty_lines: true,
      relax_column_count: true,
      // The record as this module reads it; the types know no record but cells.
      on_record: (record, { lines }) => ({ record, line: lines }) satisfies CsvRecord as object as string[],
      max_record_size: LARGEST_LINE,
    }),
  );
  whole.on('error', (error) => parser.destroy(error));
  let columnsFound: { readonly headings: readonly string[]; readonly places: Places } | undefined;
  let named: readonly (readonly [Field, number])[] = [];
  for await (const { record, line } of parser as AsyncIterable<CsvRecord>) {
    if (columnsFound === undefined) {
      const places = placesOf(record, columns);
      columnsFound = { headings: record, places };
      named = fieldNames.flatMap((field) => {
        const at = places[field];
        return at === undefined ? [] : [[field, at] as const];
      });
      continue;
    }
    const { headings } = columnsFound;
    // A spreadsheet ends lines with empty cells. Where others are missing or too many, no cell is sure to be under its heading.
    const cells = record.length - record.slice(headings.length).filter((cell) => cell === '').length;
    if (cells !== headings.length) {
      yield { line, found: columnsFound, unknown: 'the line has more or fewer cells than the headings' };
      continue;
    }
    const texts: Partial<Record<Field, string>> = {};
    for (const [field, at] of named) texts[field] = record[at] ?? '';
    yield { line, found: columnsFound, texts };
  }
  if (columnsFound === undefined)
    throw new CasesError('Reading the cases: the file has no line of headings.');
}

interface CsvRecord {
  readonly record: readonly string[];
  readonly line: number;
}

type Places = Partial<Readonly<Record<Field, number>>>;

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
  const whole = Readable.from(
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
