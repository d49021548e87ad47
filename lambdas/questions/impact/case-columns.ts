/** The fields of a case, and the headings that are taken for them where none is given; the first that a file has counts. */
const fields = {
  case: [
    'case',
    'case id',
    'caseid',
    'case number',
    'referral',
    'referral id',
    'referral number',
    'request id',
    'request number',
    'lab number',
    'lab no',
    'lab id',
    'laboratory number',
    'accession number',
    'accession',
    'episode number',
    'episode',
    'specimen number',
    'specimen id',
    'specimen',
    'sample',
    'sample id',
    'sample number',
  ],
  panel: [
    'panel',
    'panel id',
    'panelid',
    'panel name',
    'panelname',
    'panel code',
    'gene panel',
    'r code',
    'r number',
    'test directory code',
    'clinical indication code',
    'clinical indication',
    'test code',
    'test',
    'test name',
  ],
  version: ['version', 'panel version', 'panelversion', 'gene panel version', 'panelapp version'],
  date: [
    'date',
    'analysed',
    'analysed on',
    'date analysed',
    'analysis date',
    'date of analysis',
    'reported',
    'reported on',
    'date reported',
    'report date',
    'date of report',
    'authorised',
    'authorised on',
    'date authorised',
    'authorisation date',
    'issued',
    'date issued',
    'tested',
    'date tested',
    'test date',
  ],
} as const;
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
      const names: readonly string[] = given === undefined ? fields[field] : [headingKey(given)];
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
