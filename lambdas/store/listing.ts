import * as z from 'zod';
import { panelFactsSchema } from '../events/schemas.ts';
import { instantSchema, listOf, mapOf } from './packed.ts';

const listedPanelSchema = z.lazy(() =>
  z.object({
    name: z.string(),
    /** The id of the panel in the catalogue's own form. */
    hashId: z.string().exactOptional(),
    facts: panelFactsSchema,
    /** Its last versions, newest first, and when the panel got each. */
    versions: listOf(z.object({ version: z.string(), at: instantSchema })),
  }),
);
/** A panel as `/panels/` listed it. */
export type ListedPanel = Readonly<z.infer<typeof listedPanelSchema>>;

/** A version of a panel, and since when it has it. */
export type DatedVersion = Readonly<ListedPanel['versions'][number]>;

export const listingSchema = z.lazy(() =>
  z.object({
    panels: mapOf(z.number(), listedPanelSchema),
    /** The slugs of the panel types by their names: rows name a type, `/panels/` also gives its slug. */
    typeSlugs: mapOf(z.string(), z.string()),
    /** When it was read, by the catalogue's clock. */
    readAt: instantSchema,
    /** When it was read, by the clock of the reader, in milliseconds since the epoch. */
    listedAt: z.number(),
    requests: z.object({
      /** The readings of the last hour. */
      readings: listOf(z.number()),
      /** Panels that were asked for and that the last reading lacked. */
      absent: listOf(z.number()),
      /** No reading before this time; null for no limit. */
      notBefore: z.number().nullable(),
    }),
  }),
);
/** The panels as the catalogue listed them last. */
export type Listing = Readonly<z.infer<typeof listingSchema>>;

/** What limits how often `/panels/` is read. Times are in milliseconds since the epoch. */
export type ListingRequests = Readonly<Listing['requests']>;

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
