import type { VersionSummary } from '../panels/version-state.ts';
import type { Listing } from '../store/listing.ts';

interface Panels {
  /** The panels as they were listed last; null where they never were. */
  readonly listing: Listing | null;
  /** The newest version of each panel that was read. */
  readonly kept: ReadonlyMap<number, VersionSummary>;
  /** Panels to read first. */
  readonly first: ReadonlySet<number>;
  /** Panels of which a version is asked for again. */
  readonly due: ReadonlySet<number>;
}

/**
 * Ids of the panels with something to read or to prove: new versions before the baseline, subscribed panels before
 * others, and super panels last, because the states of their panels explain theirs. Of the panels that were never read,
 * the one whose version is newest comes first: its rows came last, and more may follow.
 */
export function readingOrder({ listing, kept, first, due }: Panels): readonly number[] {
  // A panel that is not listed any more may have got versions before: the archive may still serve them.
  const hidden = listing ? [...kept.keys()].filter((id) => !listing.panels.has(id)) : [];
  const listed = [...(listing?.panels ?? [])].flatMap(([id, { versions }]) => {
    const own = kept.get(id);
    const [listedLast] = versions;
    const isDone =
      own !== undefined &&
      own.version === listedLast?.version &&
      own.validFrom >= listedLast.at &&
      own.proof.kind !== 'unproven';
    const newest = own === undefined ? (versions[0]?.at ?? 0n) : 0n;
    return isDone && !due.has(id) ? [] : [{ id, own, newest, isSuper: (own?.childPanels.length ?? 0) > 0 }];
  });
  const rank = ({ id, own, isSuper }: (typeof listed)[number]): number =>
    (isSuper ? 4 : 0) + (own ? 0 : 2) + (first.has(id) ? 0 : 1);
  const inOrder = listed.sort(
    (one, other) => rank(one) - rank(other) || Number(other.newest - one.newest) || one.id - other.id,
  );
  return [...inOrder.map(({ id }) => id), ...hidden];
}
