import type { AddressInfo } from 'node:net';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import dynalite from 'dynalite';

/** DynamoDB's protocol on this machine. */
export interface LocalDynamoDb {
  readonly dynamodb: DynamoDBClient;
  readonly endpoint: string;
  /** Ends the names of tables that a run creates: a server that other runs use keeps theirs. */
  readonly suffix: string;
  close(): Promise<void>;
}

let opened = 0;

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
  opened += 1;
  return {
    dynamodb,
    endpoint,
    suffix: given === undefined ? '' : `-${process.pid}-${opened}`,
    close: async () => {
      dynamodb.destroy();
      await stop();
    },
  };
}

async function startDynalite(): Promise<{ readonly endpoint: string; readonly stop: () => Promise<void> }> {
  const server = dynalite({ createTableMs: 0 });
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
