import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { DynamoDbWire, WireReply } from './dynamodb-in-process.ts';
import type { Life } from './processes.ts';

/** How often each fault happened. */
export type FaultCounts = Record<'throttled' | 'unanswered' | 'half done' | 'replica read', number>;

interface FaultyOptions {
  readonly wire: DynamoDbWire;
  readonly life: Life;
  readonly random: () => number;
  /** How likely a request has a fault. */
  readonly rate: () => number;
  readonly counts: FaultCounts;
}

const THROTTLED: WireReply = {
  status: 400,
  body: JSON.stringify({
    __type: 'com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException',
    message: 'The level of configured provisioned throughput for the table was exceeded',
  }),
};

type Requests = Record<string, unknown[]>;
type Keys = Record<string, { readonly Keys: unknown[] }>;

/**
 * A client of DynamoDB for one process. Below the SDK, where the network is, requests are throttled, are done without a
 * reply, and batches are left half done. The SDK repeats a request twice, without waiting.
 */
export function faultyClient({ wire, life, random, rate, counts }: FaultyOptions): DynamoDBClient {
  const throttled = (): WireReply => {
    counts.throttled += 1;
    return THROTTLED;
  };

  /** Does a part of a batch, and names the rest in the reply. */
  async function halfDone(operation: string, body: string): Promise<WireReply> {
    const { RequestItems: all } = JSON.parse(body) as { readonly RequestItems: Requests | Keys };
    const [[table = '', given] = []] = Object.entries(all);
    const entries: readonly unknown[] = Array.isArray(given) ? given : (given?.Keys ?? []);
    const done = Math.floor(random() * entries.length);
    counts['half done'] += 1;
    const packed = (some: readonly unknown[]) => ({
      [table]: Array.isArray(given) ? some : { ...given, Keys: some },
    });
    const rest = {
      [Array.isArray(given) ? 'UnprocessedItems' : 'UnprocessedKeys']: packed(entries.slice(done)),
    };
    if (done === 0) return { status: 200, body: JSON.stringify({ Responses: {}, ...rest }) };
    const reply = await wire(operation, JSON.stringify({ RequestItems: packed(entries.slice(0, done)) }));
    return reply.status === 200
      ? { status: 200, body: JSON.stringify({ ...(JSON.parse(reply.body) as object), ...rest }) }
      : reply;
  }

  async function answer(operation: string, body: string): Promise<WireReply> {
    await life.step();
    const hasFault = random() < rate();
    const kind = random();
    if (hasFault && kind < 0.35) return throttled();
    if (hasFault && kind < 0.65 && operation.startsWith('Batch')) return halfDone(operation, body);
    const reply = await wire(operation, body);
    await life.step();
    if (!hasFault || kind < 0.65) return reply;
    counts.unanswered += 1;
    throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET', name: 'TimeoutError' });
  }

  return new DynamoDBClient({
    endpoint: 'http://dynamodb.invalid',
    region: 'eu-west-2',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    signer: { sign: async (request) => request },
    retryStrategy: withoutWaiting,
    requestHandler: {
      async handle(request: {
        readonly headers: Record<string, string>;
        readonly body?: string | Uint8Array;
      }) {
        const operation = request.headers['x-amz-target']?.split('.')[1] ?? '';
        const { status, body } = await answer(operation, textOf(request.body));
        return {
          response: {
            statusCode: status,
            headers: { 'content-type': 'application/x-amz-json-1.0' },
            body: Buffer.from(body),
          },
        } as never;
      },
    },
  });
}

/** As the SDK's own: three attempts for what may be tried again; but no time passes between them. */
const withoutWaiting = {
  acquireInitialRetryToken: async () => tokenOf(0),
  refreshRetryTokenForRetry: async (
    token: { getRetryCount(): number },
    { errorType }: { readonly errorType: string },
  ) => {
    const count = token.getRetryCount() + 1;
    if (count > 2 || errorType === 'CLIENT_ERROR') throw new Error('no further attempt');
    return tokenOf(count);
  },
  recordSuccess: () => {},
};

const tokenOf = (count: number) => ({ getRetryCount: () => count, getRetryDelay: () => 0 });

const textOf = (body: string | Uint8Array = ''): string =>
  typeof body === 'string' ? body : new TextDecoder().decode(body);
