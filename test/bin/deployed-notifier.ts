import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { vi } from 'vitest';
import { topics } from '../../lambdas/events/kinds.ts';
import { systemClock as clock } from '../../lambdas/run/clock.ts';
import { parseInstant } from '../../lambdas/run/instant.ts';
import { createStateStore } from '../../lambdas/store/dynamodb.ts';
import { createDynamoHistory } from '../../lambdas/store/history/dynamodb.ts';
import type { MovableStore } from '../../lambdas/store/store.ts';
import { createHistoryTable } from '../store/history/create-history-table.ts';
import { openLocalTable } from '../store/local-table.ts';

/** What CloudFormation says of stacks, by their names. */
export type Stacks = Readonly<Record<string, Readonly<Record<string, string>>>>;

export interface CloudFormation {
  /** Names of the stacks that were asked for. */
  readonly asked: string[];
  close(): Promise<void>;
}

/** Answers DescribeStacks as CloudFormation does, and names the answer's address and credentials in the environment. */
export async function startCloudFormation(stacks: Stacks, error?: string): Promise<CloudFormation> {
  const asked: string[] = [];
  const server: Server = createServer(async (request, response) => {
    const name = new URLSearchParams(await text(request)).get('StackName') ?? '';
    asked.push(name);
    const outputs = stacks[name];
    const [code, message] = error
      ? ['AccessDenied', error]
      : ['ValidationError', `Stack with id ${name} does not exist`];
    if (!outputs || error) {
      response.writeHead(error ? 403 : 400, { 'content-type': 'text/xml' });
      response.end(
        `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error></ErrorResponse>`,
      );
      return;
    }
    const members = Object.entries(outputs).map(
      ([key, value]) => `<member><OutputKey>${key}</OutputKey><OutputValue>${value}</OutputValue></member>`,
    );
    response.writeHead(200, { 'content-type': 'text/xml' });
    response.end(
      `<DescribeStacksResponse><DescribeStacksResult><Stacks><member><StackName>${name}</StackName><Outputs>${members.join('')}</Outputs></member></Stacks></DescribeStacksResult></DescribeStacksResponse>`,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  useCredentials();
  vi.stubEnv('AWS_ENDPOINT_URL_CLOUDFORMATION', `http://127.0.0.1:${port}`);
  return {
    asked,
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

export function useCredentials(): void {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'test');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'canary-of-the-stage');
  vi.stubEnv('AWS_REGION', 'eu-west-2');
}

export interface DeployedNotifier {
  readonly outputs: Readonly<Record<string, string>>;
  readonly endpoint: string;
  readonly store: MovableStore;
  close(): Promise<void>;
}

/** The tables of a deployed notifier for the catalogue `saved`, with these events in its history, all published. */
export async function startDeployedNotifier(bodies: readonly string[]): Promise<DeployedNotifier> {
  const { dynamodb, endpoint, table, close } = await openLocalTable();
  const historyTable = await createHistoryTable(dynamodb);
  const store = createStateStore({ dynamodb, table, catalogue: 'saved', runId: 'poll', clock });
  const records = bodies.map((body) => ({
    id: String(JSON.parse(body).id),
    topic: 'classifications' as const,
    body,
  }));
  const period = { since: micros('2023-10-20'), until: micros('2023-11-18') };
  // As a poll leaves it: up to the newest row.
  const newest = bodies
    .map((body) => String(JSON.parse(body).time))
    .sort()
    .at(-1);
  await createDynamoHistory({ dynamodb, table: historyTable, clock }).append(records, {
    catalogue: 'saved',
    since: period.since,
    until: parseInstant(newest ?? '') ?? period.until,
  });
  await store.begin(
    {
      mark: period.until,
      start: period.since,
      count: null,
      source: 'https://panelapp.genomicsengland.co.uk/api/v1/',
    },
    [],
  );
  return {
    outputs: {
      TableName: table,
      HistoryTable: historyTable,
      Catalogues: 'saved',
      ...Object.fromEntries(
        topics.map((topic) => [
          `Topic${topic.charAt(0).toUpperCase()}${topic.slice(1)}`,
          `arn:aws:sns:eu-west-2:000000000000:panels-second-${topic}`,
        ]),
      ),
    },
    endpoint,
    store,
    close,
  };
}

const micros = (day: string): bigint => BigInt(Date.parse(day)) * 1000n;
