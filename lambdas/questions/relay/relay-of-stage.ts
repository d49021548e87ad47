import { createPublicKey, type KeyObject } from 'node:crypto';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import type { SecretSource } from '../../catalogue/identity/secret.ts';
import { createDynamoAnswers } from '../../panels/dynamodb-answers.ts';
import { createDynamoPanelStates } from '../../panels/dynamodb-panel-states.ts';
import type { Clock } from '../../run/clock.ts';
import { formatInstant } from '../../run/instant.ts';
import { createStateStore } from '../../store/dynamodb.ts';
import { createDynamoHistory } from '../../store/history/dynamodb.ts';
import { loadRows } from '../../store/history/kept-rows.ts';
import { createDynamoDocuments } from '../../store/items-dynamodb.ts';
import type { Lease } from '../../store/lease.ts';
import type { Objects } from '../../store/objects-s3.ts';
import { PENDING, PUBLIC_KEY, signingKeyIn } from './manifest.ts';
import { panelsNow } from './panels-then.ts';
import { NotRead, type RelaySource } from './relay-source.ts';
import { openTreeInBucket } from './tree-in-bucket.ts';
import { isEndOfMonth, type WrittenCatalogue, writeTree } from './write-tree.ts';

interface StageTables {
  readonly dynamodb: DynamoDBClient;
  readonly stateTable: string;
  readonly historyTable: string;
  readonly runId: string;
  readonly clock: Clock;
}

/** What a stage keeps of a catalogue, without the rows of its log: they are read where something is new. */
type StageSource = Omit<RelaySource, 'rows'>;

/** What the tables of a stage keep of a catalogue. */
export function sourceInStage(
  catalogue: string,
  { dynamodb, stateTable, historyTable, runId, clock }: StageTables,
): StageSource {
  const inState = { dynamodb, table: stateTable, catalogue, runId, clock };
  const inHistory = { dynamodb, table: historyTable, catalogue, clock };
  return {
    catalogue,
    states: createDynamoPanelStates(inHistory),
    answers: createDynamoAnswers(inHistory),
    documents: createDynamoDocuments(inState),
    state: createStateStore(inState),
    history: createDynamoHistory(inHistory),
  };
}

/** The secret of the relay holds no key to sign with. */
class SigningKeyError extends Error {
  override readonly name = 'SigningKeyError';
  readonly code = 'SIGNING_KEY_WRONG';
}

/**
 * The key that signs the trees of a stage.
 * @throws {SigningKeyError} without any part of what the secret holds
 */
export async function readSigningKey({ name, read }: SecretSource): Promise<KeyObject> {
  const key = signingKeyIn(await read());
  if (key) return key;
  throw new SigningKeyError(
    `Reading ${name}: it holds no private Ed25519 key in PEM form. Put one there, as docs/guides/relay.md shows under "On AWS".`,
  );
}

interface WriteOptions {
  readonly sources: readonly StageSource[];
  readonly bucket: Objects;
  /** Of the addresses in the answers: `https://relay.example.org`. */
  readonly origin: string;
  /** Ed25519, private. */
  readonly key: KeyObject;
  /** Whether the ended versions of each panel are files, too. */
  readonly versions: boolean;
  /** Held while it writes. */
  readonly lease: Lease;
  readonly runId: string;
  /** An empty folder. */
  readonly spool: string;
}

/** What was written of a catalogue; `missing` counts the answers that were not read: `relay.json` names them. */
type StageWritten = Omit<WrittenCatalogue, 'missing'> & { readonly missing: number };

/** What a run did. */
export type StageRelayReport =
  | { readonly outcome: 'written'; readonly catalogues: Readonly<Record<string, StageWritten>> }
  /** The bucket shows what is known already. */
  | { readonly outcome: 'unchanged' }
  /** Another run writes. */
  | { readonly outcome: 'busy' }
  /** A panel was not read yet: the tree stays as it is. */
  | { readonly outcome: 'not-read'; readonly why: string };

/**
 * Writes the relay's tree of a stage into a bucket, where the newest list of panels is newer than what the bucket shows. Of past days
 * it has the ends of months: a bucket has no links, and every day would be the whole catalogue once more.
 * @throws {StateError | HistoryError} when a table or the bucket does not answer: the next run goes on
 */
export async function writeRelayOfStage(options: WriteOptions): Promise<StageRelayReport> {
  const { sources, bucket, origin, key, versions, lease, runId, spool } = options;
  if (!(await lease.take())) return { outcome: 'busy' };
  try {
    if (await showsAll(options)) return { outcome: 'unchanged' };
    const withRows = new Map<string, RelaySource>();
    for (const source of sources) {
      const { catalogue, history } = source;
      withRows.set(catalogue, { ...source, rows: await loadRows(history, catalogue) });
    }
    const place = await openTreeInBucket(bucket, { spool, run: runId });
    const tree = { sources: withRows, origin, key, versions, keepsDay: isEndOfMonth };
    const written = [...(await writeTree(place, tree))].map(
      ([catalogue, { missing, ...one }]) => [catalogue, { ...one, missing: missing.length }] as const,
    );
    return { outcome: 'written', catalogues: Object.fromEntries(written) };
  } catch (error) {
    if (error instanceof NotRead) return { outcome: 'not-read', why: error.message };
    throw error;
  } finally {
    await lease.release();
  }
}

const shownSchema = z.lazy(() =>
  z.object({ address: z.string(), catalogues: z.record(z.string(), z.object({ asOf: z.string() })) }),
);

/** Whether the tree in the bucket is whole, of this key and address, and as new as what is known. */
async function showsAll({ bucket, sources, origin, key }: WriteOptions): Promise<boolean> {
  const [about, publicKey] = [await bucket.read('relay.json'), await bucket.read(PUBLIC_KEY)];
  if (about === null || (await bucket.names(`${PENDING}/`)).length > 0) return false;
  const shown = shownSchema.safeParse(JSON.parse(String(about))).data;
  if (shown?.address !== `${origin}/` || Object.keys(shown.catalogues).length !== sources.length)
    return false;
  if (createPublicKey(key).export({ type: 'spki', format: 'pem' }) !== String(publicKey)) return false;
  for (const source of sources) {
    const { at } = await panelsNow(source);
    if (shown.catalogues[source.catalogue]?.asOf !== formatInstant(at)) return false;
  }
  return true;
}
