import { type Columns, fieldNames } from '../../lambdas/impact/case-columns.ts';
import type { Counted } from '../../lambdas/impact/impact-states.ts';
import { type CaseInput, formatOf } from '../../lambdas/impact/read-cases.ts';

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

/** What a form about cases asks. */
export interface ImpactQuestion {
  readonly file: Blob;
  readonly format: CaseInput['format'];
  readonly columns: Columns;
  readonly counts: Counted;
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
  return { file, format: formatOf(file.name), columns, counts, as, catalogue };
}

const isKeyOf = <Key extends string>(choices: Readonly<Record<Key, string>>, value: unknown): value is Key =>
  typeof value === 'string' && Object.hasOwn(choices, value);
