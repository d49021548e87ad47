import { Readable } from 'node:stream';
import { parse } from 'csv-parse';
import { type Columns, type Field, fieldNames, placesOf } from './case-columns.ts';
import type { CaseLine } from './case-of.ts';
import { CasesError } from './cases-error.ts';

/** In bytes: a quoted cell that never ends would otherwise take in the whole file. */
const LARGEST_LINE = 1_000_000;

/**
 * The lines of a stream of CSV, with commas, semicolons, tabs or bars.
 * @throws {CasesError} where the line of headings lacks one
 */
export async function* csvLines(input: Readable, columns: Columns): AsyncIterable<CaseLine> {
  const [first, whole] = await withFirstLine(input);
  const parser = whole.pipe(
    parse({
      bom: true,
      delimiter: delimiterOf(first),
      trim: true,
      skip_empty_lines: true,
      relax_column_count: true,
      info: true,
      max_record_size: LARGEST_LINE,
    }),
  );
  whole.on('error', (error) => parser.destroy(error));
  let columnsFound: { readonly headings: readonly string[]; readonly places: Places } | undefined;
  for await (const { record, info } of parser as AsyncIterable<{
    record: string[];
    info: { lines: number };
  }>) {
    if (columnsFound === undefined) {
      columnsFound = { headings: record, places: placesOf(record, columns) };
      continue;
    }
    const { headings, places } = columnsFound;
    // A spreadsheet ends lines with empty cells. Where others are missing or too many, no cell is sure to be under its heading.
    const cells = record.length - record.slice(headings.length).filter((cell) => cell === '').length;
    const texts = Object.fromEntries(
      fieldNames.flatMap((field) => {
        const at = places[field];
        return at === undefined ? [] : [[field, record[at] ?? '']];
      }),
    );
    yield {
      line: info.lines,
      found: columnsFound,
      ...(cells === headings.length
        ? { texts }
        : { unknown: 'the line has more or fewer cells than the headings' }),
    };
  }
  if (columnsFound === undefined)
    throw new CasesError('Reading the cases: the file has no line of headings.');
}

type Places = Partial<Readonly<Record<Field, number>>>;

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
