import type { Documents } from '../../lambdas/store/documents.ts';
import type { History } from '../../lambdas/store/history/history.ts';
import type { MovableStore } from '../../lambdas/store/store.ts';

/** The marks of several catalogues, of one machine or of a deployed stage. */
export interface MarkedState {
  /** What a person calls it: `the state in .gene-panel-notifier`. */
  readonly place: string;
  /** Names of the catalogues, in order. */
  readonly catalogues: readonly string[];
  store(catalogue: string): MovableStore;
  documents(catalogue: string): Documents;
  /** Undefined where only the table of marks was named. */
  readonly history: History | undefined;
  /** The options with which `replay` reads that history. */
  readonly replayOptions: string;
  close(): void;
}
