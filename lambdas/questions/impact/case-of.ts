import { type AheadOfUtc, instantsShowing } from '../../run/instant.ts';
import type { AnalysedCase } from './impact.ts';

/** The texts of a line by field. */
export type CaseTexts = Readonly<Partial<Record<Field, string>>>;

/** A line of a file as it was found: its texts, or why it has none that are sure. */
export type CaseLine = {
  readonly line: number;
  /** The headings of the file, and which of them is which field; absent in a file without headings. */
  readonly found?: { readonly headings: readonly string[]; readonly places: Partial<Record<Field, number>> };
} & ({ readonly texts: CaseTexts } | { readonly unknown: string });

interface WrittenDates {
  readonly format: DateFormat;
  /** Of times that state none; null where none is given. */
  readonly zone: AheadOfUtc | null;
}

/** The panel, version and day of a line; or why nothing can be known of it, as a clause that quotes nothing of it. */
export function analysisIn(
  { panel = '', version = '', date = '' }: CaseTexts,
  { format, zone }: WrittenDates,
): Omit<AnalysedCase, 'line' | 'case'> {
  if (panel === '') return unknown('the panel is missing');
  const number = version.replace(/^v(?:ersion)?\.?\s*/i, '');
  if (number === '' && date === '') return unknown('version and day are both missing');
  if (number !== '' && !/^\d+\.\d+$/.test(number)) return unknown('the version is not written like 4.12');
  const day = date === '' ? { date: null } : dateIn(date, format, zone);
  return 'unknown' in day ? unknown(day.unknown) : { panel, version: number || null, ...day };
}

/** A line as a case. One without a name is a case of its own, named by its line. */
export function caseOf(of: CaseLine, dates: WrittenDates): AnalysedCase {
  const name = 'texts' in of ? (of.texts.case ?? '') : '';
  const analysis =
    'unknown' in of
      ? unknown(of.unknown)
      : name === ''
        ? unknown('the name of the case is missing')
        : analysisIn(of.texts, dates);
  return { line: of.line, case: name || `(line ${of.line})`, ...analysis };
}

/** What cannot be compared. */
export const unknown = (why: string): Omit<AnalysedCase, 'line' | 'case'> => ({
  panel: '',
  version: null,
  date: null,
  unknown: why,
});

/** How a column of days or times is written. */
export interface DateFormat {
  /** Such as `dd/mm/yyyy`. */
  readonly pattern: string;
  /** The parts of a text; null where it is not of this form, or no day of the calendar. */
  read(text: string): WrittenDate | null;
}

interface WrittenDate {
  /** `2026-01-31` */
  readonly day: string;
  /** Null for a day alone; midnight without a zone is how spreadsheets write one. */
  readonly time: { readonly text: string; readonly zone: string | null } | null;
}

const tokens = /yyyy|yy|mmm|mm|dd|[^a-z]+/g;
const digits: Readonly<Record<string, string>> = {
  yyyy: '(?<year>\\d{4})',
  yy: '(?<year>\\d{2})',
  mmm: '(?<month>[A-Za-z]{3})',
  mm: '(?<month>\\d{1,2})',
  dd: '(?<day>\\d{1,2})',
};
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const timeOfDay =
  '(?:(?:T|,?\\s+)(?<hour>\\d{1,2}):(?<minute>\\d{2})(?::(?<second>\\d{2})(?<fraction>\\.\\d+)?)?\\s*(?<half>[AaPp][Mm])?\\s*(?<zone>Z|[+-]\\d{2}:?\\d{2})?)?';

/**
 * Reads a pattern such as `dd/mm/yyyy`, `mm/dd/yy` or `dd-mmm-yyyy`, in which `mmm` is `Jan`. A time of day may follow a date.
 * @throws {RangeError} with what is expected, when the pattern does not name a year, a month and a day, each once
 */
export function dateFormat(pattern: string): DateFormat {
  const parts = pattern.toLowerCase().match(tokens) ?? [];
  const named = parts.flatMap((part) => (digits[part] ? [part.slice(0, 1)] : []));
  if (parts.join('') !== pattern.toLowerCase() || named.toSorted().join('') !== 'dmy')
    throw new RangeError('a pattern with day, month and year, such as dd/mm/yyyy, mm/dd/yy or dd-mmm-yyyy');
  // Without a separator, a part ends where its full width does.
  const fixed = parts.length === 3;
  const expression = parts
    .map((part) => digits[part] ?? part.replaceAll(/[^\d\s]/g, '\\$&'))
    .map((part) => (fixed ? part.replace('{1,2}', '{2}') : part))
    .join('');
  const whole = new RegExp(`^${expression}${timeOfDay}$`);
  return {
    pattern: pattern.toLowerCase(),
    read: (text) => partsOf(whole.exec(text)?.groups),
  };
}

function partsOf(found: Readonly<Record<string, string | undefined>> | undefined): WrittenDate | null {
  if (found === undefined) return null;
  const { year = '', month = '', day: written = '', hour, minute = '', second = '00', half } = found;
  const [y, m, d] = [
    Number(year.length === 2 ? `20${year}` : year),
    /\d/.test(month) ? Number(month) : months.indexOf(month.toLowerCase()) + 1,
    Number(written),
  ];
  const date = new Date(Date.UTC(y, m - 1, d));
  if (date.getUTCMonth() !== m - 1 || date.getUTCDate() !== d || date.getUTCFullYear() !== y) return null;
  const day = date.toISOString().slice(0, 10);
  if (hour === undefined) return { day, time: null };
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (/^p/i.test(half) ? 12 : 0);
  if (hours > 23 || Number(minute) > 59 || Number(second) > 59) return null;
  const text = `${String(hours).padStart(2, '0')}:${minute}:${second}${found.fraction ?? ''}`;
  const zone = found.zone ?? null;
  return { day, time: zone === null && /^[0:.]+$/.test(text) ? null : { text, zone } };
}

/**
 * A day or a time in ISO 8601; or why it is unknown, as a clause that quotes nothing.
 * @param zone of times that state none
 */
function dateIn(
  text: string,
  { pattern, read }: DateFormat,
  zone: AheadOfUtc | null,
): { readonly date: string } | { readonly unknown: string } {
  const written = read(text);
  if (written === null) return { unknown: `the date is not a day written as ${pattern}` };
  const { day, time } = written;
  if (time === null) return { date: day };
  if (time.zone !== null)
    return { date: `${day}T${time.text}${time.zone.replace(/(\d\d)(\d\d)$/, '$1:$2')}` };
  if (zone === null) return { unknown: 'the time has no zone. Give --zone, such as --zone Europe/London' };
  const [first, ...others] = instantsShowing(Date.parse(`${day}T${time.text}Z`), zone);
  if (first === undefined) return { unknown: 'the clocks of the time zone skipped this time' };
  const instant = new Date(first).toISOString();
  // Of an hour that came twice, the day is what is sure.
  return { date: others.length > 0 ? instant.slice(0, 10) : instant };
}

const iso = 'yyyy-mm-dd';
/** The form of days that is expected where none is found or given. */
export const isoDate = dateFormat(iso);
const known = [
  isoDate,
  ...[
    'dd/mm/yyyy',
    'mm/dd/yyyy',
    'dd.mm.yyyy',
    'dd-mm-yyyy',
    'mm-dd-yyyy',
    'yyyy/mm/dd',
    'yyyymmdd',
    'dd-mmm-yyyy',
    'dd mmm yyyy',
    'dd-mmm-yy',
    'dd/mm/yy',
    'mm/dd/yy',
  ].map(dateFormat),
];
/** Dates that agree on one form, after which no more are read to find it. */
const ENOUGH = 1000;

/** Finds the one form in which all dates of a column are written. */
export function findDateFormat() {
  let left: ReadonlyMap<DateFormat, number> | null = null;
  let seen = 0;
  return {
    /**
     * Notes a date; one that is of no known form says nothing. True once no more are needed.
     * @throws {CasesError} where dates of the column differ in form
     */
    add(text: string, line: number): boolean {
      const fitting = (left === null ? known : [...left.keys()]).filter(({ read }) => read(text) !== null);
      if (fitting.length > 0) {
        seen += 1;
        left = new Map(fitting.map((format) => [format, left?.get(format) ?? line]));
        return left.size === 1 && seen >= ENOUGH;
      }
      const other = left && known.find(({ read }) => read(text) !== null);
      if (!other || !left) return false;
      const [[earlier, at] = [isoDate, line]] = left;
      throw new CasesError(
        `Reading the cases: the dates are written in more than one form: line ${at} as ${earlier.pattern}, line ${line} as ${other.pattern}. Give --date-format with the right one; lines of another form then count as unknown.`,
      );
    },
    /** @throws {CasesError} where several forms fit every date */
    format(): DateFormat {
      const [only = isoDate, ...others] = left?.keys() ?? [];
      if (others.length === 0) return only;
      throw new CasesError(
        `Reading the cases: every date fits ${[only, ...others].map(({ pattern }) => pattern).join(' and ')}. Give --date-format with the right one.`,
      );
    },
  };
}

const listed = (text: string): readonly string[] => text.trim().split(/,\s+/);

/** The fields of a case, and the headings that are taken for them where none is given; the first that a file has counts. */
const fields = {
  case: listed(`
    case, case id, caseid, case number, referral, referral id, referral number, request id,
    request number, lab number, lab no, lab id, laboratory number, accession number, accession,
    episode number, episode, specimen number, specimen id, specimen, sample, sample id, sample number`),
  panel: listed(`
    panel, panel id, panelid, panel name, panelname, panel code, gene panel, r code, r number,
    test directory code, clinical indication code, clinical indication, test code, test, test name`),
  version: listed(`
    version, panel version, panelversion, gene panel version, panelapp version`),
  date: listed(`
    date, analysed, analysed on, date analysed, analysis date, date of analysis, reported, reported on,
    date reported, report date, date of report, authorised, authorised on, date authorised,
    authorisation date, issued, date issued, tested, date tested, test date`),
};
/** A field of a case. */
export type Field = keyof typeof fields;
/** The fields of a case. */
export const fieldNames = Object.keys(fields) as readonly Field[];

/** Which column, or which property of a line, holds which field. */
export type Columns = Partial<Readonly<Record<Field, string>>>;

/** `Report_Date` and `R-number` are written in many ways: `report date`, `r number`. */
const headingKey = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_.:#-]+/g, ' ')
    .replace(/ (?:num|nr|#)$/, ' number')
    .trim();

/**
 * Finds the column of each field by the headings of a file.
 * @throws {CasesError} when a field that is needed has none. The message does not quote the headings: where a file lacks
 * them, its first line is a case
 */
export function placesOf(headings: readonly string[], columns: Columns): Partial<Record<Field, number>> {
  const keys = headings.map(headingKey);
  const places = Object.fromEntries(
    fieldNames.flatMap((field) => {
      const given = columns[field];
      const names = given === undefined ? fields[field] : [headingKey(given)];
      const at = names.map((name) => keys.indexOf(name)).find((index) => index >= 0) ?? -1;
      if (at < 0 && given !== undefined) throw missing(`no heading is ${JSON.stringify(given)}`, headings);
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

const missing = (seen: string, headings: readonly string[]): CasesError =>
  new CasesError(
    `Reading the cases: among the ${headings.length} ${headings.length === 1 ? 'heading' : 'headings'} of the first line, ${seen}. Headings are found by names such as case, panel, version and date: rename them in the file. The commands impact and worklist also take other names, with --columns case=…,panel=…,version=…,date=….`,
  );

/** Cases cannot be read. The message names lines of the file, never what they hold. */
export class CasesError extends Error {
  override readonly name = 'CasesError';
  readonly code = 'CASES_UNREADABLE';
}
