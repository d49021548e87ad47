import type { PanelFacts } from '../events/schemas.ts';
import type { Instant } from '../run/instant.ts';

/** A panel as `/panels/` listed it. */
export interface ListedPanel {
  readonly name: string;
  /** The id of the panel in the catalogue's own form. */
  readonly hashId?: string;
  readonly facts: PanelFacts;
  /** Its last versions, newest first. */
  readonly versions: readonly DatedVersion[];
}

/** A version of a panel, and since when it has it. */
export interface DatedVersion {
  readonly version: string;
  /** When the panel got it. */
  readonly at: Instant;
}

/** The panels as the catalogue listed them last. */
export interface Listing {
  /** By panel id. */
  readonly panels: ReadonlyMap<number, ListedPanel>;
  /** The slugs of the panel types by their names: rows name a type, `/panels/` also gives its slug. */
  readonly typeSlugs: ReadonlyMap<string, string>;
  /** When it was read, by the catalogue's clock. */
  readonly readAt: Instant;
  /** When it was read, by the clock of the reader, in milliseconds since the epoch. */
  readonly listedAt: number;
  readonly requests: ListingRequests;
}

/** A listing of panels, and the catalogue that it is of. */
export interface CatalogueListing {
  readonly catalogue: string;
  readonly listing: Listing;
}

/**
 * A listing that seems to be read later is replaced nevertheless, where it was stored so long before: the catalogue's
 * clock was ahead. In milliseconds.
 */
const OLDER_MS = 60 * 60 * 1000;

/** Whether a listing may replace the one that is stored: a run that was overtaken must not replace a newer one. */
export function mayReplace(stored: Listing | null, { readAt, listedAt }: Listing): boolean {
  return !stored || stored.readAt <= readAt || stored.listedAt < listedAt - OLDER_MS;
}

/** What limits how often `/panels/` is read. Times are in milliseconds since the epoch. */
export interface ListingRequests {
  /** The readings of the last hour. */
  readonly readings: readonly number[];
  /** Panels that were asked for and that the last reading lacked. */
  readonly absent: readonly number[];
  /** No reading before this time; null for no limit. */
  readonly notBefore: number | null;
}
