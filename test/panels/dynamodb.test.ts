import {
  BatchWriteItemCommand,
  DeleteItemCommand,
  type DynamoDBClient,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDynamoPanelStates } from '../../lambdas/panels/dynamodb-panel-states.ts';
import { createTestClock } from '../run/test-clock.ts';
import { createHistoryTable } from '../store/history/create-history-table.ts';
import { type LocalDynamoDb, openLocalDynamoDb } from '../store/local-dynamodb.ts';
import { describePanelStates } from './behaviour.ts';
import { at, madeUpGene, madeUpState } from './made-up-states.ts';

let local: LocalDynamoDb;
let table: string;
beforeAll(async () => {
  local = await openLocalDynamoDb();
  table = await createHistoryTable(local.dynamodb, `history${local.suffix}`);
});
afterAll(() => local.close());

const clock = createTestClock({ now: Number(at('2026-06-01T00:00:00') / 1000n) });
const open = (catalogue: string, retentionDays?: number) =>
  createDynamoPanelStates({
    dynamodb: local.dynamodb,
    table,
    catalogue,
    clock,
    ...(retentionDays !== undefined && { retentionDays }),
  });

describePanelStates('in DynamoDB', open);

describe('panel states in DynamoDB', () => {
  test('write of the panels that hold a gene what a version changed alone', async () => {
    const written: string[] = [];
    const dynamodb = new Proxy(local.dynamodb, {
      get: (client, name) =>
        name !== 'send'
          ? Reflect.get(client, name)
          : (command: Parameters<DynamoDBClient['send']>[0]) => {
              const requests =
                command instanceof BatchWriteItemCommand
                  ? Object.values(command.input.RequestItems ?? {}).flatMap((batch) =>
                      batch.map(({ PutRequest }) => PutRequest?.Item),
                    )
                  : command instanceof PutItemCommand
                    ? [command.input.Item]
                    : command instanceof DeleteItemCommand
                      ? [command.input.Key]
                      : [];
              const keys = requests.map((item) => item?.pk?.S ?? '');
              written.push(...keys.filter((key) => key.includes('#holders#')));
              return client.send(command);
            },
    });
    const states = createDynamoPanelStates({ dynamodb, table, catalogue: 'changed-holdings', clock });
    const genes = Array.from({ length: 60 }, (_, index) =>
      madeUpGene(`GENE${index}`, { hgncId: `HGNC:${index}` }),
    );
    await states.save(madeUpState({ entities: genes }));
    expect(written).toHaveLength(60);
    written.length = 0;
    const [first, ...others] = genes;
    const entities = [madeUpGene('GENE0', { ...first, rating: 'amber' }), ...others.slice(1)];
    await states.save(madeUpState({ version: '1.5', validFrom: at('2026-04-01T10:00:00'), entities }));
    expect(written.map((key) => key.split('#').at(-1)).sort()).toEqual(['HGNC:0', 'HGNC:1']);
    expect(await states.holdings('HGNC:0')).toMatchObject([{ panelId: 3, rating: 'amber' }]);
    expect(await states.holdings('HGNC:1')).toEqual([]);
    expect(await states.holdings('HGNC:2')).toMatchObject([{ panelId: 3, rating: 'green' }]);
  });

  test('say what failed when the table does not answer', async () => {
    const { dynamodb } = local;
    const states = createDynamoPanelStates({ dynamodb, table: 'missing', catalogue: 'uk', clock });
    await expect(states.save(madeUpState())).rejects.toMatchObject({
      code: 'STATE_UNAVAILABLE',
      message: expect.stringContaining('panel states in table "missing"'),
    });
  });
});
