import * as z from 'zod';
import { type Documents, recordDocument } from '../store/documents.ts';
import { messageSchema } from '../store/packed.ts';
import { completenessSchema } from './completeness.ts';
import { knownPanelSchema, type Snapshot, snapshotSchema } from './listed.ts';

const heldChangeSchema = z.lazy(() =>
  z.object({
    kind: z.string(),
    panel: z.number(),
    /** Digest of the change. */
    what: z.string(),
    /** When a sweep saw it first, in milliseconds since the epoch. */
    since: z.number(),
  }),
);
/** A change that waits, because many panels have one of its kind. */
export type HeldChange = z.infer<typeof heldChangeSchema>;

const NAME = 'listing';

const chunkSchema = z.lazy(() =>
  z.object({
    messages: z.array(messageSchema),
    /** These panels as the stored listing has them once the messages are published. */
    panels: z.array(knownPanelSchema),
    /** When the listing was read that shows them, in milliseconds since the epoch. */
    listedAt: z.number(),
    /** What the poller published after this version of its position is newer than the listing. */
    asOf: z.number(),
    /** The version of the position up to which the poller's events were compared. */
    comparedTo: z.number(),
  }),
);
/** The events of some panels, recorded before they are published. */
export type SweepChunk = z.infer<typeof chunkSchema>;

const documentSchema = z.lazy(() =>
  z.object({
    snapshot: snapshotSchema,
    /** Up to which version of the poller's position events are contained in it. */
    readTo: z.number(),
    /** Recorded by a run that may not have published it. */
    pending: chunkSchema.nullable(),
    /** Panels that came back, whose rows are searched: their differences wait until that is done. Absent for none. */
    awaited: z.array(z.number()).optional(),
    /** Changes that wait, because many panels have one of their kind; absent for none. */
    held: z.array(heldChangeSchema).optional(),
    /** The daily count of versions; absent before the first one. */
    completeness: completenessSchema.optional(),
  }),
);
/** The listing that the next one is compared with. */
export interface StoredSweep extends Omit<z.infer<typeof documentSchema>, 'snapshot'> {
  readonly version: number;
  readonly snapshot: Snapshot;
}

const document = recordDocument('the stored listing of the panels', documentSchema);

/**
 * The stored listing, or null before the first sweep.
 *
 * @throws {StateError} `STATE_CORRUPT` when what is stored is not a listing, or as the store does
 */
export const loadSweep = (documents: Documents): Promise<StoredSweep | null> =>
  document.load(documents, NAME);

/** Replaces the stored listing; gives it with its new version. */
export async function saveSweep(documents: Documents, stored: StoredSweep): Promise<StoredSweep> {
  const snapshot = { ...stored.snapshot, panels: [...stored.snapshot.panels.values()] };
  const { version } = await document.save(documents, NAME, { ...stored, snapshot });
  return { ...stored, version };
}
