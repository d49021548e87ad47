import type { Catalogue } from '../../lambdas/catalogue/client.ts';
import { isLoopback } from '../../lambdas/catalogue/http/loopback.ts';
import { type Archive, createArchive } from '../../lambdas/panels/archive.ts';
import type { PanelStateStore } from '../../lambdas/panels/panel-state-store.ts';
import { createRatingsBefore, type RatingsBefore } from '../../lambdas/panels/ratings-before.ts';
import { type ArchivePace, defaultArchivePace, ownArchivePace } from '../../lambdas/panels/settings.ts';
import { createSqlitePanelStates } from '../../lambdas/panels/sqlite-panel-states.ts';
import type { Clock } from '../../lambdas/run/clock.ts';
import type { Log } from '../../lambdas/run/log.ts';
import type { Documents } from '../../lambdas/store/documents.ts';
import type { StateFile } from '../../lambdas/store/sqlite-file.ts';

interface LocalStatesOptions {
  readonly file: StateFile;
  readonly name: string;
  readonly catalogue: Catalogue;
  readonly documents: Documents;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
  /** How often the catalogue is asked; where absent the default, and without a pause on this machine. */
  readonly pace: ArchivePace | undefined;
  /** Days for which a state that is not the newest of its panel is kept after it ended; without end where absent. */
  readonly keepDays: number | undefined;
}

/** The states of panels of one catalogue on this machine. */
export interface LocalStates {
  readonly store: PanelStateStore;
  /** @param deadline milliseconds since the epoch after which nothing is asked */
  archive(deadline?: number): Archive;
  /** The ratings before rows, for one poll. */
  ratingsBefore(): RatingsBefore;
}

/** Opens the states of panels in the state file. */
export function openLocalStates(options: LocalStatesOptions): LocalStates {
  const { file, name, catalogue, documents, clock, log, signal } = options;
  const isOwn = isLoopback(new URL(catalogue.url).hostname);
  const pace = options.pace ?? (isOwn ? ownArchivePace : defaultArchivePace);
  const store = createSqlitePanelStates({
    file,
    catalogue: name,
    now: clock.now,
    ...(options.keepDays !== undefined && { retentionDays: options.keepDays }),
  });
  const archive = (deadline?: number): Archive =>
    createArchive({ catalogue, documents, clock, log, pace, signal, deadline });
  return {
    store,
    archive,
    ratingsBefore: () => createRatingsBefore({ states: store, archive: archive(), log }),
  };
}
