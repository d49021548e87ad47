import type { Question } from './question.ts';

type Questions = Readonly<Record<string, () => Promise<{ readonly question: Question }>>>;

/** Every question with a view, by its name, which is its command and its address. Each is loaded when it is asked. */
export const questions: Questions = {
  report: () => import('./report.ts'),
  state: () => import('./state.ts'),
  compare: () => import('./compare.ts'),
};

/** Every question that programs ask; the page has views of its own for those that are not above. */
export const programQuestions: Questions = {
  history: () => import('./history.ts'),
  ...questions,
  worklist: () => import('./worklist.ts'),
};

/** Every question that is a command; cases are on the machine of the command alone. */
export const allQuestions: Questions = { ...programQuestions, impact: () => import('./impact.ts') };
