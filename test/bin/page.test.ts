import { writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { join } from 'node:path';
import { DeleteTableCommand, DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { createDynamoPanelStates } from '../../lambdas/panels/dynamodb-panel-states.ts';
import { toMessage } from '../../lambdas/publishing/message.ts';
import { type Clock, systemClock } from '../../lambdas/run/clock.ts';
import { createDynamoHistory } from '../../lambdas/store/history/dynamodb.ts';
import { createSqliteHistory } from '../../lambdas/store/history/sqlite.ts';
import { createDynamoItems } from '../../lambdas/store/items-dynamodb.ts';
import { openStateFile } from '../../lambdas/store/sqlite-file.ts';
import { PEOPLE } from '../../page/sign-in/people-file.ts';
import { createProgramTokens, createSessions } from '../../page/sign-in/sessions.ts';
import { newFolder } from '../new-folder.ts';
import { keepTwoVersions } from '../page/open-cases.ts';
import { madeUpGene, madeUpState } from '../panels/made-up-states.ts';
import { serveSavedLog } from '../poll/saved-log.ts';
import { selfSigned } from '../sandbox/identity/self-signed.ts';
import { openLocalTable } from '../store/local-table.ts';
import { turnedGreen } from '../words/events.ts';
import {
  type CloudFormation,
  type DeployedNotifier,
  startCloudFormation,
  startDeployedNotifier,
} from './deployed-notifier.ts';
import { type Ran, runCommand } from './run-command.ts';

let root: string;
let state: string;
let config: string;
let deployed: DeployedNotifier;
let cloudFormation: CloudFormation | undefined;
beforeAll(async () => {
  const log = await serveSavedLog();
  root = newFolder();
  state = join(root, 'state');
  config = join(root, 'settings.json');
  const catalogues = { saved: { base: 'https://catalogue.example/api/v1/' } };
  await writeFile(config, JSON.stringify({ name: 'panels', stages: { second: { catalogues } } }));
  const place = ['--catalogue', log.url, '--state', state, '--name', 'saved', '--from', '2023-10-20'];
  const { stdout } = await runCommand(['poll', '--only', 'log', ...place]);
  deployed = await startDeployedNotifier(stdout.split('\n').filter(Boolean));
  await log.close();
});
afterAll(() => deployed.close());
afterEach(async () => {
  await cloudFormation?.close();
  cloudFormation = undefined;
});

/** A clock that stands still; `wake` ends every sleep. */
function stillClock(): Clock & { wake(): void } {
  const sleepers = new Set<() => void>();
  return {
    now: () => Date.parse('2023-11-20T12:00:00Z'),
    random: () => 0.5,
    sleep: (_ms, signal) =>
      new Promise<void>((resolve, reject) => {
        sleepers.add(resolve);
        signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
      }),
    wake() {
      for (const resolve of sleepers) resolve();
      sleepers.clear();
    },
  };
}

/** The page of a command that runs, while `use` reads it. */
async function served(
  args: readonly string[],
  use: (get: (address: string) => Promise<Response>, wake: () => void) => Promise<void>,
): Promise<Ran> {
  const stopping = new AbortController();
  const clock = stillClock();
  let printed = '';
  const { promise: started, resolve } = Promise.withResolvers<string>();
  const running = runCommand(['page', '--port', '0', ...args], {
    clock,
    signal: stopping.signal,
    onMessage: (text) => {
      printed += text;
      const [, url] = /^Page: (\S+)$/m.exec(printed) ?? [];
      if (url !== undefined) resolve(url);
    },
  });
  try {
    const url = await Promise.race([started, running.then((ran) => Promise.reject(new Error(ran.stderr)))]);
    await use((address) => fetch(new URL(address, url)), clock.wake);
  } finally {
    stopping.abort();
  }
  return running;
}

const idsIn = (html: string): readonly string[] =>
  [...html.matchAll(/ id="e-([0-9a-f]+)"/g)].map(([, id = '']) => id);

const onStage = async (): Promise<readonly string[]> => {
  cloudFormation = await startCloudFormation({ 'panels-second': deployed.outputs });
  vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', deployed.endpoint);
  return ['--stage', 'second', '--config', config];
};

describe('page', () => {
  test('shows of a stage what it shows of the folder with the same history', async () => {
    let here: readonly string[] = [];
    const ran = await served(['--state', state], async (get) => {
      here = idsIn(await (await get('/?since=all')).text());
    });
    expect(ran.code).toBe(0);
    expect(here.length).toBeGreaterThan(50);
    await served(await onStage(), async (get) => {
      expect(idsIn(await (await get('/?since=all')).text())).toStrictEqual(here);
      expect((await get('/events.csv?since=all')).status).toBe(200);
      const watcher = await (await get('/watcher')).text();
      expect(watcher).toContain('stage second, read 20 Nov 2023');
      expect(watcher).toContain('messages list --stage second');
      const worklist = await get('/worklist');
      expect([worklist.status, await worklist.text()]).toStrictEqual([
        404,
        expect.stringContaining('This stage keeps none'),
      ]);
    });
  });

  test('shows what a stage publishes meanwhile, and the newest state of its panels', async () => {
    const args = await onStage();
    const dynamodb = new DynamoDBClient({ endpoint: deployed.endpoint, region: 'eu-west-2' });
    const table = String(deployed.outputs.HistoryTable);
    const clock = stillClock();
    const later = turnedGreen({ id: 'ab12', time: '2023-11-19T09:00:00.000000Z' });
    await createDynamoPanelStates({ dynamodb, table, catalogue: 'saved', clock }).save(
      madeUpState({ panelId: 3, entities: [madeUpGene('NOEVENT1')] }),
    );
    await served(args, async (get, wake) => {
      expect((await get('/gene?name=NOEVENT1')).status).toBe(200);
      expect(await (await get('/?since=all')).text()).not.toContain('e-ab12');
      await createDynamoHistory({ dynamodb, table, clock }).append([toMessage(later)], {
        catalogue: 'uk',
        since: 1_700_000_000_000_000n,
        until: 1_700_390_000_000_000n,
      });
      wake();
      await vi.waitFor(async () => expect(await (await get('/?since=all')).text()).toContain('e-ab12'));
    });
    dynamodb.destroy();
  });

  test('says on every view that the stage cannot be read any more, and why', async () => {
    await served(await onStage(), async (get, wake) => {
      const dynamodb = new DynamoDBClient({ endpoint: deployed.endpoint, region: 'eu-west-2' });
      await dynamodb.send(new DeleteTableCommand({ TableName: String(deployed.outputs.HistoryTable) }));
      dynamodb.destroy();
      wake();
      await vi.waitFor(
        async () =>
          expect(await (await get('/')).text()).toContain('stage second unreadable since 20 Nov 2023'),
        { timeout: 30_000 },
      );
      expect(await (await get('/watcher')).text()).toContain('so newer changes are not shown');
    });
  }, 60_000);

  test('--cases shows on each entry of the worklist how many cases it concerns', async () => {
    const [folder, cases] = [join(root, 'with-cases'), join(root, 'cases.csv')];
    const file = openStateFile(folder);
    const green = [turnedGreen({ gene: 'PALB2', time: '2023-11-19T09:00:00.000000Z' })];
    await createSqliteHistory(file).append(
      green.map((event) => toMessage(event)),
      { catalogue: 'uk', since: 1n, until: 2n },
    );
    await keepTwoVersions(file, stillClock().now);
    file.close();
    await writeFile(cases, 'case,panel,version\nCANARY1,R208,4.0\nCANARY2,635,4.0\nCANARY3,R208,4.12\n');
    const ran = await served(['--state', folder, '--cases', cases], async (get) => {
      const list = await (await get('/worklist')).text();
      expect(list).toContain('<b>2 cases</b>');
      expect(list).not.toContain('CANARY');
    });
    expect(`${ran.stdout}${ran.stderr}`).not.toContain('CANARY');
  });

  test('--cases names nothing that the page does not take where a heading is missing', async () => {
    const cases = join(root, 'other.csv');
    await writeFile(cases, 'Referral,Test\nCANARY1,R208\n');
    const { code, stderr } = await runCommand(['page', '--state', state, '--cases', cases]);
    expect([code, stderr]).toStrictEqual([
      1,
      expect.stringMatching(/rename them in the file\. The commands impact and worklist also take/),
    ]);
    expect(stderr).not.toContain('CANARY');
  });

  test.each([
    [['--state', 'a', '--stage', 'b'], '--state and --stage name different places'],
    [['--config', 'a'], '--config goes with --stage NAME only'],
    [['--port', 'x'], '--port "x": expected a whole number'],
  ])('refuses %j', async (args, message) => {
    const { code, stderr } = await runCommand(['page', ...args]);
    expect([code, stderr]).toStrictEqual([2, expect.stringContaining(message)]);
  });
});

describe('page --sign-in', () => {
  const roles = { claim: 'roles', reader: 'everyone' };
  const provider = { issuer: 'https://login.example.org', clientId: 'page' };
  const address = 'https://panels.example.org';
  const proxyHeaders = { person: 'x-user' };
  test.each([
    [{}, 'address: saw nothing, expected the address of the page that begins with https://'],
    [{ address, provider, proxyHeaders, roles }, 'expected either provider or proxyHeaders'],
    [{ address, proxyHeaders, roles }, 'expected proxies beside proxyHeaders'],
    [
      { address: 'http://panels.example.org', provider, roles },
      'expected the address of the page that begins with https://',
    ],
    [{ address: `${address}/x`, provider, roles }, 'expected an address without a path'],
    [
      { address, provider: { ...provider, issuer: 'http://login.example.org' }, roles },
      'expected an issuer that begins with https://',
    ],
    [
      { address, provider: { ...provider, scope: 'profile' }, roles },
      'expected scopes with openid among them',
    ],
    [{ address, provider, roles, proxies: ['proxy'] }, 'expected an IP address'],
    [{ address, provider, roles, rolls: 1 }, 'rolls: unknown key, expected only address, '],
  ])('refuses %j', async (settings, message) => {
    const file = join(root, 'sign-in.json');
    await writeFile(file, JSON.stringify(settings));
    const { code, stderr } = await runCommand(['page', '--state', state, '--sign-in', file]);
    expect([code, stderr]).toStrictEqual([1, expect.stringContaining(message)]);
  });

  test.each([
    [['--cases', '-'], 'expected a file, since each view of the worklist reads it'],
    [['--cases', 'missing.csv'], 'Reading the cases in missing.csv: there is no such file'],
    [['--listen', '0.0.0.0'], '--listen goes with --sign-in only'],
    [['--certificate', 'page.pem'], '--certificate and --key go together'],
    [['--sign-in', 'FILE', '--listen', '0.0.0.0'], 'must be encrypted'],
    [
      ['--sign-in', 'FILE', '--listen', '192.0.2.1', '--port', '0', '--certificate', 'FILE', '--key', 'FILE'],
      'PEM',
    ],
  ])('refuses %j', async (args, message) => {
    const file = join(root, 'good.json');
    await writeFile(file, JSON.stringify({ address, provider, roles }));
    const given = args.map((one) => (one === 'FILE' ? file : one));
    const people = ['--people', join(root, 'people')].slice(0, args.includes('--sign-in') ? 2 : 0);
    const { code, stderr } = await runCommand(['page', '--state', state, ...given, ...people]);
    expect(code).toBeGreaterThan(0);
    expect(stderr).toContain(message);
  });

  test('serves HTTPS with a given certificate: who has no session is led to the sign-in', async () => {
    const name = 'panels.example.org';
    const { certificate, privateKey } = selfSigned({ name, from: 0, until: Date.parse('2049-01-01') });
    const [signIn, pem, key] = ['https.json', 'page.pem', 'page.key'].map((each) => join(root, each));
    await writeFile(String(signIn), JSON.stringify({ address, provider, roles }));
    await writeFile(String(pem), certificate);
    await writeFile(String(key), privateKey);
    const stopping = new AbortController();
    const { promise: listening, resolve } = Promise.withResolvers<string>();
    let printed = '';
    const args = ['--state', state, '--port', '0', '--people', join(root, 'https-people')];
    const running = runCommand(
      ['page', ...args, '--sign-in', String(signIn), '--certificate', String(pem), '--key', String(key)],
      {
        signal: stopping.signal,
        onMessage: (text) => {
          printed += text;
          const [, url] = /^Listening on (\S+)$/m.exec(printed) ?? [];
          if (url !== undefined) resolve(url);
        },
      },
    );
    const url = new URL(
      await Promise.race([listening, running.then(({ stderr }) => Promise.reject(stderr))]),
    );
    const answered = await new Promise<[number | undefined, string | undefined]>((answer, reject) => {
      const options = {
        headers: { host: name, accept: 'text/html' },
        ...{ ca: certificate, servername: name, checkServerIdentity: () => undefined },
      };
      request(url, options, ({ statusCode, headers }) => answer([statusCode, headers.location]))
        .on('error', reject)
        .end();
    });
    stopping.abort();
    await running;
    expect(url.protocol).toBe('https:');
    expect(printed).toContain('Page: https://panels.example.org/');
    expect(answered).toStrictEqual([302, '/sign-in?to=%2F']);
  });

  test('ends the sessions of a deployed page in the table of its stage, and notes it', async () => {
    const { dynamodb, endpoint, table, close } = await openLocalTable();
    const items = createDynamoItems({ dynamodb, table, what: PEOPLE, clock: systemClock });
    const sessions = createSessions(items, { clock: systemClock, longest: 3_600_000, idle: 3_600_000 });
    const people = ['ann', 'bob'].map(
      (name) => ({ id: `x|${name}`, name, account: name, role: 'reader' }) as const,
    );
    const [ann, bob] = await Promise.all(people.map((person) => sessions.begin(person, null)));
    vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', endpoint);
    cloudFormation = await startCloudFormation({
      'panels-second': { ...deployed.outputs, PeopleTable: table },
    });
    const end = (...args: readonly string[]) =>
      runCommand(['page', '--stage', 'second', '--config', config, ...args]);
    expect(await end('--end-sessions', 'x|ann')).toMatchObject({ code: 0, stdout: '1 session ended\n' });
    expect([await sessions.find(String(ann)), await sessions.find(String(bob))]).toStrictEqual([
      null,
      people[1],
    ]);
    await createProgramTokens(items, systemClock).make(
      { id: 'x|bob', name: 'bob', account: 'bob', role: 'reader' },
      { name: 'x', days: 30 },
    );
    expect(await end('--end-sessions', 'all')).toMatchObject({
      code: 0,
      stdout: '1 session and 1 token ended\n',
    });
    expect(await end('--end-sessions', 'all', '--people', 'x')).toMatchObject({ code: 2 });
    const { Items = [] } = await dynamodb.send(new ScanCommand({ TableName: table }));
    expect(
      Items.map(({ body }) => JSON.parse(body?.S ?? '')).map(({ action, by, person }) => [
        action,
        by,
        person,
      ]),
    ).toStrictEqual([
      ['sessions-ended', 'operator', 'x|ann'],
      ['sessions-ended', 'operator', 'all'],
    ]);
    await close();
    await cloudFormation.close();
    cloudFormation = await startCloudFormation({ 'panels-second': deployed.outputs });
    const without = await end('--end-sessions', 'all');
    expect([without.code, without.stderr]).toStrictEqual([
      1,
      expect.stringContaining('the stage serves no page'),
    ]);
  });

  test('ends no session where there is none, and says so', async () => {
    const ended = await runCommand(['page', '--end-sessions', 'x|y', '--people', join(root, 'people')]);
    expect(ended).toMatchObject({
      code: 3,
      stdout: '0 sessions ended\n',
      stderr: 'No person "x|y" has a session or a token. Name the person as the audit log does.\n',
    });
  });
});
