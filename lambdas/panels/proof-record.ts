import * as z from 'zod';
import { type Documents, recordDocument } from '../store/documents.ts';
import { messageSchema } from '../store/packed.ts';
import { proofSchema } from './version-state.ts';

const instant = z.string().regex(/^\d+$/).transform(BigInt);

/** The events of one version, recorded before they are published. */
const pendingSchema = z.lazy(() =>
  z.object({
    messages: z.array(messageSchema),
    panelId: z.int(),
    version: z.string(),
    validFrom: instant,
    /** What is noted of the version once the events are published. */
    proof: proofSchema,
    /** Whether it is among the proven versions already. */
    counted: z.boolean(),
    /** The SHA-256 of its content, where a change of it was published that only states show; else null. */
    unconfirmed: z.string().nullable(),
  }),
);
/** Recorded by a run that may not have published it. */
export type PendingProof = z.infer<typeof pendingSchema>;

const unprovenSchema = z.lazy(() =>
  z.object({
    panelId: z.int(),
    panelName: z.string(),
    version: z.string(),
    /** Since when it is known, in milliseconds since the epoch. */
    since: z.number(),
    /** A clause for people. */
    why: z.string(),
    /** Not tried again before, in milliseconds since the epoch. */
    retryAt: z.number(),
  }),
);
/** A version that nothing proves yet. */
export type UnprovenVersion = z.infer<typeof unprovenSchema>;

/** Why a version is unproven, where that also says when it is tried again: clauses for people. */
export const whyUnproven = {
  /** It is known from the numbers of others, or from a listing. */
  unread: 'it has not been read yet',
  notShown: 'the catalogue lists the panel and does not show it',
  /** Rows from before the log was followed may explain it. */
  rowsUnserved: 'it is older than what was read of the log, and the rows of its panel are not served',
} as const;

/** A state that differs so much that it waits for a second reading: when it was read first and last, in milliseconds since the epoch. */
const doubtSchema = z.lazy(() =>
  z.object({
    panelId: z.int(),
    version: z.string(),
    sha256: z.string(),
    readAt: z.number(),
    readLastAt: z.number(),
  }),
);

const unconfirmedSchema = z.lazy(() =>
  z.object({
    panelId: z.int(),
    version: z.string(),
    validFrom: instant,
    /** The SHA-256 of the content of which it was published: a run that died may have kept another one. */
    sha256: z.string(),
    /** When it was published, or read first where nothing was; and when it was read or doubted last, in milliseconds since the epoch. */
    publishedAt: z.number(),
    readAt: z.number(),
    /** The other content that the last reading showed; null where it showed the same. */
    otherwise: z.string().nullable(),
    /** Whether readings contradict it, so that the version is to be compared again. */
    isRefuted: z.boolean(),
  }),
);
/**
 * A version whose state is read again later: a change without a row was published of it, it follows the first one of its panel, or it
 * comes before such a change and was read while the catalogue lied.
 */
export type UnconfirmedVersion = z.infer<typeof unconfirmedSchema>;

const hiddenSchema = z.lazy(() =>
  z.object({
    panelId: z.int(),
    /** When something showed the panel last, as it was known then. */
    shownAt: instant,
    /** Read again then, because the catalogue did not serve even what it had; 0 for never. Milliseconds since the epoch. */
    retryAt: z.number(),
  }),
);
/** A panel that is not listed any more, and whose last versions were read. */
export type HiddenPanel = z.infer<typeof hiddenSchema>;

const recordSchema = z.lazy(() =>
  z.object({
    pending: pendingSchema.nullable(),
    unproven: z.array(unprovenSchema),
    /** The last versions that nothing can prove any more. */
    lost: z.array(unprovenSchema),
    doubts: z.array(doubtSchema),
    unconfirmed: z.array(unconfirmedSchema),
    /** When the first state was read, in milliseconds since the epoch; null before. */
    since: z.number().nullable(),
    /** Versions that were proven, or explained by their snapshot. */
    proven: z.int(),
    /** The panels that were compared within a day, and when last, in milliseconds since the epoch. */
    compared: z.array(z.object({ panelId: z.int(), at: z.number(), differs: z.boolean() })),
    /** When so many panels differed last that none was trusted, in milliseconds since the epoch; 0 for never. */
    manyDifferedAt: z.number(),
    /** When states were read that later readings denied, in milliseconds since the epoch: those of the last days. */
    deniedReadings: z.array(z.number()),
    /**
     * Up to where the poller's publications were read, as a version of its position, and when, in milliseconds since the
     * epoch. Those up to `before` were made before the time of `last`.
     */
    publications: z.object({ before: z.int(), last: z.object({ version: z.int(), at: z.number() }) }),
    /** Panels that were listed before, and whose last versions were read since. */
    hiddenPanels: z.array(hiddenSchema),
    /** Panels that the listing of a time shows in an older version than they had when they were asked for since. */
    listedBefore: z.object({ listedAt: z.number(), panels: z.array(z.int()) }),
    /** Panels whose own rows the catalogue did not serve within a day, and when it was asked, in milliseconds since the epoch. */
    rowsUnserved: z.array(z.object({ panelId: z.int(), at: z.number() })),
  }),
);

/** What is kept of proofs of one catalogue, with the version of the document. */
export interface ProofRecord extends z.infer<typeof recordSchema> {
  readonly version: number;
}

const NAME = 'proofs';
const nothingProven: Omit<ProofRecord, 'version'> = {
  pending: null,
  unproven: [],
  lost: [],
  doubts: [],
  unconfirmed: [],
  since: null,
  proven: 0,
  compared: [],
  manyDifferedAt: 0,
  deniedReadings: [],
  publications: { before: 0, last: { version: 0, at: 0 } },
  hiddenPanels: [],
  listedBefore: { listedAt: 0, panels: [] },
  rowsUnserved: [],
};

const document = recordDocument('the proofs of panel versions', recordSchema);

/** @throws {StateError} `STATE_CORRUPT` where it is damaged, or as the documents do */
export const loadProofs = async (documents: Pick<Documents, 'load'>): Promise<ProofRecord> =>
  (await document.load(documents, NAME)) ?? { version: 0, ...nothingProven };

/** Replaces what is kept; returns it with its new version. */
export const saveProofs = (documents: Documents, record: ProofRecord): Promise<ProofRecord> =>
  document.save(documents, NAME, record);

/** The share of versions that are proven or explained, in percent; null where no version is known yet. */
export function provenPercent({ proven, unproven }: Pick<ProofRecord, 'proven' | 'unproven'>): number | null {
  const versions = proven + unproven.length;
  return versions === 0 ? null : (100 * proven) / versions;
}
