import { factsOf } from '../classifier/correlation/chunk-states.ts';
import { versionNumbers } from '../events/order.ts';
import { noRequests, superPanelsOf } from '../panels/listing-of.ts';
import { type Instant, instantOf, minutes, parseInstant } from '../run/instant.ts';
import type { DatedVersion, Listing, ListedPanel as StoredPanel } from '../store/listing.ts';
import { type KnownPanel, type ListedPanel, listedIn, type Snapshot } from './listed.ts';

/** The facts that events carry of each listed panel, as the poller reads them. */
export function factsOfSnapshot(snapshot: Snapshot): Listing {
  const { listedAt } = snapshot;
  const listed = listedIn(snapshot);
  const types = listed.flatMap(({ panel }) => panel.types);
  const readAt = instantOf(listedAt);
  const holders = superPanelsOf(
    listed.map(({ panel: { id, name, childPanels: children } }) => ({ id, name, children })),
  );
  const kept = ({ panel }: KnownPanel): StoredPanel => ({
    name: panel.name,
    facts: factsOf(
      {
        types: panel.types,
        disease_group: panel.diseaseGroup,
        disease_sub_group: panel.diseaseSubGroup,
        relevant_disorders: panel.relevantDisorders,
      },
      holders(panel.id),
    ),
    versions: [{ version: panel.version, at: parseInstant(panel.versionCreated) ?? readAt }],
  });
  return {
    panels: new Map(listed.map((known) => [known.panel.id, kept(known)])),
    typeSlugs: new Map(types.map(({ name, slug }) => [name, slug])),
    readAt,
    listedAt,
    requests: noRequests,
  };
}

/** A major or minor number that rises by more between two listings is no next version of a panel. */
const MOST_STEPS = { major: 10, minor: 1000 } as const;

/** One in so many panels may have another name at most; else the listing is of another catalogue, or has other ids. */
const ONE_RENAMED_IN = 5;

/** The clocks of the catalogue and of the notifier may differ by so much. */
const A_MINUTE: Instant = minutes(1);

interface Shown {
  readonly panels: readonly ListedPanel[];
  /** When the listings were read, in milliseconds since the epoch. */
  readonly listedAt: number;
}

/**
 * What a listing that is not trusted shows nevertheless: the next versions of panels that are known by id and name. The panels
 * themselves say whether they have these: nothing is concluded from the listing, nor of a panel that it lacks. Null where it shows none.
 *
 * @param known the panels as the proofs know them
 * @param before the last listing that was trusted, with the panels that vanished
 */
export function withVersionsSeen(
  known: Listing,
  before: Snapshot,
  { panels, listedAt }: Shown,
): Listing | null {
  const nameOf = (id: number): string | undefined =>
    known.panels.get(id)?.name ?? before.panels.get(id)?.panel.name;
  const shown = panels.filter(({ id }) => nameOf(id) !== undefined);
  const renamed = shown.filter(({ id, name }) => name !== nameOf(id));
  if (renamed.length * ONE_RENAMED_IN > shown.length) return null;
  const names = new Map([...before.panels].map(([id, { panel }]) => [panel.name, id]));
  const readAt = instantOf(listedAt);
  const seen = new Map<number, StoredPanel>();
  for (const panel of shown) {
    // Another panel's name belongs to that one.
    if ((names.get(panel.name) ?? panel.id) !== panel.id) continue;
    const own = known.panels.get(panel.id) ?? storedAs(panel.id, before);
    const at = parseInstant(panel.versionCreated);
    const [last] = own?.versions ?? [];
    if (!own || !last || at === null || at > readAt + A_MINUTE) continue;
    const isNext = mayFollow({ version: panel.version, at }, last);
    if (!isNext && known.panels.has(panel.id)) continue;
    const versions = isNext ? [{ version: panel.version, at }, last] : own.versions;
    seen.set(panel.id, { ...own, versions });
  }
  // What is known of the panels is as old as it was, the versions are not.
  return seen.size === 0 ? null : { ...known, listedAt, panels: new Map([...known.panels, ...seen]) };
}

/** A panel that is hidden since it was listed last. */
function storedAs(id: number, { listedAt, panels }: Snapshot): StoredPanel | undefined {
  const own = panels.get(id);
  if (!own) return undefined;
  const { lastListedAt, ...shown } = own;
  return factsOfSnapshot({ listedAt: lastListedAt ?? listedAt, panels: new Map([[id, shown]]) }).panels.get(
    id,
  );
}

/** Whether a panel may have got a version since the one before: one to which it is set back begins later, too. */
function mayFollow(next: DatedVersion, before: DatedVersion): boolean {
  const [to, from] = [versionNumbers(next.version), versionNumbers(before.version)];
  if (!to || !from || next.at <= before.at) return false;
  return to[0] - from[0] <= MOST_STEPS.major && to[1] - from[1] <= MOST_STEPS.minor;
}
