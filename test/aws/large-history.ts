import { once } from 'node:events';
import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import * as z from 'zod';
import { toMessage } from '../../lambdas/publishing/message.ts';
import { eventItem } from '../../lambdas/store/history/dynamodb-items.ts';
import { toJson } from '../../lambdas/store/packed.ts';
import { timeKey } from '../../lambdas/store/table-keys.ts';
import { classifiedEvent, timeOf } from '../bench/classified-event.ts';

const CATALOGUE = 'bench';
/** DynamoDB's pages have 1 MB; an item here has 1.1 kB. */
const PAGE_ITEMS = 900;
const FIRST_ITEMS = 6_000;

const querySchema = z.object({
  TableName: z.string(),
  KeyConditionExpression: z.string(),
  ExpressionAttributeValues: z.record(z.string(), z.object({ S: z.string() })),
  ExclusiveStartKey: z.object({ sk: z.object({ S: z.string() }) }).optional(),
  ScanIndexForward: z.boolean().default(true),
});

/**
 * An emulator whose table of the history has so many events, more than it could be filled with: what is asked for is made when
 * it is asked for. Everything else is the emulator's.
 */
export async function startLargeHistory({
  endpoint,
  table,
  events,
}: {
  readonly endpoint: string;
  readonly table: string;
  readonly events: number;
}): Promise<{ readonly endpoint: string; stop(): void }> {
  const upstream = new URL(endpoint);
  const numberAt = (at: bigint): number => Number((at - timeOf(0)) / (timeOf(1) - timeOf(0)));
  const made = new Map<number, Readonly<Record<string, unknown>>>();
  const itemOf = (index: number): Readonly<Record<string, unknown>> => made.get(index) ?? make(index);
  const make = (index: number): Readonly<Record<string, unknown>> => {
    const { item } = eventItem(toMessage(classifiedEvent(index)), timeOf(index));
    return { ...item, body: { B: Buffer.from(item.body?.B ?? []).toString('base64') } };
  };

  // What a first view reads is made before, so that nobody measures how long that takes.
  for (let index = Math.max(0, events - FIRST_ITEMS); index < events; index++) made.set(index, make(index));

  function answered(query: z.output<typeof querySchema>): unknown {
    const values = query.ExpressionAttributeValues;
    const partition = (values[':key'] ?? values[':pk'])?.S ?? '';
    if (partition === 'coverage') {
      const [oldest, newest] = [timeOf(0), timeOf(events - 1)];
      const periods = [{ catalogue: CATALOGUE, since: oldest, until: timeOf(events) }];
      const value = { S: toJson({ periods, oldest, newest, forgotten: 0n }) };
      return { Items: [{ pk: { S: partition }, sk: { S: CATALOGUE }, value }] };
    }
    const month = /#(\d{4})-(\d{2})$/.exec(partition);
    if (!month) return { Items: [] };
    const begin = BigInt(Date.UTC(Number(month[1]), Number(month[2]) - 1)) * 1000n;
    const end = BigInt(Date.UTC(Number(month[1]), Number(month[2]))) * 1000n;
    const numbers: number[] = [];
    const [from = '', to = '9'] = [values[':from']?.S, values[':to']?.S];
    for (let index = Math.max(0, numberAt(begin)); index < events && timeOf(index) < end; index++) {
      const key = timeKey(timeOf(index));
      if (timeOf(index) >= begin && key >= from && key < to) numbers.push(index);
    }
    if (!query.ScanIndexForward) numbers.reverse();
    const start = query.ExclusiveStartKey?.sk.S.split('#')[0];
    const first =
      start === undefined ? 0 : numbers.findIndex((index) => timeKey(timeOf(index)) === start) + 1;
    const page = numbers.slice(first, first + PAGE_ITEMS);
    const Items = page.map(itemOf);
    const last = Items.at(-1);
    const isEnd = first + page.length === numbers.length;
    return { Items, ...(last && !isEnd && { LastEvaluatedKey: { pk: last.pk, sk: last.sk } }) };
  }

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(request);
    const isQuery = String(request.headers['x-amz-target'] ?? '').endsWith('.Query');
    const query = isQuery ? querySchema.safeParse(JSON.parse(body.toString())) : null;
    if (query?.success && query.data.TableName === table) {
      response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0' });
      response.end(JSON.stringify(answered(query.data)));
      return;
    }
    const { method, url: path, headers } = request;
    const target = { hostname: upstream.hostname, port: upstream.port, method, path, headers };
    const onward = forward(target, (reply) => {
      response.writeHead(reply.statusCode ?? 500, reply.headers);
      reply.pipe(response);
    });
    onward.on('error', (error) => response.destroy(error));
    onward.end(body);
  };
  const server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    endpoint: `http://localhost:${typeof address === 'object' ? address?.port : ''}`,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}
