import * as z from 'zod';
import { type Documents, recordDocument } from '../store/documents.ts';
import { messageSchema } from '../store/json-schemas.ts';
import { heldSignOffSchema } from './trusted-list.ts';
import { signOffSchema } from './version-state.ts';

const NAME = 'sign-offs';

const recordSchema = z.lazy(() =>
  z.object({
    /** When the list was read last, in milliseconds since the epoch; 0 where it never was. */
    readAt: z.number(),
    /** When the first reading was kept, while no reading an hour later has confirmed it; null from then on. */
    firstReadAt: z.number().nullable(),
    /** Changes that wait for a second reading. */
    held: z.array(heldSignOffSchema),
    /** Not to be asked before, in milliseconds since the epoch. */
    notBefore: z.number(),
    /** Since when the catalogue has not served the list, in milliseconds since the epoch; null where it did the last time. */
    missingSince: z.number().nullable(),
    /** Events that are recorded and may not be published yet, and what is kept with them. */
    pending: z.object({ messages: z.array(messageSchema), kept: z.array(signOffSchema) }).nullable(),
  }),
);

/** How far the list of signed-off versions was read. */
export interface SignOffRecord extends z.infer<typeof recordSchema> {
  /** Of the stored document. */
  readonly version: number;
}

const blank = { readAt: 0, firstReadAt: null, held: [], notBefore: 0, missingSince: null, pending: null };

const document = recordDocument('the reading of the signed-off versions', recordSchema);

/** @throws {StateError} `STATE_CORRUPT` when what is stored is none, or as the store does */
export const loadSignOffRecord = async (documents: Documents): Promise<SignOffRecord> =>
  (await document.load(documents, NAME)) ?? { ...blank, version: 0 };

/** @throws {StateError} `STATE_CONFLICT` when another run has replaced it, or as the store does */
export const saveSignOffRecord = (documents: Documents, record: SignOffRecord): Promise<SignOffRecord> =>
  document.save(documents, NAME, record);
