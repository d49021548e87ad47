import { type AnalysedCase, analysedCaseSchema } from './analysed-case.ts';
import type { Field } from './case-columns.ts';
import { CasesError } from './cases-error.ts';

/** The texts of a line by field. */
export type CaseTexts = Readonly<Partial<Record<Field, string>>>;

/**
 * A case of which the needed fields are there and have their form.
 * @throws {CasesError} naming the line and the field
 */
export function caseOf(values: CaseTexts, line: number): AnalysedCase {
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

/** Whether a text is a day, or a time with its zone, in ISO 8601. */
export const isDate = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/.test(text);
