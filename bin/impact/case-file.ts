import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { type Columns, fieldNames } from '../../lambdas/questions/impact/case-columns.ts';
import { dateFormat } from '../../lambdas/questions/impact/case-dates.ts';
import {
  type CaseForm,
  type CaseInput,
  formatOf,
  type RecognisedCases,
  recogniseCases,
} from '../../lambdas/questions/impact/read-cases.ts';
import { aheadOfUtc } from '../../lambdas/run/time-zone.ts';
import { type Io, UsageError } from '../command.ts';
import { flag, type OptionValues, text } from '../declare-command.ts';

/** The options that say how a file of cases is written. */
export const caseFormOptions = {
  columns: text(
    'PAIRS',
    'which column of the cases is which: case=Referral,panel=Test,version=Panel version,date=Reported (default: by the usual headings; what was found is shown)',
  ),
  'date-format': text(
    'FORM',
    'how days are written: dd/mm/yyyy, mm/dd/yyyy, dd-mmm-yyyy (default: found from the whole column)',
  ),
  zone: text('ZONE', 'the zone of times that state none, such as Europe/London'),
  strict: flag('refuse the file where a line cannot be used, in place of counting its case as unknown'),
};

type FormValues = Partial<OptionValues<typeof caseFormOptions>>;

export const caseFormNames = Object.keys(caseFormOptions) as readonly (keyof typeof caseFormOptions)[];

/** The options among these that were given. */
export const givenCaseForm = (values: FormValues): readonly string[] =>
  caseFormNames
    .filter((name) => values[name] !== undefined && values[name] !== false)
    .map((name) => `--${name}`);

/**
 * The file of `--cases` and what the options say of it; `-` is standard input.
 * @throws {UsageError} when an option is wrong
 */
export const caseFile = (file: string, values: FormValues, io: Pick<Io, 'stdin'>): CaseInput => ({
  name: file === '-' ? 'standard input' : file,
  format: formatOf(file),
  form: readForm(values),
  open: file === '-' ? reopened(io.stdin) : () => createReadStream(file),
});

/** A stream that can be read only once, kept so that it can be read again. */
function reopened(stdin: Readable): () => Readable {
  const kept: Buffer[] = [];
  const whole = (async () => {
    for await (const chunk of stdin) kept.push(Buffer.from(chunk as Buffer));
  })();
  whole.catch(() => {});
  return () =>
    Readable.from(
      (async function* () {
        await whole;
        yield* kept;
      })(),
    );
}

function readForm(values: FormValues): CaseForm {
  const { zone, strict = false, 'date-format': pattern } = values;
  return {
    columns: readColumns(values.columns),
    dates: readWith(dateFormat, pattern, ({ message }) => `--date-format ${message}`),
    zone: readWith(
      aheadOfUtc,
      zone,
      () => `--zone ${JSON.stringify(zone)}: expected a time zone, such as Europe/London`,
    ),
    strict,
  };
}

/** The value of an option, where it was given, by a function that refuses others with a `RangeError`. */
function readWith<Value>(
  read: (text: string) => Value,
  text: string | undefined,
  sentence: (refusal: RangeError) => string,
): Value | undefined {
  try {
    return text === undefined ? undefined : read(text);
  } catch (error) {
    if (error instanceof RangeError) throw new UsageError(sentence(error));
    throw error;
  }
}

function readColumns(text: string | undefined): Columns {
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
 * The cases of a file, of which the form is found. What was found is written to standard error.
 * @throws {CasesError} when the file cannot be read, or its form cannot be found
 */
export async function openCaseFile(
  input: CaseInput,
  { stderr }: Pick<Io, 'stderr'>,
): Promise<RecognisedCases> {
  const cases = await recogniseCases(input);
  if (cases.sentence !== null) stderr.write(`${cases.sentence}\n`);
  return cases;
}

/**
 * The file of `--cases` of a page, which reads it for each view of the worklist and keeps nothing of it. It is read once now, so that
 * a wrong file is refused at the start.
 * @throws {UsageError | CasesError} when it cannot be read, or holds no case
 */
export async function pageCases(
  { cases: file, ...form }: FormValues & { readonly cases?: string | undefined },
  io: Pick<Io, 'stdin' | 'stderr'>,
): Promise<{ readonly cases?: CaseInput }> {
  if (file === undefined) {
    const [given] = givenCaseForm(form);
    if (given !== undefined) throw new UsageError(`${given} goes with --cases FILE`);
    return {};
  }
  if (file === '-')
    throw new UsageError('--cases -: expected a file, since each view of the worklist reads it');
  const cases = caseFile(file, form, io);
  const { read } = await openCaseFile(cases, io);
  for await (const _case of read()) return { cases };
  throw new UsageError(`--cases ${JSON.stringify(file)}: it holds no case`);
}
