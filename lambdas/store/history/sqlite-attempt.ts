import type { StateFile } from '../sqlite-file.ts';
import { sqliteProblem } from '../sqlite-problem.ts';
import { HistoryError } from './history.ts';

type Attempt = <Value>(action: 'Reading' | 'Writing', work: () => Value) => Value;

/** What fails in a state file becomes an error of the history, which says what to do. */
export function attemptOn({ path }: Pick<StateFile, 'path'>): Attempt {
  return (action, work) => {
    try {
      return work();
    } catch (cause) {
      const { seen, remedy } = sqliteProblem(cause);
      throw new HistoryError(`${action} the history in ${path}: ${seen}. ${remedy}`, { cause });
    }
  };
}
