import * as z from 'zod';
import { ratingSchema } from '../events/changes.ts';
import { entityTypes } from '../events/schemas.ts';
import { formatInstant } from '../run/instant.ts';
import type { StateEntity } from './state-entity.ts';

export type { StateEntity } from './state-entity.ts';

/**
 * What a panel held at one version. Times are instants as text (microseconds since 1970), as the store keeps them.
 */

const text = z.string().nullable();
const texts = z.array(z.string());
const instant = z.lazy(() => z.string().regex(/^\d+$/).transform(BigInt));

export const proofSchema = z.lazy(() =>
  z.discriminatedUnion('kind', [
    /** The state before and the events between lead to this state. */
    z.object({ kind: z.literal('proven') }),
    /**
     * The first state of a panel that was read: nothing is known of the time before. With `after`, the panel began anew with it, because its
     * numbers went back since that version.
     */
    z.object({ kind: z.literal('baseline'), after: z.string().optional() }),
    /**
     * Some differences had no event, and were published with `via: snapshot`: so many events. So many others stated something else of
     * before than the states show, and were corrected.
     */
    z.object({ kind: z.literal('explained'), events: z.int(), corrected: z.int().optional() }),
    /** It has not been compared yet, or could not be; `why` is a clause for people. */
    z.object({
      kind: z.literal('unproven'),
      why: z.string(),
      /** It was asked for out of order, such as for the ratings before a row: the versions before it may be unread. */
      ahead: z.literal(true).optional(),
      /** It is from before the panel was followed, and was read for its sign-off: no proof of it is due. */
      alone: z.literal(true).optional(),
      /** Nothing can prove it any more. */
      lost: z.literal(true).optional(),
      /** The panel begins anew with it: its numbers went back since this version. */
      after: z.string().optional(),
    }),
  ]),
);
/** Whether the log and the events explain a state. */
export type Proof = z.infer<typeof proofSchema>;

/** The proof of a state that was read and not compared yet. */
export const notCompared = { kind: 'unproven', why: 'it has not been compared yet' } as const satisfies Proof;

export const summarySchema = z.lazy(() =>
  z.object({
    panelId: z.int(),
    panelName: z.string(),
    hashId: text,
    status: text,
    /** Slugs of the panel types. */
    types: texts,
    relevantDisorders: texts,
    /** Ids of the panels of a super panel; empty for other panels. */
    childPanels: z.array(z.int()),
    version: z.string(),
    /** The types of which every entity is known: an archive of years ago serves genes alone. */
    whole: z.array(z.enum(entityTypes)),
    /** When the panel got the version. */
    validFrom: instant,
    /** When the panel got the next version; null while it has this one, or where that is unknown. */
    validTo: instant.nullable(),
    /** `archive`: as the version was at its end. `present`: as the panel was when it was read. */
    source: z.enum(['archive', 'present']),
    /** When the content was read; first, where the panel as it was and the archive of the version are the same. */
    readAt: instant,
    /** Of the entities in canonical form, in hexadecimal digits: equal for equal content in any order. */
    sha256: z.string(),
    /** Green, amber, red and unrated entities together. */
    entityCount: z.int(),
    greenCount: z.int(),
    proof: proofSchema,
  }),
);
/** A version of a panel whose state is kept, without the entities. */
export type VersionSummary = z.infer<typeof summarySchema>;

/** What a panel held at one version. */
export interface VersionState extends VersionSummary {
  readonly entities: readonly StateEntity[];
}

export const holdingSchema = z.lazy(() =>
  z.object({
    panelId: z.int(),
    type: z.enum(entityTypes),
    name: z.string(),
    hgncId: text,
    rating: ratingSchema.nullable(),
  }),
);
/**
 * An entity on a panel, as the newest state of the panel shows it. Without the version and the name of the panel, so that a
 * new version rewrites what it changed alone.
 */
export type Holding = z.infer<typeof holdingSchema>;

/** A version of a panel that the catalogue lists as signed off. */
export const signOffSchema = z.lazy(() =>
  z.object({
    panelId: z.int(),
    panelName: z.string(),
    version: z.string(),
    /** The day of the sign-off, such as `2026-03-01`. */
    date: z.string(),
    /** When it was listed first. */
    listedAt: instant,
    /** When it was found to be no longer listed; null while it is. */
    removedAt: instant.nullable(),
  }),
);
export type SignOff = z.infer<typeof signOffSchema>;

/** What the differences of a version were found against: the same difference of it has one id, from a proof or a poll. */
export const foundAgainst = ({ version, validFrom }: VersionSummary): string =>
  `${version} ${formatInstant(validFrom)}`;
