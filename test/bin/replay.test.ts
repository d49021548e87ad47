import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { readRecords, type SnsInvocation } from '../../consumer/parse-event.ts';
import { topics } from '../../lambdas/events/kinds.ts';
import { newFolder } from '../new-folder.ts';
import { serveSavedLog } from '../poll/saved-log.ts';
import { type SnsEndpoint, startSnsEndpoint } from '../publishing/sns/endpoint.ts';
import { accessDenied } from '../publishing/sns/faults.ts';
import { createTestClock } from '../run/test-clock.ts';
import { type Ran, runCommand, words } from './run-command.ts';

let root: string;
let state: string;
/** The bodies as the poll printed them, in order of their ids. */
let published: readonly string[];
beforeAll(async () => {
  const log = await serveSavedLog();
  root = newFolder();
  state = join(root, 'state');
  const { stdout } = await runCommand(words`poll --only log --catalogue ${log.url} --state ${state}
    --from 2023-10-20`);
  published = linesOf(stdout);
  await log.close();
});

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  vi.unstubAllEnvs();
  await Promise.all(closing.splice(0).map((close) => close()));
});

const linesOf = (output: string): string[] => output.split('\n').filter(Boolean);
const timeOf = (body: string): string => String(JSON.parse(body).time);
const clock = createTestClock();
const replay = (...args: string[]): Promise<Ran> =>
  runCommand(['replay', '--state', state, '--since', '2023-10-20', ...args], { clock });

function useCredentials(service: 'SNS' | 'SQS' | 'LAMBDA', endpoint: string): void {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'test');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'canary-of-the-replay');
  vi.stubEnv(`AWS_ENDPOINT_URL_${service}`, endpoint);
}

describe('replay', () => {
  test('writes no control character to a terminal that shows the events', async () => {
    const shown = await runCommand(['replay', '--state', state, '--since', '2023-10-20'], {
      clock,
      isTerminal: true,
    });
    expect(linesOf(shown.stdout)).toHaveLength(published.length);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a terminal obeys.
    expect(`${shown.stdout}${shown.stderr}`).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
  });

  test('prints the events again as they were published, oldest first', async () => {
    const { code, stdout } = await replay();
    expect(code).toBe(0);
    const replayed = linesOf(stdout);
    expect(replayed.toSorted()).toStrictEqual(published.toSorted());
    expect(replayed.length).toBeGreaterThan(20);
    const times = replayed.map(timeOf);
    expect(times).toStrictEqual(times.toSorted());
  });

  test('prints the events of a period that a filter matches', async () => {
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
      stderr: `Dry run: ${published.length} events would be published\n`,
    });
  });

  test('says when it found nothing', async () => {
    expect(await replay('--gene', 'NOSUCHGENE')).toStrictEqual({
      code: 3,
      stdout: '',
      stderr: expect.stringMatching(
        /^No gene, STR or region is called “NOSUCHGENE” in what was read\.\nNo event was found, which says nothing/,
      ),
    });
  });

  const queue = 'arn:aws:sqs:eu-west-2:000000000000:again';
  test.each([
    ['without a start', ['replay', '--state', '/nowhere'], '--since TIME is missing'],
    [
      'to a bare name',
      ['replay', '--since', '1d', '--to', 'my-queue'],
      'or a target: an ARN, the address of a queue',
    ],
    [
      'to another service',
      ['replay', '--since', '1d', '--to', 'arn:aws:s3:::bucket'],
      'expected the ARN of an SNS topic, SQS queue or Lambda function',
    ],
    [
      'to two targets',
      ['replay', '--since', '1d', '--to', 'queue:a', '--to', 'queue:b'],
      'names two targets',
    ],
    ['to a FIFO queue', ['replay', '--since', '1d', '--to', `${queue}.fifo`], 'expected a standard one'],
    [
      'in a format to a queue',
      ['replay', '--since', '1d', '--to', queue, '--format', 'csv'],
      '--format and --output do not go with --to TARGET',
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
    const { code, stdout, stderr } = await replay('--topic', 'classifications', '--to', arn);
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
    const { code, stderr } = await replay('--to', String(sns.topicArns.tags));
    expect(code).toBe(1);
    expect(stderr).toContain('0 events published; to continue, run the same command with --since 2023-10-20');
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
    const { code, stderr } = await replay('--to', queue.arn);
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

  test.each([
    ['its name', 'queue:again'],
    ['its address', 'https://sqs.eu-west-2.amazonaws.com/000000000000/again'],
  ])('finds the queue by %s, beside a filter by rating', async (_case, target) => {
    const queue = await startQueue();
    vi.stubEnv('AWS_REGION', 'eu-west-2');
    const { code, stderr } = await replay('--to', target, '--to', 'green');
    expect({ code, stderr }).toStrictEqual({
      code: 0,
      stderr: `${queue.received.length} events sent to ${target}\n`,
    });
    expect(queue.received.length).toBeGreaterThan(0);
    for (const { MessageBody } of queue.received)
      expect(JSON.parse(MessageBody).data.change.to).toBe('green');
    expect(await replay('--to', target, '--dry-run', '--topic', 'tags')).toMatchObject({
      stderr: expect.stringMatching(`^Dry run: \\d+ events would be sent to ${target}\n`),
    });
  });

  test('sends events again after a transient failure of the queue', async () => {
    const queue = await startQueue((entries, call) =>
      call === 1 ? entries.slice(2).map(({ Id }) => ({ Id, Code: 'InternalError', SenderFault: false })) : [],
    );
    expect((await replay('--to', queue.arn)).code).toBe(0);
    const bodies = queue.received.map(({ MessageBody }) => MessageBody);
    expect(bodies.toSorted()).toStrictEqual(published.toSorted());
  });

  test('gives up on a queue that never accepts an event', async () => {
    const queue = await startQueue((entries) =>
      entries.map(({ Id }) => ({ Id, Code: 'InternalError', SenderFault: false })),
    );
    const { code, stderr } = await replay('--to', queue.arn);
    expect(code).toBe(1);
    expect(stderr).toMatch(/InternalError \(5 resends\).* --since 2023-10-20.*\[REPLAY_FAILED\]\n$/);
  });

  test('reports events that are refused for their content, and sends the others', async () => {
    const queue = await startQueue((_entries, call) =>
      call === 1 ? [{ Id: '0', Code: 'InvalidMessageContents', SenderFault: true }] : [],
    );
    const { code, stderr } = await replay('--to', queue.arn);
    expect({ code, stderr }).toStrictEqual({
      code: 1,
      stderr: expect.stringMatching(
        new RegExp(
          `^${published.length - 1} events sent to ${queue.arn}\nrefused for its content: event [0-9a-f]{32}: InvalidMessageContents`,
        ),
      ),
    });
    expect(queue.received).toHaveLength(published.length - 1);
  });
});

describe('replay to a function', () => {
  interface Invocation {
    readonly path: string;
    readonly type: string;
    readonly payload: { readonly Records: readonly Record<string, Record<string, unknown>>[] };
  }

  /** Lambda's way of invoking a function. `fails` gives the status and error of a call that it does not accept. */
  async function startLambda(
    fails: (body: string, call: number) => readonly [status: number, error: string] | undefined = () =>
      undefined,
  ): Promise<readonly Invocation[]> {
    const received: Invocation[] = [];
    let calls = 0;
    const server: Server = createServer(async (request, response) => {
      const body = await text(request);
      const [status, error] = fails(body, ++calls) ?? [202];
      if (error !== undefined) {
        response.writeHead(status, { 'x-amzn-errortype': error });
        return void response.end(JSON.stringify({ message: 'because' }));
      }
      const type = String(request.headers['x-amz-invocation-type']);
      received.push({ path: request.url ?? '', type, payload: JSON.parse(body) });
      return void response.writeHead(202).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closing.push(async () => {
      server.closeAllConnections();
      server.close();
    });
    useCredentials('LAMBDA', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    vi.stubEnv('AWS_REGION', 'eu-west-2');
    return received;
  }

  test('invokes it for each event, asynchronously, with what SNS passes', async () => {
    const received = await startLambda();
    const { code, stderr } = await replay('--to', 'function:mine');
    expect({ code, stderr }).toStrictEqual({
      code: 0,
      stderr: `${published.length} events sent to function:mine\n`,
    });
    expect(new Set(received.map(({ path, type }) => `${type} ${path}`))).toStrictEqual(
      new Set(['Event /2015-03-31/functions/mine/invocations']),
    );
    const records = received.flatMap(({ payload }) => payload.Records);
    expect(records.map(({ Sns }) => Sns?.Message).toSorted()).toStrictEqual(published.toSorted());
    for (const { Sns } of records) {
      const event = JSON.parse(String(Sns?.Message));
      expect(String(Sns?.MessageId).replaceAll('-', '')).toBe(event.id);
      expect(Sns?.MessageAttributes).toMatchObject({ type: { Type: 'String', Value: event.type } });
    }
  });

  test('gives what the consumer kit reads', async () => {
    const received = await startLambda();
    await replay('--to', 'arn:aws:lambda:eu-west-2:000000000000:function:mine:live', '--topic', 'tags');
    const arrivals = received.flatMap(({ payload }) => readRecords(payload as unknown as SnsInvocation));
    expect(arrivals.length).toBeGreaterThan(0);
    expect(new Set(arrivals.map(({ kind }) => kind))).toStrictEqual(new Set(['event']));
    expect(decodeURIComponent(received[0]?.path ?? '')).toContain(':function:mine:live');
  });

  test('reports what Lambda refuses for its content, and sends the others', async () => {
    const received = await startLambda((_body, call) =>
      call === 3 ? [413, 'RequestTooLargeException'] : undefined,
    );
    const { code, stderr } = await replay('--to', 'function:mine');
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^refused for its content: event [0-9a-f]{32}: RequestTooLargeException because$/m,
    );
    expect(received).toHaveLength(published.length - 1);
  });

  test('stops where it may not invoke, and says where to go on', async () => {
    await startLambda(() => [403, 'AccessDeniedException']);
    const { code, stderr } = await replay('--to', 'function:mine');
    expect(code).toBe(1);
    expect(stderr).toMatch(/Invoking function:mine: access denied: because\. .*--since 2023-10-20;/);
    expect(stderr).not.toContain('canary');
  });
});
