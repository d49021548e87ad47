import { CasesError } from './cases-error.ts';

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
/** A field of a case. */
export type Field = keyof typeof fields;
/** The fields of a case. */
export const fieldNames = Object.keys(fields) as readonly Field[];

/** Which column, or which property of a line, holds which field. */
export type Columns = Partial<Readonly<Record<Field, string>>>;

/**
 * Finds the column of each field by the headings of a file.
 * @throws {CasesError} when a field that is needed has none. The message does not quote the headings: where a file lacks
 * them, its first line is a case
 */
export function placesOf(headings: readonly string[], columns: Columns): Partial<Record<Field, number>> {
  const keys = headings.map((heading) => heading.trim().toLowerCase());
  const places = Object.fromEntries(
    fieldNames.flatMap((field) => {
      const given = columns[field];
      const names: readonly string[] = given === undefined ? fields[field] : [given.toLowerCase()];
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
    `Reading the cases: among the ${headings.length} ${headings.length === 1 ? 'heading' : 'headings'} of the first line, ${seen}. Headings are found by names such as case, panel, version and date: rename them in the file. The commands impact and worklist list also take other names, with --columns case=…,panel=…,version=…,date=….`,
  );
