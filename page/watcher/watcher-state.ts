import { loadArchiveRecord, refusedStates } from '../../lambdas/panels/archive-record.ts';
import type { KeptOfCatalogue } from '../../lambdas/panels/kept-in-file.ts';
import type { PanelStateStore } from '../../lambdas/panels/panel-state-store.ts';
import type { PollReport } from '../../lambdas/poll/report.ts';
import type { SweepReport } from '../../lambdas/reconcile/sweep-report.ts';
import { loadSweep } from '../../lambdas/reconcile/sweep-state.ts';
import type { Instant } from '../../lambdas/run/instant.ts';
import type { Coverage, History } from '../../lambdas/store/history/history.ts';
import type { ShapeCount } from '../../lambdas/store/store.ts';

/** A poll or a sweep that ended, and how. */
export type Run = {
  /** When it ended, in milliseconds since the epoch. */
  readonly at: number;
  readonly milliseconds: number;
  readonly requests: number;
} & (
  | { readonly kind: 'poll'; readonly report: PollReport }
  | { readonly kind: 'sweep'; readonly report: SweepReport }
  | { readonly kind: 'failed poll' | 'failed sweep'; readonly message: string }
);

/** What the watcher of this process did lately. It is kept in memory only. */
export interface WatchRecord {
  /** When the watcher started, in milliseconds since the epoch. */
  readonly startedAt: number;
  /** Seconds from poll to poll. */
  readonly every: number;
  /** Newest first. */
  runs(): readonly Run[];
  /** Requests to the catalogue since the start. */
  readonly requests: number;
}

interface StoredListing {
  /** In milliseconds since the epoch. */
  readonly at: number;
  readonly panels: number;
  readonly regions: number;
}

/** How far one catalogue was read. */
export interface CatalogueState {
  readonly name: string;
  /** Its address; null where unknown. */
  readonly source: string | null;
  /** Null where no poll began. */
  readonly mark: Instant | null;
  /** Rows in the log when it was last counted. */
  readonly count: number | null;
  /** Polls in a row that held rows back for a paired row. */
  readonly waits: number;
  /** Whether a recorded chunk is not published yet. */
  readonly pending: boolean;
  /** Whether a search for rows that showed up before the overlap goes on with the next polls. */
  readonly searching: boolean;
  /** What the last sweep stored to compare with; null before the first one. */
  readonly listing: StoredListing | null;
  /** No request before this time, in milliseconds since the epoch. */
  readonly notBefore: number | null;
  /** What was found where the state is older than it was. */
  readonly rollback: string | null;
  /** Wordings that no template matches; the newest first. */
  readonly shapes: readonly ShapeCount[];
  readonly covered: readonly Coverage[];
  /** Since when a catalogue that served states of panels serves something else; null where it serves them. */
  readonly refused: ReturnType<typeof refusedStates>;
}

type Kept = Pick<KeptOfCatalogue, 'catalogue' | 'state' | 'documents'>;

/**
 * The state of catalogues, by name.
 * @throws {StateError | HistoryError} when it cannot be read
 */
export async function readWatcherState(
  kept: readonly Kept[],
  history: Pick<History, 'coverage'>,
  now: number,
): Promise<readonly CatalogueState[]> {
  const coverage = await history.coverage();
  return Promise.all(
    kept
      .toSorted((one, other) => (one.catalogue < other.catalogue ? -1 : 1))
      .map(async ({ catalogue: name, state, documents }) => {
        const stored = await state.load(0n);
        const shapes = await state.shapes();
        return {
          name,
          source: stored?.position.source ?? null,
          mark: stored?.position.mark ?? null,
          count: stored?.position.count ?? null,
          waits: stored?.position.waits ?? 0,
          pending: stored?.pending != null,
          searching: stored?.position.search != null,
          listing: await listingOf(documents),
          notBefore: stored?.position.notBefore ?? null,
          rollback: stored?.rollback?.found ?? null,
          shapes: shapes.toSorted((one, other) => Number(other.lastAt - one.lastAt)),
          covered: coverage.filter(({ catalogue }) => catalogue === name),
          refused: refusedStates(await loadArchiveRecord(documents), now),
        };
      }),
  );
}

async function listingOf(documents: Parameters<typeof loadSweep>[0]): Promise<StoredListing | null> {
  const sweep = await loadSweep(documents);
  if (!sweep) return null;
  const panels = [...sweep.snapshot.panels.values()];
  const regions = panels.reduce((sum, panel) => sum + panel.regions.length, 0);
  return { at: sweep.snapshot.listedAt, panels: panels.length, regions };
}

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
  readonly catalogues: readonly string[];
  /** What its tables keep of each catalogue. */
  readonly kept: readonly Kept[];
  /** What the panels of a catalogue held, at each version. */
  states(catalogue: string): PanelStateStore;
  copied(): CopyState;
  /** Events of this time or later that the copy takes in are new; older ones may only be copied later. */
  newSince(): Instant;
}
