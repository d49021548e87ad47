import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createDynamoPanelStates } from '../../lambdas/panels/dynamodb-panel-states.ts';
import { toMessage } from '../../lambdas/publishing/message.ts';
import { newFolder } from '../new-folder.ts';
import { madeUpGene, madeUpState } from '../panels/made-up-states.ts';
import { createTestClock } from '../run/test-clock.ts';
import { breast, turnedGreen } from '../words/events.ts';
import {
  type DeployedNotifier,
  startCloudFormation,
  startDeployedNotifier,
  useCredentials,
} from './deployed-notifier.ts';
import { type Ran, runCommand } from './run-command.ts';

/** The history knows BRCA1, the newest state of a panel OTOF, and nothing NOSUCH1. */
const genes = ['BRCA1', 'OTOF', 'NOSUCH1'];
const clock = createTestClock();
const root = newFolder();
let deployed: DeployedNotifier;
beforeAll(async () => {
  await writeFile(
    join(root, 'settings.json'),
    JSON.stringify({
      name: 'panels',
      stages: {
        second: {
          catalogues: { saved: { base: 'https://catalogue.example/api/v1/' } },
          subscriptions: { ours: { filter: { genes }, channels: [{ kind: 'slack', webhook: 'lab' }] } },
        },
      },
    }),
  );
  const event = turnedGreen({ panel: breast });
  deployed = await startDeployedNotifier([
    toMessage({ ...event, data: { ...event.data, catalogue: 'saved' } }).body,
  ]);
  useCredentials();
  const dynamodb = new DynamoDBClient({ endpoint: deployed.endpoint });
  const table = String(deployed.outputs.HistoryTable);
  const states = createDynamoPanelStates({ dynamodb, table, catalogue: 'saved', clock });
  await states.save(madeUpState({ entities: [madeUpGene('OTOF', { hgncId: 'HGNC:8515' })] }));
  dynamodb.destroy();
});
beforeEach(async () => {
  const cloudFormation = await startCloudFormation({ 'panels-second': deployed.outputs });
  const lambda = createServer((_request, response) => void response.end(JSON.stringify({ trials: [] })));
  await once(lambda.listen(0, '127.0.0.1'), 'listening');
  vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', deployed.endpoint);
  vi.stubEnv('AWS_ENDPOINT_URL_LAMBDA', `http://127.0.0.1:${(lambda.address() as AddressInfo).port}`);
  onTestFinished(async () => {
    lambda.close();
    await cloudFormation.close();
  });
});
afterAll(() => deployed.close());

const onStage = (...args: string[]): Promise<Ran> =>
  runCommand([...args, '--stage', 'second', '--config', join(root, 'settings.json')], { clock });

test('doctor --stage finds a gene that only the state of a panel holds', async () => {
  const { stdout } = await onStage('doctor');
  const line = stdout.split('\n').find((each) => each.includes('names of ours'));
  expect(line).toContain('“NOSUCH1”');
  expect(line).not.toMatch(/OTOF|BRCA1/);
});

test('history --stage and history --table find a gene that only the state of a panel holds', async () => {
  const ofStage = await onStage('history', ...genes.flatMap((gene) => ['--gene', gene]));
  const ofTable = await runCommand(
    ['history', '--gene', 'OTOF', '--table', String(deployed.outputs.HistoryTable)],
    { clock },
  );
  expect(ofStage.stderr).toContain('called “NOSUCH1”');
  expect(ofStage.stderr + ofTable.stderr).not.toContain('“OTOF”');
});
