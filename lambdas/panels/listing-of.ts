import type { Catalogue } from '../catalogue/client.ts';
import { ServiceError } from '../catalogue/http/service-error.ts';
import type { Panel } from '../catalogue/schemas.ts';
import { factsOf } from '../classifier/correlation/chunk-states.ts';
import type { PanelFacts } from '../events/schemas.ts';
import { type Clock, HOUR_MS, MINUTE_MS } from '../run/clock.ts';
import { type Instant, instantOf, parseInstant } from '../run/instant.ts';
import type { Log } from '../run/log.ts';
import type { DatedVersion, ListedPanel, Listing, ListingRequests } from '../store/listing.ts';
import { StateError } from '../store/state-error.ts';
import type { StateStore } from '../store/store.ts';

/** No reading yet, and no limit. */
export const noRequests: ListingRequests = { readings: [], absent: [], notBefore: null };

/** The versions of a panel that a listing keeps: the last one, and the one that it followed. */
const VERSIONS = 2;

/** What is kept of a reading of `/panels/`; versions that the listing before held are kept beside the new ones. */
export function listingOf(
  panels: readonly Panel[],
  readAt: Instant,
  before: Pick<Listing, 'panels'> | null,
): Pick<Listing, 'panels' | 'typeSlugs' | 'readAt'> {
  const types = panels.flatMap((panel) => panel.types);
  const holders = superPanelsOf(
    panels.map(({ child_panel_ids: children, ...panel }) => ({ ...panel, children })),
  );
  const listed = (panel: Panel): ListedPanel => ({
    name: panel.name,
    ...(panel.hash_id !== null && { hashId: panel.hash_id }),
    facts: factsOf(panel, holders(panel.id)),
    versions: versionsOf(panel, readAt, before?.panels.get(panel.id)),
  });
  return {
    readAt,
    panels: new Map(panels.map((panel) => [panel.id, listed(panel)])),
    typeSlugs: new Map(types.map(({ name, slug }) => [name, slug])),
  };
}

function versionsOf(
  { version, version_created: created }: Panel,
  readAt: Instant,
  before: ListedPanel | undefined,
): readonly DatedVersion[] {
  const older = before?.versions ?? [];
  const at = parseInstant(created);
  const [last] = older;
  // A panel that was set back may have come to the same number again.
  if (last?.version === version && (at === null || at === last.at)) return older;
  return [{ version, at: at ?? readAt }, ...older].slice(0, VERSIONS);
}

type SuperPanels = PanelFacts['superPanels'];

interface MayHoldPanels {
  readonly id: number;
  readonly name: string;
  /** Absent or null where the catalogue does not list the panels of its super panels. */
  readonly children: readonly number[] | null | undefined;
}

/**
 * Returns the super panels that hold a panel, by that panel's id; undefined where the catalogue does not list the panels
 * of its super panels.
 */
export function superPanelsOf(panels: readonly MayHoldPanels[]): (id: number) => SuperPanels {
  if (panels.every(({ children }) => !children)) return () => undefined;
  const holders = new Map<number, { readonly id: number; readonly name: string }[]>();
  for (const { id, name, children } of panels) {
    for (const child of children ?? []) holders.set(child, [...(holders.get(child) ?? []), { id, name }]);
  }
  return (id) => holders.get(id) ?? [];
}

interface PanelSourceOptions {
  readonly catalogue: Pick<Catalogue, 'listPanels'>;
  readonly store: Pick<StateStore, 'listing' | 'saveListing'>;
  readonly clock: Clock;
  readonly log: Log;
  /** Is called where the panels could not be listed. */
  readonly onFailure?: () => void;
}

/** A listing that is older is read again. */
const FRESH = HOUR_MS;
/** The most readings in an hour, however many panels are missing. */
const READINGS_AN_HOUR = 6;
/** After a failure, or for a panel that the last listing lacked, the panels are not listed again for this long. */
const PAUSE = 10 * MINUTE_MS;

/** The panels as the catalogue lists them. */
export type PanelSource = ReturnType<typeof createPanelSource>;

/**
 * Reads `/panels/` when a listing is needed, and keeps it in the store. The listing is at most an hour old. A panel
 * that it lacks makes it be read again, at most six times an hour. A time that the catalogue names in `Retry-After`
 * is kept over polls. Panels that a listing lacks which was not read to its end, or lacks many, stay as they were: only a sweep
 * concludes that so many vanished.
 */
export function createPanelSource(options: PanelSourceOptions) {
  const { catalogue, store, clock, log, onFailure } = options;
  let kept: Listing | null | undefined;

  const keep = async (listing: Listing): Promise<Listing> => {
    kept = listing;
    try {
      await store.saveListing(listing);
    } catch (error) {
      if (!(error instanceof StateError)) throw error;
      log.warn('The panels could not be stored; the next poll lists them again', { error });
      onFailure?.();
    }
    return listing;
  };

  const read = async (before: Listing | null, wanted: readonly number[]): Promise<Listing> => {
    const now = clock.now();
    const readings = [...recent(before, now), now];
    try {
      const { items, complete, serverTime } = await catalogue.listPanels();
      const listing = listingOf(items, instantOf(serverTime ?? now), before);
      const absent = wanted.filter((id) => !listing.panels.has(id));
      const panels = withLacking(listing.panels, before, complete);
      return await keep({
        ...listing,
        panels,
        listedAt: now,
        requests: { readings, absent, notBefore: null },
      });
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      log.warn('The panels could not be listed; events show the facts that are known', { error });
      onFailure?.();
      const notBefore = error.notBefore ?? now + PAUSE;
      const listing = before ?? neverListed;
      return await keep({ ...listing, requests: { ...listing.requests, readings, notBefore } });
    }
  };

  return {
    /**
     * The listing, recent enough for these panels; null where there is none. It never fails: events can do without
     * it, and the next poll tries again.
     */
    listing: async (wanted: Iterable<number>): Promise<Listing | null> => {
      kept ??= await store.listing();
      const ids = [...new Set(wanted)];
      return mustRead(kept, ids, clock.now()) ? read(kept, ids) : kept;
    },
  };
}

/** So many panels may vanish between two readings of any catalogue: of a small one they are many. */
const LONE_PANELS = 3;
/** One in so many panels may vanish at most. */
const ONE_GONE_IN = 10;

/** The panels of a listing, and those that were known before where it cannot be right that it lacks them. */
function withLacking(
  listed: Listing['panels'],
  before: Listing | null,
  complete: boolean,
): Listing['panels'] {
  const lacking = [...(before?.panels ?? [])].filter(([id]) => !listed.has(id));
  const may = Math.max(LONE_PANELS, (before?.panels.size ?? 0) / ONE_GONE_IN);
  return complete && lacking.length <= may ? listed : new Map([...lacking, ...listed]);
}

/** What is kept where the first reading failed. */
const neverListed: Listing = {
  panels: new Map(),
  typeSlugs: new Map(),
  readAt: 0n,
  listedAt: 0,
  requests: noRequests,
};

function mustRead(kept: Listing | null, wanted: readonly number[], now: number): boolean {
  if (!kept) return true;
  const { absent, notBefore } = kept.requests;
  if (notBefore !== null && now < notBefore) return false;
  if (recent(kept, now).length >= READINGS_AN_HOUR) return false;
  const age = now - kept.listedAt;
  const missing = wanted.filter((id) => !kept.panels.has(id));
  return age >= FRESH || missing.some((id) => age >= PAUSE || !absent.includes(id));
}

function recent(kept: Listing | null, now: number): readonly number[] {
  return (kept?.requests.readings ?? []).filter((at) => now - at < HOUR_MS);
}
