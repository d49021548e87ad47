import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { topics } from '../../lambdas/events/kinds.ts';
import { type Receivers, startReceivers } from '../aws/receivers.ts';
import { newFolder } from '../new-folder.ts';
import { startCloudFormation, useCredentials } from './deployed-notifier.ts';
import { type Ran, runCommand } from './run-command.ts';

let root: string;
let config: string;
let receivers: Receivers;
/** The address of a catalogue that responds. */
let catalogue: string;
beforeEach(async () => {
  const server = createServer((_, response) =>
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end('{"count":1,"next":null,"previous":null,"results":[]}'),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  catalogue = `http://localhost:${(server.address() as AddressInfo).port}/api/v1/`;
  root = newFolder();
  config = join(root, 'notifier.config.json');
  receivers = await startReceivers();
});
afterEach(() => receivers.stop());

async function writeSettings(
  channels: readonly object[],
  operations: readonly object[] = [],
  { pipeline = {}, ...more }: { readonly pipeline?: object; readonly [key: string]: unknown } = {},
): Promise<void> {
  const stage = {
    ...more,
    catalogues: { uk: { base: catalogue } },
    messages: {
      relay: { host: '127.0.0.1', port: receivers.mailPort, security: 'none', from: 'panels@example.org' },
    },
    operations: { channels: operations },
    subscriptions: { greens: { filter: { to: ['green'] }, channels }, ...pipeline },
  };
  await writeFile(config, JSON.stringify({ name: 'panels', stages: { trial: stage } }));
}

const doctor = (...args: string[]): Promise<Ran> =>
  runCommand(['doctor', '--config', config, '--state', join(root, 'state'), ...args], {
    env: {
      CHANNEL_LAB: receivers.address('lab'),
      CHANNEL_TEAM: receivers.address('team'),
      CHANNEL_IT: receivers.address('it'),
      CHANNEL_PIPELINE: receivers.address('pipeline'),
    },
  });

describe('doctor --config', () => {
  test('says who may subscribe to the topics, and which queues must confirm', async () => {
    const queue = 'arn:aws:sqs:eu-west-2:210987654321:pipeline';
    await writeSettings([], [], {
      share: { accounts: ['210987654321', '321098765432'], organisation: 'o-a1b2c3d4e5' },
      pipeline: { pipeline: { topics: ['tags'], queue } },
      account: '123456789012',
      region: 'eu-west-2',
    });
    const { stdout } = await doctor();
    expect(stdout).toContain(
      'ok       share: Beside the account of the stack, the accounts 210987654321, 321098765432 and every account of the organisation o-a1b2c3d4e5 may subscribe',
    );
    expect(stdout).toContain(`warning  subscriptions.pipeline: The owner of ${queue} must confirm`);
  });

  test('says which catalogues the relay makes readable, and for whom', async () => {
    const relay = { address: 'https://relay.example.org' };
    await writeSettings([], [], { relay });
    expect((await doctor()).stdout).toMatch(
      /^ok {7}relay: What these catalogues answer is written as files each hour: uk\. .* the account of the stack alone/m,
    );
    const distribution = 'arn:aws:cloudfront::123456789012:distribution/E1A2B3C4D5E6F7';
    await writeSettings([], [], { relay: { ...relay, distribution } });
    expect((await doctor()).stdout).toContain(`whoever is served by ${distribution} may read them`);
  });

  test('says nothing of sharing where nothing is shared', async () => {
    await writeSettings([]);
    expect((await doctor()).stdout).not.toMatch(/share|confirm|relay:/);
  });

  test('sends a marked trial to each channel of each subscription and of operations', async () => {
    await writeSettings(
      [
        { kind: 'slack', webhook: 'lab' },
        { kind: 'teams', webhook: 'team' },
        { kind: 'smtp', to: ['a@example.org'] },
        { kind: 'webhook', webhook: 'pipeline' },
        { kind: 'atom' },
        { kind: 'amazon-q' },
      ],
      [{ kind: 'slack', webhook: 'it' }],
    );
    const { code, stdout } = await doctor();
    const words = 'Trial message for greens: no gene changed';
    expect(JSON.parse(receivers.takePosted('lab')[0]?.body ?? '').text).toBe(words);
    expect(JSON.parse(receivers.takePosted('team')[0]?.body ?? '').attachments[0].content.fallbackText).toBe(
      words,
    );
    expect(JSON.parse(receivers.takePosted('pipeline')[0]?.body ?? '')).toMatchObject({
      type: 'gene-panel-notifier.trial.v1',
      data: { summary: `${words}.` },
    });
    expect(JSON.parse(receivers.takePosted('it')[0]?.body ?? '').text).toBe(
      'Trial message for operations: no gene changed',
    );
    expect((await receivers.takeMails('a@example.org')).map(({ subject }) => subject)).toStrictEqual([words]);
    expect(await readFile(join(root, 'feeds', 'greens.xml'), 'utf8')).toContain(words);
    expect(stdout.split('\n').filter((line) => line.startsWith('ok'))).toHaveLength(7);
    expect(stdout).toContain(
      "skipped  messages: subscriptions.greens: the channel 'amazon-q' listens to an AWS SNS",
    );
    expect(code).toBe(0);
  });

  test('says which channel failed and why, and tries the others', async () => {
    await writeSettings([
      { kind: 'slack', webhook: 'lab' },
      { kind: 'slack', webhook: 'unknown' },
      { kind: 'teams', webhook: 'team' },
    ]);
    receivers.answerWith('lab', 404);
    const { code, stdout } = await doctor();
    expect(code).toBe(1);
    expect(stdout).toMatch(/^failed {3}greens, slack:lab: .*the response is HTTP 404/m);
    expect(stdout).toMatch(
      /^failed {3}greens, slack:unknown: .*CHANNEL_UNKNOWN in the environment: it is missing/m,
    );
    expect(stdout).toMatch(/^ok {7}greens, teams:team: A trial message was sent/m);
    expect(stdout).not.toContain('127.0.0.1');
  });

  test('fails where a catalogue of the settings cannot be reached, and sends the trials all the same', async () => {
    catalogue = 'http://localhost:1/api/v1/';
    await writeSettings([{ kind: 'slack', webhook: 'lab' }]);
    const { code, stdout } = await doctor();
    expect(code).toBe(1);
    expect(stdout).toMatch(/^failed {3}catalogue: .*localhost/m);
    expect(stdout).toMatch(/^ok {7}greens, slack:lab: A trial message was sent/m);
  });

  test('says that there is nothing to try', async () => {
    await writeSettings([]);
    expect((await doctor()).stdout).toMatch(/^warning {2}messages: No subscription has a channel/m);
  });
});

describe('doctor --stage', () => {
  /** Answers the invocation of one function. */
  async function startLambda(answer: object, status = 200): Promise<string[]> {
    const asked: string[] = [];
    const server = createServer(async (request, response) => {
      asked.push(`${request.url} ${await text(request)}`);
      response
        .writeHead(status, { 'x-amzn-errortype': 'ResourceNotFoundException' })
        .end(JSON.stringify(answer));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    vi.stubEnv('AWS_ENDPOINT_URL_LAMBDA', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    useCredentials();
    return asked;
  }

  async function doctorOfStage(): Promise<Ran> {
    await writeSettings([{ kind: 'slack', webhook: 'lab' }]);
    const outputs = {
      TableName: 'marks',
      HistoryTable: 'history',
      Catalogues: 'uk',
      ...Object.fromEntries(
        topics.map((topic) => [`Topic${topic.slice(0, 1).toUpperCase()}${topic.slice(1)}`, 'arn:x']),
      ),
    };
    const cloudFormation = await startCloudFormation({ 'panels-trial': outputs });
    onTestFinished(() => cloudFormation.close());
    return doctor('--stage', 'trial');
  }

  test('has the deployed function send the trials, and shows the outcome of each', async () => {
    const asked = await startLambda({
      alarmEmail: 'missing',
      trials: [
        { subscription: 'greens', channel: 'email:a@example.org', sent: true, text: 'SNS took it.' },
        { subscription: 'greens', channel: 'slack:lab', sent: false, text: 'It answered 404.' },
      ],
    });
    const { code, stdout } = await doctorOfStage();
    expect(asked).toStrictEqual(['/2015-03-31/functions/panels-trial-notify/invocations {"send":"trial"}']);
    const [mail, slack, alarms] = stdout.split('\n');
    expect(mail).toBe('ok       greens, email:a@example.org: A trial message was sent. SNS took it.');
    expect(slack).toBe('failed   greens, slack:lab: It answered 404.');
    expect(alarms).toMatch(/^failed {3}alarms\.email: The address is not subscribed to its topic any more/);
    expect(code).toBe(1);
    expect(receivers.takePosted('lab')).toStrictEqual([]);
  });

  test.each([
    ['an earlier version', {}, 200, /gave no list of trial messages\. Deploy it with this version/],
    [
      'no messages',
      { Message: 'no such function' },
      404,
      /does not exist .*once a subscription, or operations, has channels/,
    ],
  ])('says what to do where there is %s', async (_title, answer, status, expected) => {
    await startLambda(answer, status);
    const { code, stdout } = await doctorOfStage();
    expect(stdout).toMatch(expected);
    expect(code).toBe(1);
  });
});
