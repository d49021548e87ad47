import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { systemClock } from '../../lambdas/clock/clock.ts';
import { topics } from '../../lambdas/events/topics.ts';
import { type SnsEndpoint, startSnsEndpoint } from '../../sandbox/sns/endpoint.ts';
import { accessDenied } from '../../sandbox/sns/faults.ts';
import { serveSavedLog } from '../poll/saved-log.ts';
import { type Ran, runCommand } from './run-command.ts';

let root: string;
let state: string;
/** The bodies as the poll printed them, in order of their ids. */
let published: readonly string[];
beforeAll(async () => {
  const log = await serveSavedLog();
  root = await mkdtemp(join(tmpdir(), 'replay-'));
  state = join(root, 'state');
  const { stdout } = await runCommand([
    'poll',
    '--catalogue',
    log.url,
    '--state',
    state,
    '--from',
    '2023-10-20',
  ]);
  published = linesOf(stdout);
  await log.close();
});
afterAll(() => rm(root, { recursive: true }));

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  vi.unstubAllEnvs();
  await Promise.all(closing.splice(0).map((close) => close()));
});

const linesOf = (output: string): string[] => output.split('\n').filter(Boolean);
const timeOf = (body: string): string => String(JSON.parse(body).time);
const clock = { ...systemClock, sleep: async () => {} };
const replay = (...args: string[]): Promise<Ran> =>
  runCommand(['replay', '--state', state, '--since', '2023-10-20', ...args], { clock });

function useCredentials(service: 'SNS' | 'SQS', endpoint: string): void {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'test');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'canary-of-the-replay');
  vi.stubEnv(`AWS_ENDPOINT_URL_${service}`, endpoint);
}

describe('replay', () => {
  test('prints the events again as they were published, oldest first', async () => {
    const { code, stdout } = await replay();
    expect(code).toBe(0);
    const replayed = linesOf(stdout);
    expect(replayed.toSorted()).toStrictEqual(published.toSorted());
    expect(replayed.length).toBeGreaterThan(20);
    const times = replayed.map(timeOf);
    expect(times).toStrictEqual(times.toSorted());
  });

  test('prints those of a period that a filter lets through', async () => {
    const { stdout } = await replay('--until', '2023-11-10', '--topic', 'classifications');
    const wanted = published.filter(
      (body) => timeOf(body) < '2023-11-10' && JSON.parse(body).type === 'gene-panel.entity.classified.v1',
    );
    expect(linesOf(stdout).toSorted()).toStrictEqual(wanted.toSorted());
    expect(wanted.length).toBeGreaterThan(0);
  });

  test('only counts with --dry-run', async () => {
    expect(await replay('--dry-run')).toStrictEqual({
      code: 0,
      stdout: '',
      stderr: `${published.length} events would be published; nothing was\n`,
    });
  });

  test('says when it found nothing', async () => {
    expect(await replay('--gene', 'NOSUCHGENE')).toStrictEqual({
      code: 0,
      stdout: '',
      stderr: 'No event found.\n',
    });
  });

  const queue = 'arn:aws:sqs:eu-west-2:000000000000:again';
  test.each([
    ['without a start', ['replay', '--state', '/nowhere'], '--since TIME is missing'],
    [
      'to a name',
      ['replay', '--since', '1d', '--to-arn', 'my-queue'],
      'expected the ARN of an SNS topic or SQS queue',
    ],
    [
      'to a function',
      ['replay', '--since', '1d', '--to-arn', 'arn:aws:lambda:eu-west-2:000000000000:function:mine'],
      'Name a queue or topic that invokes the function',
    ],
    ['to a FIFO queue', ['replay', '--since', '1d', '--to-arn', `${queue}.fifo`], 'expected a standard one'],
    [
      'in a format to a queue',
      ['replay', '--since', '1d', '--to-arn', queue, '--format', 'csv'],
      '--format and --output do not go with --to-arn',
    ],
  ])('is refused %s', async (_case, args, message) => {
    expect(await runCommand(args)).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining(message),
    });
  });
});

describe('replay to a topic', () => {
  async function startTopics(
    options: Partial<Parameters<typeof startSnsEndpoint>[0]> = {},
  ): Promise<SnsEndpoint<string>> {
    const sns = await startSnsEndpoint({ topics: [...topics], ...options });
    closing.push(sns.close);
    useCredentials('SNS', sns.endpoint);
    return sns;
  }

  test('sends the same bodies with the attributes of their events', async () => {
    const sns = await startTopics();
    const arn = String(sns.topicArns.classifications);
    const { code, stdout, stderr } = await replay('--topic', 'classifications', '--to-arn', arn);
    const wanted = published.filter((body) => body.includes('"gene-panel.entity.classified.v1"'));
    expect({ code, stdout, stderr }).toStrictEqual({
      code: 0,
      stdout: '',
      stderr: `${wanted.length} events sent to ${arn}\n`,
    });
    expect(sns.received.map(({ body }) => body).toSorted()).toStrictEqual(wanted.toSorted());
    for (const { topic, attributes, body } of sns.received) {
      expect(topic).toBe('classifications');
      expect(JSON.stringify(attributes)).toContain(JSON.parse(body).data.change.direction);
    }
  });

  test('that stops says where to go on, and shows no secret', async () => {
    const sns = await startTopics({ fault: () => accessDenied });
    const { code, stderr } = await replay('--to-arn', String(sns.topicArns.tags));
    expect(code).toBe(1);
    expect(stderr).toContain('0 events published; the same command with --since 2023-10-20 goes on');
    expect(stderr).not.toContain('canary');
  });
});

describe('replay to a queue', () => {
  interface Entry {
    readonly Id: string;
    readonly MessageBody: string;
    readonly MessageAttributes: Record<string, { DataType: string; StringValue: string }>;
  }
  interface Queue {
    readonly arn: string;
    readonly received: Entry[];
  }

  /** A queue that speaks the JSON protocol of SQS. `fails` gives the entries that a call does not accept. */
  async function startQueue(
    fails: (
      entries: readonly Entry[],
      call: number,
    ) => readonly { Id: string; Code: string; SenderFault: boolean }[] = () => [],
  ): Promise<Queue> {
    const received: Entry[] = [];
    let calls = 0;
    const server: Server = createServer(async (request, response) => {
      const given = JSON.parse(await text(request));
      const reply = (body: unknown): void =>
        void response
          .writeHead(200, { 'content-type': 'application/x-amz-json-1.0' })
          .end(JSON.stringify(body));
      if (request.headers['x-amz-target'] === 'AmazonSQS.GetQueueUrl') {
        return reply({ QueueUrl: `${url()}/${given.QueueOwnerAWSAccountId}/${given.QueueName}` });
      }
      const failed = fails(given.Entries, ++calls);
      const accepted = (given.Entries as Entry[]).filter(
        ({ Id }) => !failed.some((fault) => fault.Id === Id),
      );
      received.push(...accepted);
      return reply({
        Successful: accepted.map(({ Id, MessageBody }) => ({
          Id,
          MessageId: Id,
          MD5OfMessageBody: createHash('md5').update(MessageBody).digest('hex'),
        })),
        Failed: failed,
      });
    });
    const url = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closing.push(async () => {
      server.closeAllConnections();
      server.close();
    });
    useCredentials('SQS', url());
    return { arn: 'arn:aws:sqs:eu-west-2:000000000000:again', received };
  }

  test('sends the same bodies, oldest first, with their attributes', async () => {
    const queue = await startQueue();
    const { code, stderr } = await replay('--to-arn', queue.arn);
    expect({ code, stderr }).toStrictEqual({
      code: 0,
      stderr: `${published.length} events sent to ${queue.arn}\n`,
    });
    expect(queue.received.map(({ MessageBody }) => MessageBody)).toStrictEqual(
      linesOf((await replay()).stdout),
    );
    for (const { MessageBody, MessageAttributes } of queue.received) {
      expect(MessageAttributes.type).toStrictEqual({
        DataType: 'String',
        StringValue: JSON.parse(MessageBody).type,
      });
    }
  });

  test('sends again what the queue did not accept for the moment', async () => {
    const queue = await startQueue((entries, call) =>
      call === 1 ? entries.slice(2).map(({ Id }) => ({ Id, Code: 'InternalError', SenderFault: false })) : [],
    );
    expect((await replay('--to-arn', queue.arn)).code).toBe(0);
    const bodies = queue.received.map(({ MessageBody }) => MessageBody);
    expect(bodies.toSorted()).toStrictEqual(published.toSorted());
  });

  test('gives up on a queue that never accepts an event', async () => {
    const queue = await startQueue((entries) =>
      entries.map(({ Id }) => ({ Id, Code: 'InternalError', SenderFault: false })),
    );
    const { code, stderr } = await replay('--to-arn', queue.arn);
    expect(code).toBe(1);
    expect(stderr).toMatch(/InternalError \(5 resends\).* --since 2023-10-20 goes on.*\[REPLAY_FAILED\]\n$/);
  });

  test('reports events that are refused for their content, and sends the others', async () => {
    const queue = await startQueue((_entries, call) =>
      call === 1 ? [{ Id: '0', Code: 'InvalidMessageContents', SenderFault: true }] : [],
    );
    const { code, stderr } = await replay('--to-arn', queue.arn);
    expect({ code, stderr }).toStrictEqual({
      code: 1,
      stderr: `${published.length - 1} events sent to ${queue.arn}\n1 event refused for its content\n`,
    });
    expect(queue.received).toHaveLength(published.length - 1);
  });
});
