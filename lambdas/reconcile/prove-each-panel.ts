import { CatalogueError } from '../catalogue/http/address.ts';
import type { VersionSummary } from '../panels/version-state.ts';
import type { Listing } from '../store/listing.ts';
import { StateError } from '../store/state-error.ts';
import type { ProofBook } from './proof-book.ts';
import type { ProofOptions } from './proof-options.ts';

interface Panels {
  readonly order: readonly number[];
  readonly prove: (panelId: number) => Promise<void>;
  readonly listing: Listing | null;
  /** The newest version of each panel that was kept before the run. */
  readonly kept: ReadonlyMap<number, VersionSummary>;
  readonly book: Pick<ProofBook, 'remain'>;
  readonly archive: Pick<ProofOptions['archive'], 'requests'>;
  readonly log: ProofOptions['log'];
  /** Called after each panel, with how many are left. */
  readonly onRead: (panelId: number, panelsLeft: number) => void;
}

/** So many panels that fail one after the other show that the catalogue is out of order. */
const MOST_FAILING = 3;

/** Whether an error may be of one panel alone. */
const isOfPanel = (error: unknown): error is CatalogueError | StateError =>
  error instanceof CatalogueError
    ? error.condition !== 'DEADLINE'
    : error instanceof StateError && error.code === 'STATE_CORRUPT';

/**
 * Proves panels one after the other. One that cannot be read ends nothing: its version is named as unproven, with the error,
 * and the next run tries it again.
 * @throws {CatalogueError | StateError} where every panel that is asked for fails, or three in a row
 */
export async function proveEachPanel({
  order,
  prove,
  listing,
  kept,
  book,
  archive,
  log,
  onRead,
}: Panels): Promise<void> {
  let failing: readonly unknown[] = [];
  let isServed = false;
  const name = async (panelId: number, why: string): Promise<void> => {
    const listed = listing?.panels.get(panelId);
    const version = listed?.versions[0]?.version;
    const own = kept.get(panelId);
    const isProven = own?.version === version && own?.proof.kind !== 'unproven';
    if (version !== undefined && !isProven) {
      await book.remain({ panelId, panelName: listed?.name ?? '', version }, why);
    }
  };
  for (const [index, panelId] of order.entries()) {
    const { requests } = archive;
    try {
      await prove(panelId);
      // A panel that waits for its rows asks for nothing.
      if (archive.requests > requests) {
        failing = [];
        isServed = true;
      }
    } catch (error) {
      failing = [...failing, error];
      if (!isOfPanel(error) || failing.length === MOST_FAILING) throw error;
      log.warn('A panel could not be proven; the next run tries again', { panelId, reason: error.message });
      await name(panelId, `reading it failed: ${error.message}`);
    }
    onRead(panelId, order.length - index - 1);
  }
  const [error] = failing;
  if (!isServed && error !== undefined) throw error;
}
