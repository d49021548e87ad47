import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { createDynamoPanelStates } from '../../lambdas/panels/dynamodb-panel-states.ts';
import { loadProofs, saveProofs } from '../../lambdas/panels/proof-record.ts';
import { systemClock } from '../../lambdas/run/clock.ts';
import { createDynamoHistory } from '../../lambdas/store/history/dynamodb.ts';
import { createDynamoDocuments } from '../../lambdas/store/items-dynamodb.ts';
import { newFolder } from '../new-folder.ts';
import { madeUpGene, madeUpState } from '../panels/made-up-states.ts';
import { serveSavedLog } from '../poll/saved-log.ts';
import { turnedGreen } from '../words/events.ts';
import {
  type CloudFormation,
  type DeployedNotifier,
  type Stacks,
  startCloudFormation,
  startDeployedNotifier,
  useCredentials,
} from './deployed-notifier.ts';
import { type Ran, runCommand, words } from './run-command.ts';

let root: string;
let state: string;
let config: string;
let deployed: DeployedNotifier;
beforeAll(async () => {
  const log = await serveSavedLog();
  root = newFolder();
  state = join(root, 'state');
  config = join(root, 'settings.json');
  const catalogues = { saved: { base: 'https://catalogue.example/api/v1/' } };
  const subscriptions = { ratings: { filter: { topics: ['classifications'] }, channels: [] } };
  await writeFile(
    config,
    JSON.stringify({
      name: 'panels',
      stages: { first: { catalogues }, second: { catalogues, subscriptions } },
    }),
  );
  const place = ['--catalogue', log.url, '--state', state, '--name', 'saved', '--from', '2023-10-20'];
  const { stdout } = await runCommand(['poll', '--only', 'log', ...place]);
  deployed = await startDeployedNotifier(stdout.split('\n').filter(Boolean));
  await log.close();
});
afterAll(() => deployed.close());

let cloudFormation: CloudFormation | undefined;
afterEach(async () => {
  await cloudFormation?.close();
  cloudFormation = undefined;
});

const useStage = async (stacks?: Stacks, error?: string): Promise<void> => {
  cloudFormation = await startCloudFormation(stacks ?? { 'panels-second': deployed.outputs }, error);
  vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', deployed.endpoint);
};
const onStage = (...args: string[]): Promise<Ran> =>
  runCommand([...args, '--stage', 'second', '--config', config]);

describe('--stage', () => {
  test.each([
    ['history', ['history', '--format', 'ndjson', '--to', 'green']],
    ['report', ['report', '--since', '2023-10-20', '--until', '2023-11-17', '--format', 'json']],
    ['replay', ['replay', '--since', '2023-11-01', '--topic', 'tags']],
    ['replay that only counts', ['replay', '--since', '2023-11-01', '--dry-run']],
  ])('of %s gives from the table what --state gives from the file', async (_command, args) => {
    await useStage();
    const there = await onStage(...args);
    const here = await runCommand([...args, '--state', state]);
    expect(there.code).toBe(0);
    expect(there.stdout + there.stderr).toBe(here.stdout + here.stderr);
    expect((there.stdout + there.stderr).length).toBeGreaterThan(20);
    expect(cloudFormation?.asked).toStrictEqual(['panels-second']);
  });

  test('of compare names what was not read of each of two catalogues, and one that it does not have', async () => {
    await useStage({ 'panels-second': { ...deployed.outputs, Catalogues: 'au,uk' } });
    const unread = await onStage('compare', 'uk', 'au');
    expect(unread.code).toBe(3);
    expect(unread.stdout).not.toContain('0 pairs');
    expect(unread.stderr).toContain(
      'What panels of uk hold has not been read yet.\nWhat panels of au hold has not been read yet.',
    );
    expect(await onStage('compare', 'uk', 'nz')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('"nz": expected two catalogues of au, uk'),
    });
  });

  test('of subscriptions test reads the events of the table', async () => {
    await useStage();
    const args = ['subscriptions', 'test', 'ratings', '--since', '2023-10-20'];
    const there = await onStage(...args);
    const here = await onStage(...args, '--state', state);
    expect(there).toStrictEqual(here);
    expect(there.stdout).toMatch(/^ratings would have sent \d+ messages since/);
  });

  test('of mark shows the mark of the table', async () => {
    await useStage();
    const { code, stdout } = await onStage('mark');
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^saved \(https:\/\/panelapp\.genomicsengland\.co\.uk\/api\/v1\/\)\n {2}mark {13}2023-11-18T00:00:00\.000000Z: all rows up to this time are published\n/,
    );
    expect(stdout).toContain('stored listing   none');
    vi.stubEnv('AWS_ENDPOINT_URL_CLOUDFORMATION', 'http://127.0.0.1:1');
    const byTable = await runCommand(words`mark --table ${String(deployed.outputs.TableName)} --name saved`);
    expect(byTable.stdout).toBe(stdout);
  });

  test('of mark moves it with --yes alone, and a poll that read it before stops', async () => {
    await useStage();
    const before = await deployed.store.load(0n);
    if (!before) throw new Error('there is no position');
    const asked = await onStage('mark', '--set', '2023-11-10');
    expect(asked).toMatchObject({ code: 2, stdout: '' });
    expect(asked.stderr).toMatch(/is published again, with the same event ids \(\d+ events in the history\)/);
    expect(asked.stderr).toContain(`replay --stage second --config ${config} --since 2023-11-10`);
    expect(await deployed.store.load(0n)).toStrictEqual(before);

    const set = await onStage('mark', '--set', '2023-11-10', '--yes');
    expect(set.code).toBe(0);
    expect(set.stderr).toContain(
      'The mark is at 2023-11-10T00:00:00.000000Z; the next poll continues from there.',
    );
    await expect(deployed.store.update(before.position, { waits: 1 })).rejects.toMatchObject({
      code: 'STATE_CONFLICT',
    });
    expect((await deployed.store.load(0n))?.position).toMatchObject({ version: before.position.version + 1 });
  });
});

describe('--stage is refused', () => {
  test.each([
    [
      'that the settings lack',
      ['--stage', 'third'],
      '--stage "third": SETTINGS has no such stage; it has first, second',
    ],
    ['that is no name', ['--stage', 'A stage'], 'expected the name of a stage of the settings'],
    ['beside a state', ['--stage', 'second', '--state', 'x'], '--state and --stage name different places'],
    ['beside a table', ['--stage', 'second', '--table', 'x'], '--stage and --table name different places'],
  ])('%s', async (_case, args, message) => {
    for (const command of [['history'], ['report', '--since', '1d'], ['replay', '--since', '1d'], ['mark']]) {
      const { code, stderr } = await runCommand([...command, ...args, '--config', config]);
      expect({ code, stderr }).toStrictEqual({
        code: 2,
        stderr: expect.stringContaining(message.replace('SETTINGS', config)),
      });
    }
  });

  test('where --config is given without a stage', async () => {
    expect(await runCommand(['history', '--config', config])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--config goes with --stage NAME only'),
    });
  });
});

describe('a stage that cannot be read', () => {
  const failing = async (): Promise<string> => {
    const { code, stderr } = await onStage('history');
    expect(code).toBe(1);
    expect(stderr).not.toContain('canary');
    return stderr;
  };

  test('that does not exist names stack and region', async () => {
    await useStage({});
    expect(await failing()).toContain(
      'Reading the stack "panels-second" in eu-west-2: this account has no such stack there. Check the stage\'s name, --config',
    );
  });

  test('that an earlier version deployed lacks its outputs', async () => {
    await useStage({ 'panels-second': { TableName: 'table' } });
    expect(await failing()).toContain('it has no output HistoryTable. Deploy it with this version');
  });

  test('without the right names it, and where rights are listed', async () => {
    await useStage({}, 'User: someone is not authorized to perform: cloudformation:DescribeStacks');
    expect(await failing()).toMatch(/access denied: User.*DescribeStacks\. docs\/permissions\.md lists/);
  });

  test('without credentials says how to sign in', async () => {
    for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_PROFILE'])
      vi.stubEnv(name, undefined);
    vi.stubEnv('AWS_REGION', 'eu-west-2');
    vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true');
    vi.stubEnv('HOME', root);
    expect(await failing()).toMatch(/there are no AWS credentials.*Sign in, for example with aws sso login/);
  });

  test('without a region says so', async () => {
    useCredentials();
    for (const name of ['AWS_REGION', 'AWS_DEFAULT_REGION']) vi.stubEnv(name, undefined);
    vi.stubEnv('HOME', root);
    expect(await failing()).toContain('no AWS region is set. Set AWS_REGION');
  });

  test('of AWS that does not answer says so', async () => {
    useCredentials();
    vi.stubEnv('AWS_ENDPOINT_URL_CLOUDFORMATION', 'http://127.0.0.1:1');
    vi.stubEnv('AWS_MAX_ATTEMPTS', '1');
    expect(await failing()).toMatch(/AWS does not answer.*Check the network/);
  });
});

describe('a table', () => {
  const tables = [
    ['history', '--table', 'events'],
    ['report', '--table', 'events', '--since', '30d'],
    ['replay', '--table', 'events', '--since', '30d'],
    ['mark', '--table', 'events', '--name', 'uk'],
  ];
  const failing = async (args: readonly string[]): Promise<string> => {
    vi.stubEnv('AWS_MAX_ATTEMPTS', '1');
    const { code, stdout, stderr } = await runCommand(args);
    expect([code, stdout]).toStrictEqual([1, '']);
    expect(stderr).not.toContain('next run');
    return stderr;
  };

  test.each([
    [
      'that is missing',
      'ResourceNotFoundException',
      'Requested resource not found',
      'it does not exist (Requested resource not found). Check its name, AWS_REGION,',
    ],
    [
      'that the person may not read',
      'AccessDeniedException',
      'User: someone is not authorized to perform: dynamodb:Query',
      'access denied: User: someone is not authorized to perform: dynamodb:Query. docs/permissions.md lists',
    ],
    [
      'read with a token that expired',
      'ExpiredTokenException',
      'The security token included in the request is expired',
      'AWS refused the credentials (ExpiredTokenException: The security token included in the request is expired). Sign in again',
    ],
  ])('%s says what to do', async (_what, code, message, said) => {
    const server = createServer((_request, response) => {
      response.writeHead(400, { 'content-type': 'application/x-amz-json-1.0' });
      response.end(JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${code}`, message }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      useCredentials();
      const { port } = server.address() as AddressInfo;
      vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', `http://127.0.0.1:${port}`);
      for (const args of tables) {
        const stderr = await failing(args);
        expect(stderr).toMatch(/^gene-panel-notifier \w+: Reading .* in table "events": /);
        expect(stderr).toContain(said);
      }
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  test('where AWS does not answer says so', async () => {
    useCredentials();
    vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', 'http://127.0.0.1:1');
    for (const args of tables) {
      expect(await failing(args)).toMatch(/in table "events": AWS does not answer \(.*Check the network/);
    }
  });
});

describe('verify --stage', () => {
  test('lists the versions that the deployed notifier proved, and ends with 1 where one is unproven', async () => {
    await useStage();
    const dynamodb = new DynamoDBClient({ endpoint: deployed.endpoint, region: 'eu-west-2' });
    const { HistoryTable: table = '', TableName: stateTable = '' } = deployed.outputs;
    const states = createDynamoPanelStates({ dynamodb, table, catalogue: 'saved', clock: systemClock });
    const kept = madeUpState({
      panelId: 8,
      panelName: 'Epilepsy',
      version: '2.1',
      proof: { kind: 'proven' },
    });
    await states.save(kept);
    const proven = await onStage('verify', '--panel', 'Epilepsy', '--format', 'ndjson');
    expect(proven.code).toBe(0);
    expect(JSON.parse(proven.stdout)).toMatchObject({ panelId: 8, version: '2.1', proof: 'proven' });
    expect(proven.stderr).toBe('1 version: 1 proven, 0 explained, 0 baseline, 0 unproven\n');

    const documents = createDynamoDocuments({
      dynamodb,
      table: stateTable,
      catalogue: 'saved',
      runId: 'run',
      clock: systemClock,
    });
    const missing = { panelId: 8, panelName: 'Epilepsy', version: '2.0', since: 0, retryAt: 1 };
    const unproven = [{ ...missing, why: 'the catalogue does not serve it' }];
    await saveProofs(documents, { ...(await loadProofs(documents)), unproven });
    dynamodb.destroy();
    const ran = await onStage('verify', '--panel', '8');
    expect(ran.code).toBe(1);
    expect(ran.stdout).toMatch(
      /^proven +Epilepsy \(8\) 2\.1 .*\nunproven +Epilepsy \(8\) 2\.0\n +the catalogue does not serve it\n$/,
    );
  });

  test('refuses what would read the catalogue', async () => {
    const { code, stderr } = await onStage('verify', '--all-versions');
    expect(code).toBe(2);
    expect(stderr).toContain('--all-versions and --stage: the deployed notifier reads the archive itself');
  });
});

test('state --stage lists what a panel held from the store of the deployed notifier', async () => {
  await useStage();
  const dynamodb = new DynamoDBClient({ endpoint: deployed.endpoint, region: 'eu-west-2' });
  const table = deployed.outputs.HistoryTable ?? '';
  const states = createDynamoPanelStates({ dynamodb, table, catalogue: 'saved', clock: systemClock });
  await states.save(madeUpState({ version: '4.12', entities: [madeUpGene('GJB2'), madeUpGene('STRC')] }));
  dynamodb.destroy();
  const { code, stdout, stderr } = await onStage(
    'state',
    '--panel',
    '3',
    '--version',
    '4.12',
    '--format',
    'ndjson',
  );
  expect(code, stderr).toBe(0);
  const lines = stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  expect(lines).toMatchObject([
    { catalogue: 'saved', panelId: 3, version: '4.12', name: 'GJB2', rating: 'green' },
    { catalogue: 'saved', panelId: 3, version: '4.12', name: 'STRC', rating: 'green' },
  ]);
});

// They add to the table, and so come last.
describe('--stage', () => {
  test.each([
    [['history', '--format', 'ndjson', '--to', 'green']],
    [['report', '--since', '2023-10-20', '--until', '2023-11-17', '--format', 'json']],
  ])('as of an earlier time gives what the file gives as of then: %j', async (args) => {
    await useStage();
    const asOf = ['--as-of', new Date().toISOString()];
    const dynamodb = new DynamoDBClient({ endpoint: deployed.endpoint });
    const later = { ...systemClock, now: () => Date.now() + 60_000 };
    const [command] = args;
    const event = turnedGreen({ id: `later-${command}`, time: '2023-11-01T12:00:00.000000Z' });
    const body = JSON.stringify({ ...event, data: { ...event.data, catalogue: 'saved' } });
    const table = deployed.outputs.HistoryTable ?? '';
    await createDynamoHistory({ dynamodb, table, clock: later }).append(
      [{ id: event.id, topic: 'classifications', body }],
      { catalogue: 'saved', since: 0n, until: 1n },
    );
    dynamodb.destroy();
    const there = await onStage(...args, ...asOf);
    const here = await runCommand([...args, '--state', state, ...asOf]);
    expect(there.stdout + there.stderr).toBe(here.stdout + here.stderr);
    expect((await onStage(...args)).stdout).not.toBe(there.stdout);
  });

  test.each([
    [['compare'], 'Ask a folder that watch fills; state and compare also answer with --table'],
    [['worklist'], 'Ask a folder that watch fills; state and compare also answer with --table'],
    [['report', '--left-out'], 'a folder counts it'],
  ])('%j as of an earlier time is refused, with what to do', async (args, sentence) => {
    expect(await onStage(...args, '--as-of', '2026-01-01')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(sentence),
    });
  });
});
