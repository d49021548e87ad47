import { once } from 'node:events';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock as clock } from '../../lambdas/run/clock.ts';
import { type RunningCatalogue, startCatalogue } from '../../sandbox/catalogue/start.ts';
import { type Receivers, startReceivers } from '../aws/receivers.ts';
import { newFolder } from '../new-folder.ts';
import { type Ran, runCommand, words } from './run-command.ts';

const saved = fileURLToPath(new URL('../fixtures/catalogue/', import.meta.url));

let root: string;
let catalogue: RunningCatalogue;
let receivers: Receivers;
beforeEach(async () => {
  root = newFolder();
  catalogue = await startCatalogue({ clock, from: saved });
  receivers = await startReceivers();
});
afterEach(async () => {
  await catalogue.close();
  await receivers.stop();
});

const everyChannel = (): object[] => [
  { kind: 'smtp', to: ['lab@example.org'] },
  { kind: 'slack', webhook: 'lab-slack' },
  { kind: 'teams', webhook: 'lab-teams' },
  { kind: 'webhook', webhook: 'pipeline' },
  { kind: 'atom' },
];

interface Given {
  readonly channels?: readonly object[];
  readonly operations?: readonly object[];
  readonly local?: object;
  readonly env?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  readonly filter?: object;
  /** Null: the first poll bookmarks the newest row. */
  readonly from?: string | null;
}

/** Runs `watch` with settings that name this catalogue as `uk`. */
async function watch(args: readonly string[], given: Given = {}): Promise<Ran> {
  const { channels = everyChannel(), operations = [], local = {}, env = {}, signal } = given;
  const { filter = { to: ['green'], catalogues: ['uk'] }, from = '2023-11-01T00:00:00Z' } = given;
  const settings = {
    stages: {
      production: {
        catalogues: { uk: { base: `${catalogue.url}`, ...(from !== null && { from }) } },
        messages: {
          relay: {
            host: '127.0.0.1',
            port: receivers.mailPort,
            security: 'none',
            from: 'panels@example.org',
          },
        },
        operations: { channels: operations },
        subscriptions: {
          'green-genes': {
            filter,
            zone: 'Europe/London',
            settleMinutes: 0,
            channels,
          },
        },
        alarms: { silentPolls: 2 },
        local,
      },
    },
  };
  const config = join(root, 'settings', 'notifier.config.json');
  await mkdir(join(root, 'settings'), { recursive: true });
  await writeFile(config, JSON.stringify(settings));
  return runCommand(
    ['watch', '--no-page', '--config', config, '--state', join(root, 'state'), '--every', '0', ...args],
    {
      env: {
        CHANNEL_LAB_SLACK: receivers.address('lab-slack'),
        CHANNEL_LAB_TEAMS: receivers.address('lab-teams'),
        CHANNEL_PIPELINE: JSON.stringify({ url: receivers.address('pipeline') }),
        CHANNEL_IT: receivers.address('it'),
        ...env,
      },
      ...(signal && { signal }),
    },
  );
}

const onePoll = ['--polls', '1', '--sweep-every', '0'];

describe('watch with settings', () => {
  test.each([null, '2023-11-01T00:00:00Z'])(
    'says at its start that a name does not exist, with what the lists hold, from %s',
    async (from) => {
      const { stderr } = await watch(['--polls', '1'], {
        from,
        filter: { panels: ['hearing'] },
        channels: [{ kind: 'smtp', to: ['lab@example.org'] }],
      });
      const said = 'No panel is called “hearing”. Did you mean';
      expect(stderr).toContain(`green-genes: ${said}`);
      const mails = await receivers.takeMails('lab@example.org');
      expect(mails.map(({ text }) => text)).toStrictEqual([expect.stringContaining(said)]);
    },
  );

  test('stops at once where a receiver hangs, and says what is left for the next start', async () => {
    const stop = new AbortController();
    const hanging = createServer(() => stop.abort(new Error('stopped'))).listen(0, '127.0.0.1');
    await once(hanging, 'listening');
    const { port } = hanging.address() as AddressInfo;
    const { stderr } = await watch(['--sweep-every', '0'], {
      channels: [{ kind: 'slack', webhook: 'lab-slack' }],
      env: { CHANNEL_LAB_SLACK: `http://127.0.0.1:${port}/hook` },
      signal: stop.signal,
    });
    hanging.closeAllConnections();
    hanging.close();
    expect(stderr).toMatch(
      /^\d+ messages? not sent yet: the next start sends (?:it|them)\. "messages list" shows/m,
    );
  });

  test('sends the messages of a subscription over every channel, and none twice', async () => {
    const { code, stdout } = await watch(onePoll);
    expect(code).toBe(0);
    expect(stdout).toContain('SFTPC');
    const mails = await receivers.takeMails('lab@example.org');
    const subjects = mails.map(({ subject = '' }) => subject);
    expect(subjects).toStrictEqual([
      '2 changes on Hereditary ataxia - from…: UMOD now green, SFTPC rated green (earlier rating unknown)',
    ]);
    // A subject is cut where it would be too long.
    expect(receivers.takePosted('lab-slack').map(({ body }) => JSON.parse(body).text)).toStrictEqual([
      '2 changes on Hereditary ataxia - from infancy to adulthood: UMOD now green, SFTPC rated green (earlier rating unknown)',
    ]);
    expect(receivers.takePosted('lab-teams')).toHaveLength(mails.length);
    const events = receivers.takePosted('pipeline').map(({ body }) => JSON.parse(body).data);
    expect(events.length).toBeGreaterThanOrEqual(mails.length);
    for (const { catalogue: name, change } of events)
      expect([name, change.to]).toStrictEqual(['uk', 'green']);
    const feed = await readFile(join(root, 'settings', 'feeds', 'green-genes.xml'), 'utf8');
    expect(feed.match(/<entry>/g)).toHaveLength(mails.length);

    await watch(onePoll);
    expect(await receivers.takeMails('lab@example.org')).toStrictEqual([]);
    for (const name of ['lab-slack', 'lab-teams', 'pipeline']) {
      expect(receivers.takePosted(name)).toStrictEqual([]);
    }
  });

  test('sends what other commands publish while it is stopped, once, to those who followed before', async () => {
    await catalogue.close();
    catalogue = await startCatalogue({ clock, history: 100 });
    const channels = [{ kind: 'webhook', webhook: 'pipeline' }];
    const given = { channels, filter: { catalogues: ['uk'] }, from: null };
    await watch(['--polls', '1'], given);
    receivers.takePosted('pipeline');
    const place = ['--catalogue', catalogue.url, '--name', 'uk', '--state', join(root, 'state')];
    const published: string[] = [];
    for (const [command, kind] of [
      ['poll --only log', 'rate'],
      ['poll --only listings', 'make internal silently'],
      ['verify', 'edit the name silently'],
    ] as const) {
      catalogue.act({ kind });
      await runCommand([...command.split(' '), ...place]);
      const { stdout } = await runCommand(['history', '--state', join(root, 'state'), '--format', 'ndjson']);
      const ids = stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line).id as string]));
      expect(ids.length, `${command} publishes`).toBeGreaterThan(published.length);
      published.splice(0, published.length, ...ids);
    }
    await watch(onePoll, given);
    const sent = receivers.takePosted('pipeline').map(({ body }) => JSON.parse(body).id as string);
    expect(sent.toSorted()).toStrictEqual(published.toSorted());
    await watch(onePoll, given);
    expect(receivers.takePosted('pipeline')).toStrictEqual([]);
  });

  test('goes on with what an earlier process could not send', async () => {
    receivers.answerWith('lab-slack', 500);
    const channels = [{ kind: 'slack', webhook: 'lab-slack' }];
    const failed = await watch(onePoll, { channels });
    expect(failed.stderr).toContain('A message could not be sent');
    expect(failed.stderr).not.toContain(receivers.address('lab-slack'));
    receivers.answerWith('lab-slack', 200);
    const later = { ...clock, now: () => clock.now() + 120_000 };
    await runCommand(
      words`watch --no-page --config ${join(root, 'settings', 'notifier.config.json')}
        --state ${join(root, 'state')} ${onePoll} --every 0`,
      { env: { CHANNEL_LAB_SLACK: receivers.address('lab-slack') }, clock: later },
    );
    expect(receivers.takePosted('lab-slack').length).toBeGreaterThan(0);
  });

  test('says that a message may come again where the state was restored from a copy', async () => {
    receivers.answerWith('lab-slack', 500);
    const channels = [{ kind: 'slack', webhook: 'lab-slack' }];
    await watch(onePoll, { channels });
    receivers.answerWith('lab-slack', 200);
    receivers.takePosted('lab-slack');
    await mkdir(join(root, 'restored'));
    await copyFile(join(root, 'state', 'notifier.sqlite'), join(root, 'restored', 'notifier.sqlite'));
    const later = { ...clock, now: () => clock.now() + 120_000 };
    const config = join(root, 'settings', 'notifier.config.json');
    await runCommand(
      words`watch --no-page --config ${config} --state ${join(root, 'restored')} ${onePoll} --every 0`,
      { env: { CHANNEL_LAB_SLACK: receivers.address('lab-slack') }, clock: later },
    );
    const [posted] = receivers.takePosted('lab-slack');
    expect(posted?.body).toContain('the notifier was restored from a backup');
  });

  test('reads secrets from files beside the settings', async () => {
    await mkdir(join(root, 'settings'), { recursive: true });
    await writeFile(join(root, 'settings', 'teams.txt'), `${receivers.address('from-file')}\n`);
    const channels = [{ kind: 'teams', webhook: 'lab-teams' }];
    await watch(onePoll, { channels, local: { secrets: { 'lab-teams': { file: 'teams.txt' } } } });
    expect(receivers.takePosted('from-file').length).toBeGreaterThan(0);
    expect(receivers.takePosted('lab-teams')).toStrictEqual([]);
  });

  test('says at once which secret is missing and where to put it', async () => {
    const { stderr } = await watch(onePoll, {
      channels: [{ kind: 'slack', webhook: 'lab-slack' }],
      env: { CHANNEL_LAB_SLACK: '' },
    });
    expect(stderr).toMatch(
      /Messages will wait\. Reading the secret "lab-slack" from CHANNEL_LAB_SLACK in the/,
    );
  });

  test('says which channels only a deployment has', async () => {
    const email = { kind: 'email', to: 'lab@example.org' };
    const some = await watch(onePoll, { channels: [email, { kind: 'atom' }] });
    expect(some.code).toBe(0);
    expect(some.stderr).toContain("subscriptions.green-genes: the channel 'email' goes through AWS SNS");
    const none = await watch(onePoll, { channels: [email, { kind: 'amazon-q' }] });
    expect(none.code).toBe(1);
    expect(none.stderr).toMatch(/no subscription has a channel that works from this machine/);
  });

  test('sends a message when the catalogue cannot be read, and one when it can again', async () => {
    const operations = [{ kind: 'slack', webhook: 'it' }];
    const headlines = (): string[] =>
      receivers.takePosted('it').map(({ body }) => JSON.parse(body).text as string);
    await watch(onePoll, { operations });
    catalogue.fail({ kind: 'status', status: 404 }, { times: 3 });
    for (let poll = 0; poll < 3; poll++) await watch(onePoll, { operations });
    expect(headlines()).toStrictEqual([
      expect.stringMatching(/^No changes from catalogue uk since \d\d:\d\d: the notifier cannot read it$/),
    ]);
    for (let poll = 0; poll < 2; poll++) await watch(onePoll, { operations });
    expect(headlines()).toStrictEqual(['Catalogue uk is being read again']);
  });

  test('goes on where its first polls meet a page of HTML, and says so to operations', async () => {
    catalogue.fail({ kind: 'html' }, { times: 2 });
    const operations = [{ kind: 'slack', webhook: 'it' }];
    const ran = await watch(['--polls', '4', '--sweep-every', '0'], { operations, from: null });
    expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining('HTML') });
    const headlines = receivers.takePosted('it').map(({ body }) => JSON.parse(body).text as string);
    // Both are sent at once, in no order.
    expect(headlines.toSorted()).toStrictEqual([
      'Catalogue uk is being read again',
      expect.stringMatching(/^No changes from catalogue uk since \d\d:\d\d: the notifier cannot read it$/),
    ]);
  });

  test.each([
    [['--config', 'missing.json'], 1, /Could not read the settings file/],
    [['--stage', 'trial'], 2, /has no such stage; it has production/],
    [['--name', 'australia'], 2, /has the catalogues uk.*Give --name with one of them/],
  ])('refuses %j', async (args, code, expected) => {
    const ran = await watch([...onePoll, ...args]);
    expect(ran.code).toBe(code);
    expect(ran.stderr).toMatch(expected);
  });
});
