import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import { secretsManagerSecret } from '../../catalogue/identity/secrets-manager.ts';
import { keptInTables } from '../../panels/dynamodb-panel-states.ts';
import {
  readSigningKey,
  type StageRelayReport,
  writeRelayOfStage,
} from '../../questions/relay/relay-of-stage.ts';
import { systemClock as clock } from '../../run/clock.ts';
import { jsonLog } from '../../run/log.ts';
import { createLease } from '../../store/lease.ts';
import { createS3Objects } from '../../store/objects-s3.ts';
import type { RunContext } from '../catalogue-function.ts';
import { readEnvironment, relaySettings } from '../settings.ts';

const settings = readEnvironment(relaySettings, process.env);
const { CATALOGUES: catalogues, TABLE_NAME: stateTable, HISTORY_TABLE_NAME: historyTable } = settings;
const log = jsonLog((line) => void process.stdout.write(`${line}\n`), clock.now);
const dynamodb = new DynamoDBClient({});
const bucket = createS3Objects({
  s3: new S3Client({ forcePathStyle: true }),
  bucket: settings.RELAY_BUCKET,
});
/** Lambda keeps the disk for the next run of the same instance: what a run left that ended early must not fill it. */
const spool = join(tmpdir(), `tree-of-${process.env.AWS_LAMBDA_FUNCTION_NAME ?? 'relay'}`);

/** Writes the relay's tree of the stage into its bucket, started by the schedule. */
export async function handler(_event: unknown, context: RunContext): Promise<StageRelayReport> {
  const runId = context.awsRequestId ?? randomUUID();
  const [first] = catalogues;
  try {
    await rm(spool, { recursive: true, force: true });
    await mkdir(spool);
    const report = await writeRelayOfStage({
      sources: catalogues.map((catalogue) =>
        keptInTables(catalogue, { dynamodb, stateTable, historyTable, runId, clock }),
      ),
      bucket,
      origin: new URL(settings.RELAY_ADDRESS).origin,
      key: await readSigningKey(secretsManagerSecret({ secretId: settings.SIGNING_KEY_ID })),
      versions: settings.RELAY_VERSIONS,
      lease: createLease({
        ...{ dynamodb, table: stateTable, catalogue: first, runId, clock },
        of: 'relay',
        // Where Lambda ends the run, the next one must not find the lease taken.
        heldMs: context.getRemainingTimeInMillis(),
      }),
      runId,
      spool,
    });
    log.info('Wrote the relay', { ...report });
    return report;
  } catch (error) {
    log.error('The relay was not written; the next run goes on', { error });
    throw error;
  } finally {
    await rm(spool, { recursive: true, force: true });
  }
}
