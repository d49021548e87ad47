import { once } from 'node:events';
import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import * as z from 'zod';

/** One right of a role: what may be done on what. */
export interface Right {
  readonly actions: readonly string[];
  readonly resources: readonly string[];
  /** Patterns of the partition keys that a call may name; undefined for all. */
  readonly partitions?: readonly string[] | undefined;
}

/** A proxy between a function and the emulator that refuses what the function's role does not allow. */
export interface Guard {
  readonly endpoint: string;
  /** Actions that were used, each on a resource that the role names. */
  readonly used: ReadonlySet<string>;
  /** Calls that were refused. */
  readonly refused: readonly string[];
  stop(): Promise<void>;
}

export interface GuardOptions {
  readonly endpoint: string;
  readonly rights: readonly Right[];
  readonly region: string;
  readonly account: string;
}

/**
 * The emulators do not apply a function's role (moto knows no resources but S3's): a missing right would first be
 * noticed on AWS. The guard compares each call's action, resource and partition keys (`dynamodb:LeadingKeys`) with the
 * statements of the deployed role, as IAM does. It does not read other conditions.
 */
export async function startGuard({ endpoint, rights, region, account }: GuardOptions): Promise<Guard> {
  const used = new Set<string>();
  const refused: string[] = [];
  const upstream = new URL(endpoint);

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(request);
    const target = String(request.headers['x-amz-target'] ?? '');
    const calls = callsOf(target, body.toString(), { region, account });
    const wanting = calls.filter(
      ({ action, resource, partitions = [] }) =>
        !rights.some(
          (right) =>
            right.actions.includes(action) &&
            right.resources.includes(resource) &&
            partitions.every((partition) => isAllowed(partition, right.partitions)),
        ),
    );
    const reasons =
      calls.length === 0
        ? [`a call that the guard cannot read: ${body.toString().slice(0, 80)}`]
        : wanting.map(({ action, resource }) => `${action} on ${resource}`);
    if (reasons.length > 0) {
      refused.push(...reasons);
      refuse(response, { inXml: target === '', message: `The role does not allow ${reasons.join(', ')}` });
      return;
    }
    for (const { action } of calls) used.add(action);
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
    endpoint: `http://127.0.0.1:${port}`,
    used,
    refused,
    stop: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
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
  /** The partition keys that it names. */
  readonly partitions?: readonly string[];
}

const isAllowed = (partition: string, patterns: readonly string[] | undefined): boolean =>
  patterns?.some((pattern) =>
    pattern.endsWith('*') ? partition.startsWith(pattern.slice(0, -1)) : partition === pattern,
  ) ?? true;

const tablesSchema = z.object({
  TableName: z.string().optional(),
  RequestItems: z.record(z.string(), z.unknown()).optional(),
});
const secretSchema = z.object({ SecretId: z.string() });

/** What a request asks for, in IAM's words. */
function callsOf(
  target: string,
  body: string,
  { region, account }: { region: string; account: string },
): readonly Call[] {
  const [service = '', operation = ''] = target.split('.');
  if (service.startsWith('DynamoDB')) {
    const { TableName, RequestItems = {} } = tablesSchema.parse(JSON.parse(body));
    const tables = TableName === undefined ? Object.keys(RequestItems) : [TableName];
    return tables.map((table) => ({
      action: `dynamodb:${operation}`,
      resource: `arn:aws:dynamodb:${region}:${account}:table/${table}`,
      partitions: [...body.matchAll(/":?pk":\{"S":"((?:[^"\\]|\\.)*)"\}/g)].map(([, key = '']) => key),
    }));
  }
  if (service === 'secretsmanager') {
    const { SecretId } = secretSchema.parse(JSON.parse(body));
    return [{ action: `secretsmanager:${operation}`, resource: SecretId }];
  }
  const form = new URLSearchParams(body);
  const action = form.get('Action');
  if (action === null) return [];
  // IAM knows one action for both calls.
  return [{ action: `sns:${action.replace(/Batch$/, '')}`, resource: form.get('TopicArn') ?? '' }];
}
