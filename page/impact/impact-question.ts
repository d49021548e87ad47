import { fieldNames } from '../../lambdas/questions/impact/case-columns.ts';
import { dateFormat } from '../../lambdas/questions/impact/case-of.ts';
import type { Counted } from '../../lambdas/questions/impact/impact-states.ts';
import { type CaseForm, type CaseInput, formatOf } from '../../lambdas/questions/impact/read-cases.ts';

/** The address of the form for cases, and of its answer. */
export const IMPACT_PATH = '/impact';

/** The most bytes of a file of cases with its form: it is held in memory while it is answered. */
export const LARGEST_UPLOAD = 16_000_000;

/** The most lines of a file of cases. The command `impact` takes millions. */
export const MOST_LINES = 200_000;

/** How an answer can be shown, with its words. */
export const answerForms = {
  change: 'on this page, by change',
  case: 'on this page, by case',
  'change.csv': 'as CSV, a line for each change',
  'case.csv': 'as CSV, a line for each change of each case',
} as const;
type AnswerForm = keyof typeof answerForms;

/** Which versions can count now, with their words. */
export const countChoices: Readonly<Record<Counted, string>> = {
  working: 'the newest version of each panel',
  'signed-off': 'the signed-off version',
};

/** How days may be written, with their words. */
export const dateChoices = {
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
} as const;

/** What a form about cases asks. */
export interface ImpactQuestion {
  readonly file: Blob;
  readonly format: CaseInput['format'];
  readonly form: CaseForm;
  readonly counts: Counted;
  /** Whether changes of the mode of inheritance are among the answer. */
  readonly inheritance: boolean;
  readonly as: AnswerForm;
  /** Empty where the form has no choice. */
  readonly catalogue: string;
}

/** Reads the form; null where it has no file, or a choice that it does not offer. */
export function readImpactQuestion(form: Readonly<Record<string, unknown>>): ImpactQuestion | null {
  const { cases: file, counts, as, catalogue = '' } = form;
  if (!(file instanceof File) || file.size === 0 || typeof catalogue !== 'string') return null;
  if (!isKeyOf(countChoices, counts) || !isKeyOf(answerForms, as)) return null;
  const columns = Object.fromEntries(
    fieldNames.flatMap((field) => {
      const heading = form[`column-${field}`];
      return typeof heading === 'string' && heading.trim() !== '' ? [[field, heading.trim()]] : [];
    }),
  );
  const dates = readDates(form['date-format']);
  if (dates === null) return null;
  const inheritance = form['without-inheritance'] === undefined;
  return { file, format: formatOf(file.name), form: { columns, dates }, counts, inheritance, as, catalogue };
}

/** Undefined where the pattern is to be found in the file; null for one that is none. */
function readDates(pattern: unknown): CaseForm['dates'] | null {
  if (pattern === undefined || pattern === '') return undefined;
  return typeof pattern === 'string' && Object.hasOwn(dateChoices, pattern) ? dateFormat(pattern) : null;
}

const isKeyOf = <Key extends string>(choices: Readonly<Record<Key, string>>, value: unknown): value is Key =>
  typeof value === 'string' && Object.hasOwn(choices, value);
