import type { AheadOfUtc } from '../../run/time-zone.ts';
import { type AnalysedCase, analysedCaseSchema } from './analysed-case.ts';
import type { Field } from './case-columns.ts';
import { type DateFormat, dateIn } from './case-dates.ts';

/** The texts of a line by field. */
export type CaseTexts = Readonly<Partial<Record<Field, string>>>;

/** A line of a file as it was found: its texts, or why it has none that are sure. */
export type CaseLine = {
  readonly line: number;
  /** The headings of the file, and which of them is which field; absent in a file without headings. */
  readonly found?: { readonly headings: readonly string[]; readonly places: Partial<Record<Field, number>> };
} & ({ readonly texts: CaseTexts } | { readonly unknown: string });

/** How the days of cases are written. */
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
  if (panel === '') return unknown('it names no panel');
  const number = version.replace(/^v(?:ersion)?\.?\s*/i, '');
  if (number === '' && date === '') return unknown('it states neither a version nor a day');
  if (number !== '' && !/^\d+\.\d+$/.test(number)) return unknown('its version is not of the form 4.12');
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
        ? unknown('it names no case')
        : analysisIn(of.texts, dates);
  return analysedCaseSchema.parse({ line: of.line, case: name || `(line ${of.line})`, ...analysis });
}

/** What cannot be compared. */
export const unknown = (why: string): Omit<AnalysedCase, 'line' | 'case'> => ({
  panel: '',
  version: null,
  date: null,
  unknown: why,
});
