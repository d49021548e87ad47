import * as z from 'zod';
import { disagreementStandings } from '../events/changes.ts';
import { entityTypes } from '../events/schemas.ts';
import { type Documents, recordDocument } from '../store/documents.ts';
import { messageSchema, toJson } from '../store/packed.ts';

const pairIdSchema = z.lazy(() => z.tuple([z.number(), z.number()]));

const pairRecordSchema = z.lazy(() =>
  z.object({
    /**
     * Entities that are, or once were, green in one panel alone or in both with other modes of inheritance, or of which that is unknown;
     * and of a type of which not everything is shown, every one that is held. Of all others, both panels agree.
     */
    entities: z.array(
      z.object({
        type: z.enum(entityTypes),
        name: z.string(),
        hgncId: z.string().nullable(),
        /** Where it is green, and with what against it; null while no comparison has found that. */
        standing: z.enum(disagreementStandings).nullable(),
        /** The id of the last event about it; null where none was published. */
        event: z.string().nullable(),
      }),
    ),
    /** The types of which both panels showed every entity once. */
    whole: z.array(z.enum(entityTypes)),
  }),
);
/** What was found of two panels that belong together. */
export type PairRecord = z.infer<typeof pairRecordSchema>;
/** An entity of a pair, and where it was green when it was compared last. */
export type StoodEntity = PairRecord['entities'][number];

const recordSchema = z.lazy(() =>
  z.object({
    /** When every pair of panels was to be compared again last, in milliseconds since the epoch. */
    wholeAt: z.number(),
    /** What the pairs of panels follow from, as a hash. */
    signature: z.string(),
    pairs: z.array(
      z.object({
        panels: z.tuple([
          z.object({ id: z.number(), name: z.string() }),
          z.object({ id: z.number(), name: z.string() }),
        ]),
        reasons: z.array(z.string()),
        sure: z.enum(['certain', 'likely', 'perhaps']),
        /** Which states of the two were compared; empty where none were. */
        stamp: z.string(),
        /** Why they cannot be compared, in a sentence; null where they were, or will be soon. */
        why: z.string().nullable(),
      }),
    ),
    /** Panels that are listed and of which no state was read, so that nothing is paired with them. */
    unread: z.array(
      z.object({
        catalogue: z.string(),
        id: z.number(),
        name: z.string(),
        types: z.array(z.string()),
        relevantDisorders: z.array(z.string()),
      }),
    ),
    /** What else was not read, in sentences. */
    notRead: z.array(z.string()),
    /** Events that are recorded and may not be published yet, and what was found of their pair. */
    pending: z
      .object({ pair: pairIdSchema, found: pairRecordSchema, messages: z.array(messageSchema) })
      .nullable(),
  }),
);

/** How far a catalogue was compared with another one. */
export interface DisagreementRecord extends z.infer<typeof recordSchema> {
  /** Of the stored document. */
  readonly version: number;
}

const nameOf = (other: string): string => `disagreements ${other}`;
const pairName = (other: string, [here, there]: readonly [number, number]): string =>
  `${nameOf(other)} ${here} ${there}`;

const blank = { wholeAt: 0, signature: '', pairs: [], unread: [], notRead: [], pending: null };

const document = recordDocument('the comparison of two catalogues', recordSchema);
const pairDocument = recordDocument('the comparison of two panels', pairRecordSchema);

/** @throws {StateError} `STATE_CORRUPT` when what is stored is none, or as the store does */
export const loadDisagreements = async (
  documents: Pick<Documents, 'load'>,
  other: string,
): Promise<DisagreementRecord> => (await document.load(documents, nameOf(other))) ?? { ...blank, version: 0 };

/** @throws {StateError} `STATE_CONFLICT` when another run has replaced it, or as the store does */
export const saveDisagreements = (
  documents: Documents,
  other: string,
  record: DisagreementRecord,
): Promise<DisagreementRecord> => document.save(documents, nameOf(other), record);

/**
 * What was found of a pair of panels; null where it has not been compared yet.
 * @throws {StateError} `STATE_CORRUPT` when what is stored is none, or as the store does
 */
export const loadPair = (
  documents: Documents,
  other: string,
  pair: readonly [number, number],
): Promise<PairRecord | null> => pairDocument.load(documents, pairName(other, pair));

/** @throws {StateError} `STATE_CONFLICT` when another run has replaced it meanwhile, or as the store does */
export async function savePair(
  documents: Documents,
  other: string,
  { pair, found }: { readonly pair: readonly [number, number]; readonly found: PairRecord },
): Promise<void> {
  const name = pairName(other, pair);
  const stored = await documents.load(name);
  const body = toJson(found);
  if (stored?.body !== body) await documents.save(name, stored?.version ?? 0, body);
}
