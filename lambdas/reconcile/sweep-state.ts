import * as z from 'zod';
import type { Message } from '../publishing/message.ts';
import { type Documents, recordDocument } from '../store/documents.ts';
import { messageSchema } from '../store/packed.ts';
import { type Completeness, completenessSchema } from './completeness.ts';
import { type KnownPanel, knownPanelSchema, type Snapshot, snapshotSchema } from './listed.ts';

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

/** The events of some panels, recorded before they are published. */
export interface SweepChunk {
  readonly messages: readonly Message[];
  /** These panels as the stored listing has them once the messages are published. */
  readonly panels: readonly KnownPanel[];
  /** When the listing was read that shows them, in milliseconds since the epoch. */
  readonly listedAt: number;
  /** What the poller published after this version of its position is newer than the listing. */
  readonly asOf: number;
  /** The version of the position up to which the poller's events were compared. */
  readonly comparedTo: number;
}

/** The listing that the next one is compared with. */
export interface StoredSweep {
  readonly version: number;
  readonly snapshot: Snapshot;
  /** Up to which version of the poller's position events are contained in it. */
  readonly readTo: number;
  /** Recorded by a run that may not have published it. */
  readonly pending: SweepChunk | null;
  /** Panels that came back, whose rows are searched: their differences wait until that is done. Absent for none. */
  readonly awaited?: readonly number[] | undefined;
  /** Changes that wait, because many panels have one of their kind; absent for none. */
  readonly held?: readonly HeldChange[] | undefined;
  /** The daily count of versions; absent before the first one. */
  readonly completeness?: Completeness | undefined;
}

const NAME = 'listing';

const documentSchema = z.lazy(() =>
  z.object({
    snapshot: snapshotSchema,
    readTo: z.number(),
    pending: z
      .object({
        messages: z.array(messageSchema),
        panels: z.array(knownPanelSchema),
        listedAt: z.number(),
        asOf: z.number(),
        comparedTo: z.number(),
      })
      .nullable(),
    awaited: z.array(z.number()).optional(),
    held: z.array(heldChangeSchema).optional(),
    completeness: completenessSchema.optional(),
  }),
);

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
