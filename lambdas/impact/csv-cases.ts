import { Readable } from 'node:stream';
import { parse } from 'csv-parse';
import type { AnalysedCase } from './analysed-case.ts';
import { type Columns, type Field, fieldNames, placesOf } from './case-columns.ts';
import { caseOf } from './case-of.ts';
import { CasesError } from './cases-error.ts';

/** In bytes: a quoted cell that never ends would otherwise take in the whole file. */
const LARGEST_LINE = 1_000_000;

/**
 * The cases of a stream of CSV, with commas, semicolons, tabs or bars.
 * @throws {CasesError} naming the line that cannot be read
 */
export async function* csvCases(input: Readable, columns: Columns): AsyncIterable<AnalysedCase> {
  const [first, whole] = await withFirstLine(input);
  const parser = whole.pipe(
    parse({
      bom: true,
      delimiter: delimiterOf(first),
      trim: true,
      skip_empty_lines: true,
      info: true,
      max_record_size: LARGEST_LINE,
    }),
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
