import { createHash, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { topics } from '../../lambdas/events/kinds.ts';
import { startCloudFormation } from './deployed-notifier.ts';
import { runCommand } from './run-command.ts';

const md5 = (body: string): string => createHash('md5').update(body).digest('hex');
const closing: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

interface Kept {
  readonly MessageId: string;
  readonly Body: string;
  readonly MessageAttributes?: object;
  hidden: boolean;
}

/** Queues that speak the JSON protocol of SQS; a received message is hidden. */
async function startQueues(names: readonly string[]): Promise<ReadonlyMap<string, Kept[]>> {
  const queues = new Map<string, Kept[]>(names.map((name) => [name, []]));
  const server = createServer(async (request, response) => {
    const given = JSON.parse(await text(request));
    const name = given.QueueName ?? String(given.QueueUrl).split('/').at(-1);
    const kept = queues.get(name);
    const reply = (body: object, status = 200): void =>
      void response
        .writeHead(status, { 'content-type': 'application/x-amz-json-1.0' })
        .end(JSON.stringify(body));
    if (kept === undefined)
      return reply({ __type: 'com.amazonaws.sqs#QueueDoesNotExist', message: 'no such queue' }, 400);
    switch (String(request.headers['x-amz-target']).replace('AmazonSQS.', '')) {
      case 'GetQueueUrl':
        return reply({ QueueUrl: `${url()}/000000000000/${name}` });
      case 'GetQueueAttributes': {
        const hidden = kept.filter((each) => each.hidden).length;
        return reply({
          Attributes: {
            ApproximateNumberOfMessages: String(kept.length - hidden),
            ApproximateNumberOfMessagesNotVisible: String(hidden),
          },
        });
      }
      case 'ReceiveMessage': {
        const taken = kept.filter((each) => !each.hidden).slice(0, given.MaxNumberOfMessages);
        for (const each of taken) each.hidden = true;
        return reply({
          Messages: taken.map(({ hidden: _, ...each }) => ({
            ...each,
            MD5OfBody: md5(each.Body),
            ReceiptHandle: each.MessageId,
          })),
        });
      }
      case 'ChangeMessageVisibility':
        for (const each of kept)
          if (each.MessageId === given.ReceiptHandle) each.hidden = given.VisibilityTimeout > 0;
        return reply({});
      case 'DeleteMessage':
        kept.splice(
          kept.findIndex(({ MessageId }) => MessageId === given.ReceiptHandle),
          1,
        );
        return reply({});
      case 'SendMessage': {
        const { MessageBody: Body, MessageAttributes } = given;
        const MessageId = randomUUID();
        kept.push({ MessageId, Body, MessageAttributes, hidden: false });
        return reply({ MessageId, MD5OfMessageBody: md5(Body) });
      }
      case 'PurgeQueue':
        kept.length = 0;
        return reply({});
      default:
        return reply({ message: 'not known here' }, 500);
    }
  });
  const url = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  vi.stubEnv('AWS_ENDPOINT_URL_SQS', url());
  return queues;
}

const stack = 'gene-panel-notifier-production';
const own = ['missed-runs', 'failed-runs', 'undelivered', 'unsent', 'notify'].map(
  (name) => `${stack}-${name}`,
);

async function stage() {
  const outputs = {
    TableName: 'marks',
    HistoryTable: 'history',
    Catalogues: 'uk',
    ...Object.fromEntries(
      topics.map((topic) => [
        `Topic${topic.charAt(0).toUpperCase()}${topic.slice(1)}`,
        `arn:aws:sns:eu-west-2:000000000000:${topic}`,
      ]),
    ),
  };
  const cloudFormation = await startCloudFormation({ [stack]: outputs });
  closing.push(() => cloudFormation.close());
  const queues = await startQueues([...own, 'our-pipeline']);
  const put = (queue: string, count: number): void => {
    for (let at = 0; at < count; at++)
      queues.get(queue)?.push({ MessageId: `${queue}-${at}`, Body: `{"id":"event ${at}"}`, hidden: false });
  };
  const bodiesIn = (queue: string): readonly string[] => (queues.get(queue) ?? []).map(({ Body }) => Body);
  const hide = (queue: string): void => {
    for (const each of queues.get(queue) ?? []) each.hidden = true;
  };
  return {
    put,
    hide,
    bodiesIn,
    run: (...args: string[]) => runCommand(['messages', 'queues', '--stage', 'production', ...args]),
  };
}

describe('queues', () => {
  test('states how many messages each queue of dead letters holds', async () => {
    const { put, run } = await stage();
    put(`${stack}-undelivered`, 12);
    const { code, stdout } = await run();
    expect(code).toBe(0);
    expect(stdout).toMatch(/^undelivered +12 {2}messages that a subscription could not deliver$/m);
    expect(stdout).toMatch(/^missed-runs +0 /m);
  });

  test('shows the messages of one, without what steers a terminal', async () => {
    const { put, run, bodiesIn } = await stage();
    put(`${stack}-undelivered`, 11);
    const { stdout, stderr } = await run('undelivered');
    expect(stdout.trim().split('\n')).toHaveLength(11);
    expect(stdout).toContain('{"id":"event 10"}');
    expect(stderr).toBe('11 messages in undelivered\n');
    expect(bodiesIn(`${stack}-undelivered`)).toHaveLength(11);
  });

  test('sends each message to another queue, and removes it after that alone', async () => {
    const { put, run, bodiesIn } = await stage();
    put(`${stack}-undelivered`, 12);
    const { code, stderr } = await run('undelivered', '--redeliver', '--to', 'queue:our-pipeline');
    expect(code).toBe(0);
    expect(stderr).toMatch(/^12 messages sent to \S+our-pipeline, and removed here\n$/);
    expect(bodiesIn('our-pipeline')).toHaveLength(12);
    expect(bodiesIn(`${stack}-undelivered`)).toEqual([]);
  });

  test('sends at once what a person has just looked at', async () => {
    const { put, run, bodiesIn } = await stage();
    put(`${stack}-undelivered`, 12);
    await run('undelivered');
    const { code, stderr } = await run('undelivered', '--redeliver', '--to', 'queue:our-pipeline');
    expect(code).toBe(0);
    expect(stderr).toMatch(/^12 messages sent/);
    expect(bodiesIn('our-pipeline')).toHaveLength(12);
  });

  test('says that messages are hidden, which somebody else is looking at, and ends with 1', async () => {
    const { put, run, hide } = await stage();
    put(`${stack}-undelivered`, 2);
    hide(`${stack}-undelivered`);
    const looked = await run('undelivered');
    expect(looked.code).toBe(1);
    expect(looked.stderr).toBe(
      '0 messages in undelivered. 2 more are hidden: somebody received them. Try again in five minutes.\n',
    );
    const { code, stderr } = await run('undelivered', '--redeliver', '--to', 'queue:our-pipeline');
    expect(code).toBe(1);
    expect(stderr).toContain('2 more are hidden');
  });

  test('sends unsent messages to notify, and removes nothing where the other queue is missing', async () => {
    const { put, run, bodiesIn } = await stage();
    put(`${stack}-unsent`, 2);
    expect((await run('unsent', '--redeliver')).code).toBe(0);
    expect(bodiesIn(`${stack}-notify`)).toHaveLength(2);
    put(`${stack}-undelivered`, 1);
    const { code, stderr } = await run('undelivered', '--redeliver', '--to', 'queue:not-there');
    expect(code).toBe(1);
    expect(stderr).toContain('Reading the queues of');
    expect(bodiesIn(`${stack}-undelivered`)).toHaveLength(1);
  });

  test('empties a queue only with --yes', async () => {
    const { put, run, bodiesIn } = await stage();
    put(`${stack}-missed-runs`, 3);
    const asked = await run('missed-runs', '--empty');
    expect(asked.code).toBe(2);
    expect(asked.stderr).toBe(
      '3 messages of missed-runs would be removed for good. Nothing was removed. Add --yes.\n',
    );
    expect(bodiesIn(`${stack}-missed-runs`)).toHaveLength(3);
    expect((await run('missed-runs', '--empty', '--yes')).code).toBe(0);
    expect(bodiesIn(`${stack}-missed-runs`)).toEqual([]);
  });

  test.each([
    [['letters'], /expected one of missed-runs, failed-runs, undelivered, unsent/],
    [['undelivered', '--redeliver'], /--redeliver needs --to QUEUE for undelivered/],
    [['undelivered', '--redeliver', '--to', 'function:x'], /expected a queue/],
    [['--empty'], /name one queue/],
    [['undelivered', '--yes'], /--yes goes with --empty only/],
  ])('refuses %j', async (args, message) => {
    const { run } = await stage();
    const { code, stderr } = await run(...args);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });
});
