import { once } from 'node:events';
import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import * as z from 'zod';
import type { Runtime } from './runtime.ts';
import { unsigned } from './unsigned.ts';

/** One right of a role: what may be done on what. */
export interface Right {
  readonly actions: readonly string[];
  readonly resources: readonly string[];
  /** The partition keys of DynamoDB that it is limited to, `*` for any characters, as `StringLike` has it; undefined for all. */
  readonly leadingKeys?: readonly string[] | undefined;
}

/** A proxy between a function and the emulator that refuses what the function's role does not allow. */
export interface Guard {
  readonly endpoint: string;
  /** Actions that were used, each on a resource that the role names. */
  readonly used: ReadonlySet<string>;
  /** Calls that were turned away. */
  readonly refused: readonly string[];
  /** Calls back as the function uses an action for the so manieth time from now on, before the emulator hears of it. */
  onceUsed(action: string, times: number, then: () => void): void;
  stop(): Promise<void>;
}

interface GuardOptions {
  readonly endpoint: string;
  /** Functions that answer an invocation here: the emulator would start them in a container. By name. */
  readonly functions?: Readonly<Record<string, Pick<Runtime, 'invoke'>>>;
  readonly rights: readonly Right[];
  readonly region: string;
  readonly account: string;
}

/**
 * The emulators do not apply a function's role (moto knows no resources but S3's): a missing right would first be
 * noticed on AWS. The guard compares each call's action, resource and partition keys (`dynamodb:LeadingKeys`) with the
 * statements of the deployed role, as IAM does. It does not read other conditions.
 */
export async function startGuard({
  endpoint,
  rights,
  region,
  account,
  functions = {},
}: GuardOptions): Promise<Guard> {
  const used = new Set<string>();
  const refused: string[] = [];
  let awaited: { readonly action: string; left: number; readonly then: () => void } | null = null;
  const upstream = new URL(endpoint);

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(request);
    const target = String(request.headers['x-amz-target'] ?? '');
    const calls = callsOf({ request, target, body: body.toString() }, { region, account });
    const wanting = calls.filter((call) => !rights.some((right) => allows(right, call)));
    const reasons =
      calls.length === 0
        ? [`a call that the guard cannot read: ${body.toString().slice(0, 80)}`]
        : wanting.map(({ action, resource, keys = [] }) => `${[action, ...keys].join(' ')} on ${resource}`);
    if (reasons.length > 0) {
      refused.push(...reasons);
      refuse(response, { inXml: target === '', message: `The role does not allow ${reasons.join(', ')}` });
      return;
    }
    for (const { action } of calls) {
      used.add(action);
      if (awaited?.action !== action) continue;
      awaited.left -= 1;
      if (awaited.left === 0) awaited.then();
    }
    const invoked = functions[invokedIn(request)];
    if (invoked) {
      const outcome = await invoked.invoke(JSON.parse(body.toString() || '{}'));
      response.writeHead(200, outcome.ok ? {} : { 'x-amz-function-error': 'Unhandled' });
      response.end(JSON.stringify(outcome.ok ? outcome.result : outcome.error));
      return;
    }
    if (request.headers['if-none-match'] === '*' && (await exists(`${endpoint}${request.url}`))) {
      response.writeHead(412, { 'content-type': 'text/xml' });
      response.end('<Error><Code>PreconditionFailed</Code></Error>');
      return;
    }
    const { method, url, headers } = request;
    const onward = forward(
      { hostname: upstream.hostname, port: upstream.port, method, path: url, headers },
      (reply) => {
        response.writeHead(reply.statusCode ?? 500, reply.headers);
        reply.pipe(response);
      },
    );
    onward.on('error', (error) => response.destroy(error));
    onward.end(body);
  };

  const server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return {
    // By name, as the emulator's own address: see emulator.ts.
    endpoint: `http://localhost:${port}`,
    used,
    refused,
    onceUsed: (action, times, then) => {
      awaited = { action, left: times, then };
    },
    stop: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The name of the function that a request invokes; empty where it invokes none. */
const invokedIn = ({ url = '' }: IncomingMessage): string =>
  /^\/2015-03-31\/functions\/([^/]+)\/invocations/.exec(url)?.[1] ?? '';

/** Whether S3 has an object: moto ignores the header `If-None-Match` of a write. */
async function exists(address: string): Promise<boolean> {
  const { ok } = await fetch(address.split('?')[0] ?? '', {
    method: 'HEAD',
    headers: { authorization: unsigned },
  });
  return ok;
}

/** In the form in which the service refuses. */
function refuse(response: ServerResponse, { inXml, message }: { inXml: boolean; message: string }): void {
  if (inXml) {
    const error = `<Error><Type>Sender</Type><Code>AuthorizationError</Code><Message>${message}</Message></Error>`;
    response.writeHead(403, { 'content-type': 'text/xml' });
    response.end(`<ErrorResponse>${error}<RequestId>guard</RequestId></ErrorResponse>`);
    return;
  }
  response.writeHead(400, { 'content-type': 'application/x-amz-json-1.0' });
  response.end(JSON.stringify({ __type: 'AccessDeniedException', message }));
}

interface Call {
  readonly action: string;
  readonly resource: string;
  /** The partition keys that it reads or writes; undefined where they are unknown. */
  readonly keys?: readonly string[] | undefined;
}

function allows({ actions, resources, leadingKeys }: Right, { action, resource, keys }: Call): boolean {
  if (!actions.includes(action) || !resources.some((pattern) => matchesGlob(resource, pattern))) return false;
  return (
    leadingKeys === undefined ||
    keys?.every((key) => leadingKeys.some((pattern) => matchesGlob(key, pattern))) === true
  );
}

/** Whether a text matches a pattern, in which `*` is any characters. */
function matchesGlob(text: string, pattern: string): boolean {
  const parts = pattern.split('*').map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join('.*')}$`, 's').test(text);
}

const tablesSchema = z.object({
  TableName: z.string().optional(),
  IndexName: z.string().optional(),
  RequestItems: z.record(z.string(), z.unknown()).optional(),
});
const itemSchema = z.object({ pk: z.object({ S: z.string() }) }).transform(({ pk }) => pk.S);
const querySchema = z.object({
  KeyConditionExpression: z.string(),
  ExpressionAttributeValues: z.record(z.string(), z.object({ S: z.string() }).partial()),
});
const oneItemSchema = z.object({ Key: itemSchema }).or(z.object({ Item: itemSchema }));
const batchGetSchema = z.object({ Keys: z.array(itemSchema) });
const batchWriteSchema = z.array(
  z
    .object({ PutRequest: z.object({ Item: itemSchema }) })
    .or(z.object({ DeleteRequest: z.object({ Key: itemSchema }) })),
);
const queueSchema = z
  .object({ QueueUrl: z.string() })
  .transform(({ QueueUrl }) => QueueUrl.split('/').at(-1) ?? '')
  .or(z.object({ QueueName: z.string() }).transform(({ QueueName }) => QueueName));
const busSchema = z.object({ Entries: z.array(z.object({ EventBusName: z.string() })) });
const secretSchema = z.object({ SecretId: z.string() });

/** What a request asks for, in IAM's words. */
function callsOf(
  {
    request,
    target,
    body,
  }: { readonly request: IncomingMessage; readonly target: string; readonly body: string },
  { region, account }: { region: string; account: string },
): readonly Call[] {
  const [service = '', operation = ''] = target.split('.');
  if (service.startsWith('DynamoDB')) {
    const input: unknown = JSON.parse(body);
    const { TableName, IndexName, RequestItems = {} } = tablesSchema.parse(input);
    const tables = TableName === undefined ? Object.entries(RequestItems) : [[TableName, input] as const];
    const index = IndexName === undefined ? '' : `/index/${IndexName}`;
    return tables.map(([table, items]) => ({
      action: `dynamodb:${operation}`,
      resource: `arn:aws:dynamodb:${region}:${account}:table/${table}${index}`,
      keys: keysOf(items),
    }));
  }
  if (service === 'secretsmanager') {
    const { SecretId } = secretSchema.parse(JSON.parse(body));
    return [{ action: `secretsmanager:${operation}`, resource: SecretId }];
  }
  if (service === 'AWSEvents') {
    const { Entries } = busSchema.parse(JSON.parse(body));
    return Entries.map(({ EventBusName }) => ({ action: `events:${operation}`, resource: EventBusName }));
  }
  if (service === 'AmazonSQS') {
    const name = queueSchema.parse(JSON.parse(body));
    return [{ action: `sqs:${operation}`, resource: `arn:aws:sqs:${region}:${account}:${name}` }];
  }
  if (request.headers.authorization?.includes('/s3/')) return callsOfS3(request, body);
  const called = invokedIn(request);
  if (called !== '')
    return [
      { action: 'lambda:InvokeFunction', resource: `arn:aws:lambda:${region}:${account}:function:${called}` },
    ];
  const form = new URLSearchParams(body);
  const action = form.get('Action');
  if (action === null) return [];
  const stack = form.get('StackName');
  if (stack !== null)
    return [
      {
        action: `cloudformation:${action}`,
        resource: `arn:aws:cloudformation:${region}:${account}:stack/${stack}/id`,
      },
    ];
  // IAM knows one action for both calls.
  return [{ action: `sns:${action.replace(/Batch$/, '')}`, resource: form.get('TopicArn') ?? '' }];
}

function callsOfS3({ method, url = '' }: IncomingMessage, body: string): readonly Call[] {
  const { pathname, searchParams } = new URL(url, 'http://bucket');
  const on = (path: string): string => `arn:aws:s3:::${decodeURIComponent(path.replace(/^\//, ''))}`;
  const [, bucket = ''] = pathname.split('/');
  if (searchParams.has('list-type')) return [{ action: 's3:ListBucket', resource: on(bucket) }];
  if (searchParams.has('delete'))
    return [...body.matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, key]) => ({
      action: 's3:DeleteObject',
      resource: `${on(bucket)}/${key}`,
    }));
  const actions: Readonly<Record<string, string>> = { GET: 's3:GetObject', PUT: 's3:PutObject' };
  const action = actions[method ?? ''];
  return action === undefined ? [] : [{ action, resource: on(pathname) }];
}

/** The partition keys of one table in a call; undefined where the call states none. */
function keysOf(input: unknown): readonly string[] | undefined {
  const one = oneItemSchema.safeParse(input);
  if (one.success) return ['Key' in one.data ? one.data.Key : one.data.Item];
  const read = batchGetSchema.safeParse(input);
  if (read.success) return read.data.Keys;
  const written = batchWriteSchema.safeParse(input);
  if (written.success) {
    return written.data.map((each) => ('PutRequest' in each ? each.PutRequest.Item : each.DeleteRequest.Key));
  }
  const query = querySchema.safeParse(input);
  if (!query.success) return undefined;
  const { KeyConditionExpression, ExpressionAttributeValues: values } = query.data;
  const [, name = ''] = /^\S+ = (:\w+)/.exec(KeyConditionExpression) ?? [];
  const key = values[name]?.S;
  return key === undefined ? undefined : [key];
}
