import type { AddressInfo } from 'node:net';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import dynalite from 'dynalite';
import { tableSuffix } from './table-suffix.ts';

/** DynamoDB's protocol on this machine. */
export interface LocalDynamoDb {
  readonly dynamodb: DynamoDBClient;
  readonly endpoint: string;
  /** Ends the names of tables; empty on a server of this run alone. */
  readonly suffix: string;
  close(): Promise<void>;
}

/**
 * Opens the server that DYNAMODB_TEST_ENDPOINT names, such as DynamoDB Local; without it dynalite, in this process and
 * in memory. `npm run test:aws` names one.
 */
export async function openLocalDynamoDb(): Promise<LocalDynamoDb> {
  const given = process.env.DYNAMODB_TEST_ENDPOINT;
  const { endpoint, stop } =
    given === undefined ? await startDynalite() : { endpoint: given, stop: async () => {} };
  const dynamodb = new DynamoDBClient({
    endpoint,
    region: 'eu-west-2',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  return {
    dynamodb,
    endpoint,
    suffix: given === undefined ? '' : tableSuffix(),
    close: async () => {
      dynamodb.destroy();
      await stop();
    },
  };
}

async function startDynalite(): Promise<{ readonly endpoint: string; readonly stop: () => Promise<void> }> {
  // As on AWS, a table may not be used at once: a test that does not wait for it fails always, not now and then.
  const server = dynalite({ createTableMs: 20 });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
