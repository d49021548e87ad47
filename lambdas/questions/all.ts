import type { Question } from './question.ts';

/** Every question by its name, which is its command and its address. Each is loaded when it is asked. */
export const questions: Readonly<Record<string, () => Promise<{ readonly question: Question }>>> = {
  report: () => import('./report.ts'),
  state: () => import('./state.ts'),
  compare: () => import('./compare.ts'),
};

/** Those that programs ask, by their addresses: `events` and `worklist` are for people in other forms. */
export const programQuestions: typeof questions = {
  events: () => import('./events.ts'),
  ...questions,
  worklist: () => import('./worklist-entries.ts'),
};
