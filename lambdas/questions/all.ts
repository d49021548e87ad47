import type { Question } from './question.ts';

type Questions = Readonly<Record<string, () => Promise<{ readonly question: Question }>>>;

/** Every question with a view, by its name, which is its command and its address. Each is loaded when it is asked. */
export const questions: Questions = {
  report: () => import('./report.ts'),
  state: () => import('./state.ts'),
  compare: () => import('./compare.ts'),
};

/** Every question that is a command; the page has a form of its own for those without a view. */
export const commandQuestions: Questions = {
  history: () => import('./history.ts'),
  ...questions,
};

/** Those that programs ask, by their addresses. */
export const programQuestions: Questions = {
  ...commandQuestions,
  worklist: () => import('./worklist-entries.ts'),
};
