import { loadSweep } from '../../lambdas/reconcile/sweep-state.ts';
import { readName } from '../arguments.ts';
import { type Io, UsageError } from '../command.ts';
import { LocalStateError } from '../local/state-error.ts';
import { type MarkPlace, openMarks } from '../mark/open-marks.ts';
import { type Comparison, compareCatalogues, type StoredListing } from './compare-catalogues.ts';

/**
 * Compares the stored listings of the two catalogues that `--compare` names.
 * @throws {UsageError} when it does not name two catalogues of that state
 * @throws {LocalStateError | StateError} when a listing cannot be read, or was never stored
 */
export async function runComparison(named: string, place: MarkPlace, io: Io): Promise<Comparison> {
  const [one, other, ...more] = named.split(',').map((name) => readName('--compare', name.trim()));
  if (one === undefined || other === undefined || more.length > 0 || one === other) {
    throw new UsageError(`--compare ${JSON.stringify(named)}: expected two catalogues, such as uk,australia`);
  }
  const marks = await openMarks({ ...place, name: one }, io);
  try {
    const listingOf = async (catalogue: string): Promise<StoredListing> => {
      if (place.table === undefined && !marks.catalogues.includes(catalogue)) {
        throw new UsageError(
          `--compare ${catalogue}: ${marks.place} has no such catalogue; it has ${marks.catalogues.join(', ')}`,
        );
      }
      const stored = await loadSweep(marks.documents(catalogue));
      if (stored) return { catalogue, snapshot: stored.snapshot };
      throw new LocalStateError(
        `Comparing "${catalogue}": ${marks.place} has no listing of it, because there was no sweep yet. Run gene-panel-notifier poll --catalogue URL --name ${catalogue}, or wait for the first sweep of watch or of the deployed notifier.`,
      );
    };
    return compareCatalogues(await listingOf(one), await listingOf(other));
  } finally {
    marks.close();
  }
}
