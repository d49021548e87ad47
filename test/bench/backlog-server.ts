import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemClock } from '../../lambdas/clock/clock.ts';
import { topics } from '../../lambdas/events/topics.ts';
import { startSnsEndpoint } from '../../sandbox/sns/endpoint.ts';
import { openLocalTable } from '../state/local-table.ts';
import { bodiesOf } from './pages.ts';

/** A process of its own for what a poll talks to: a long log, and a table and topics on this machine. */
const bodies = bodiesOf(Number(process.argv[2]));
const server = createServer((request, response) => {
  const page = Number(new URL(request.url ?? '', 'http://x').searchParams.get('page') ?? 1);
  const body = bodies[page - 1];
  response
    .writeHead(body ? 200 : 404, { 'content-type': 'application/json' })
    .end(body ?? '{"detail":"Invalid page."}');
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const table = await openLocalTable(systemClock);
const sns = await startSnsEndpoint({ topics, keep: false });
process.send?.({
  catalogue: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  dynamodb: table.endpoint,
  table: table.table,
  sns: sns.endpoint,
  topicArns: sns.topicArns,
});
