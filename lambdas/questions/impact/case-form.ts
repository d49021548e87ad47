import { aheadOfUtc } from '../../run/instant.ts';
import { flag, OptionError } from '../options.ts';
import type { Asked, Option } from '../question.ts';
import { type Columns, dateFormat, fieldNames } from './case-of.ts';
import type { CaseForm } from './read-cases.ts';

const dateChoices = {
  '': 'as found in the file',
  'yyyy-mm-dd': '2026-01-31',
  'dd/mm/yyyy': '31/01/2026',
  'mm/dd/yyyy': '01/31/2026',
  'dd.mm.yyyy': '31.01.2026',
  'dd-mm-yyyy': '31-01-2026',
  'mm-dd-yyyy': '01-31-2026',
  'dd-mmm-yyyy': '31-Jan-2026',
  'dd/mm/yy': '31/01/26',
  'mm/dd/yy': '01/31/26',
};

/** The options that say how a file of cases is written. */
export const caseFormOptions = {
  columns: {
    help: 'which column holds what: case=Referral,panel=Test,version=Panel version,date=Reported (default: by the usual headings; what was found is shown)',
    takes: 'PAIRS',
    isFor: 'commands',
    read: ([text]) => (text === undefined ? undefined : columnsIn(text)),
  } satisfies Option<Columns | undefined>,
  'date-format': {
    help: 'how days are written: dd/mm/yyyy, mm/dd/yyyy, dd-mmm-yyyy (default: found from the whole column)',
    takes: 'FORM',
    isFor: 'commands',
    field: { kind: 'choice', label: 'Days are written', choices: dateChoices },
    read: ([text]) => readWith(dateFormat, text, ({ message }) => message),
  } satisfies Option<CaseForm['dates']>,
  zone: {
    help: 'the zone of times that state none, such as Europe/London',
    takes: 'ZONE',
    isFor: 'commands',
    read: ([text]) => readWith(aheadOfUtc, text, () => 'a time zone, such as Europe/London'),
  } satisfies Option<CaseForm['zone']>,
  strict: {
    ...flag('refuse the whole file if a line cannot be used, instead of counting its case as unknown'),
    isFor: 'commands' as const,
  },
};

/** What they say. */
export const caseFormOf = ({
  columns = {},
  'date-format': dates,
  zone,
  strict,
}: Asked<typeof caseFormOptions>): CaseForm => ({ columns, dates, zone, strict });

/** The value of an option, where it was given, by a function that refuses others with a `RangeError`. */
function readWith<Value>(
  read: (text: string) => Value,
  text: string | undefined,
  expected: (refusal: RangeError) => string,
): Value | undefined {
  try {
    return text === undefined ? undefined : read(text);
  } catch (error) {
    if (error instanceof RangeError) throw new OptionError(text ?? '', expected(error));
    throw error;
  }
}

const columnsIn = (text: string): Columns =>
  Object.fromEntries(
    text.split(',').map((pair) => {
      const [, field = '', column = ''] = /^\s*(\w+)\s*=\s*(.+?)\s*$/.exec(pair) ?? [];
      if (fieldNames.some((known) => known === field) && column !== '') return [field, column];
      throw new OptionError(pair, `FIELD=COLUMN, with one of the fields ${fieldNames.join(', ')}`);
    }),
  );
