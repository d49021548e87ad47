import type { PanelStateStore } from '../../lambdas/panels/panel-state-store.ts';
import type { Instant } from '../../lambdas/run/instant.ts';
import type { KeptOfCatalogue } from './watcher-state.ts';

/** How the copy of a stage is. */
export interface CopyState {
  /** When the stage was last read without an error, in milliseconds since the epoch. */
  readonly at: number;
  /** Why the reading after that failed, for a person; null where it did not. */
  readonly problem: string | null;
}

/** A deployed stage, whose history and newest panels the page's file holds as a copy. */
export interface DeployedPlace {
  /** Its name in the settings. */
  readonly stage: string;
  /** Configured names of its catalogues. */
  readonly catalogues: readonly string[];
  /** What its tables keep of each catalogue. */
  readonly kept: readonly KeptOfCatalogue[];
  /** What the panels of a catalogue held, at each version. */
  states(catalogue: string): PanelStateStore;
  copied(): CopyState;
  /** Events of this time or later that the copy takes in are new; older ones may only be copied later. */
  newSince(): Instant;
}
