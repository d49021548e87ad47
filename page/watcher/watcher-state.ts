import { loadArchiveRecord, refusedStates } from '../../lambdas/panels/archive-record.ts';
import { loadSweep } from '../../lambdas/reconcile/sweep-state.ts';
import type { Instant } from '../../lambdas/run/instant.ts';
import type { Documents } from '../../lambdas/store/documents.ts';
import { createSqliteDocuments } from '../../lambdas/store/documents-sqlite.ts';
import type { Coverage, History } from '../../lambdas/store/history/history.ts';
import { createSqliteStore } from '../../lambdas/store/sqlite.ts';
import type { StateFile } from '../../lambdas/store/sqlite-file.ts';
import type { ShapeCount, StateStore } from '../../lambdas/store/store.ts';

/** A listing that a sweep stored. */
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

/** What is kept of one catalogue. */
export interface KeptOfCatalogue {
  readonly name: string;
  readonly store: Pick<StateStore, 'load' | 'shapes'>;
  readonly documents: Documents;
}

/** What a state file keeps of each of its catalogues. */
export const keptInFile = (file: StateFile, names: readonly string[]): readonly KeptOfCatalogue[] =>
  names.map((name) => ({
    name,
    store: createSqliteStore(file, name),
    documents: createSqliteDocuments(file, name),
  }));

/**
 * The state of catalogues, by name.
 * @throws {StateError | HistoryError} when it cannot be read
 */
export async function readWatcherState(
  kept: readonly KeptOfCatalogue[],
  history: Pick<History, 'coverage'>,
  now: number,
): Promise<readonly CatalogueState[]> {
  const coverage = await history.coverage();
  return Promise.all(
    kept
      .toSorted((one, other) => (one.name < other.name ? -1 : 1))
      .map(async ({ name, store, documents }) => {
        const stored = await store.load(0n);
        const shapes = await store.shapes();
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
