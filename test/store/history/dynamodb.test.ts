import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PanelEvent } from '../../../lambdas/events/schemas.ts';
import { namingsOf } from '../../../lambdas/filters/names.ts';
import { toMessage } from '../../../lambdas/publishing/message.ts';
import { systemClock as clock } from '../../../lambdas/run/clock.ts';
import { parseInstant } from '../../../lambdas/run/instant.ts';
import { createDynamoHistory } from '../../../lambdas/store/history/dynamodb.ts';
import type { HistoryQuery } from '../../../lambdas/store/history/history.ts';
import { anyEvent, pools } from '../../events/any-event.ts';
import { turnedGreen } from '../../words/events.ts';
import { type LocalDynamoDb, openLocalDynamoDb } from '../local-dynamodb.ts';
import { historyBehaviour, keep, sharedHistoryBehaviour } from './behaviour.ts';
import { createHistoryTable } from './create-history-table.ts';

describe('a history in DynamoDB', () => {
  let local: LocalDynamoDb;
  let tables = 0;
  beforeAll(async () => {
    local = await openLocalDynamoDb();
  });
  afterAll(() => local.close());
  const createdBy = (dynamodb: DynamoDBClient): Promise<string> =>
    createHistoryTable(dynamodb, `history-${tables++}${local.suffix}`);

  historyBehaviour(
    async () => {
      const { dynamodb } = local;
      const table = await createdBy(dynamodb);
      return createDynamoHistory({ dynamodb, table, clock });
    },
    { runs: 8 },
  );

  sharedHistoryBehaviour(async () => {
    const { dynamodb } = local;
    const table = await createdBy(dynamodb);
    return () => createDynamoHistory({ dynamodb, table, clock });
  });

  test('of one catalogue is read without the partitions of another one, which its functions may not read', async () => {
    const table = await createdBy(local.dynamodb);
    const run = () => createDynamoHistory({ dynamodb: local.dynamodb, table, clock });
    for (const catalogue of ['uk', 'australia']) {
      const made = turnedGreen({ id: `in-${catalogue}` });
      const event = { ...made, data: { ...made.data, catalogue } };
      await run().append([toMessage(event)], { catalogue, since: 0n, until: 1n });
    }
    const asked: string[] = [];
    local.dynamodb.middlewareStack.add(
      (next) => (given) => {
        asked.push(JSON.stringify(given.input));
        return next(given);
      },
      { step: 'initialize', name: 'seen-partitions' },
    );
    const found: string[] = [];
    const query = { catalogue: 'uk', filter: { panels: [turnedGreen().data.panel?.id ?? 0] } };
    for await (const { id } of run().find(query)) found.push(id);
    local.dynamodb.middlewareStack.remove('seen-partitions');
    expect(found).toEqual(['in-uk']);
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.filter((input) => input.includes('australia#'))).toEqual([]);
  });

  test('refuses covered periods in the form of another version', async () => {
    const TableName = await createdBy(local.dynamodb);
    const Item = { pk: { S: 'coverage' }, sk: { S: 'uk' }, version: { N: '1' }, periods: { L: [] } };
    await local.dynamodb.send(new PutItemCommand({ TableName, Item }));
    const history = createDynamoHistory({ dynamodb: local.dynamodb, table: TableName, clock });
    await expect(history.coverage()).rejects.toThrow('another version of the notifier wrote them');
  });

  describe('answers from the keys, without a scan and reading no other event, what is asked by', () => {
    const events = [
      ...new Map(fc.sample(anyEvent, { seed: 5, numRuns: 300 }).map((one) => [one.id, one])).values(),
    ]
      .filter(({ time }) => time !== undefined)
      .filter((event) => !renames(event, 'C9orf72'));
    const since = parseInstant('2024-06-15T00:00:00Z') ?? 0n;
    const until = parseInstant('2024-08-15T00:00:00Z') ?? 0n;
    let table: string;
    beforeAll(async () => {
      table = await createHistoryTable(local.dynamodb, `keys${local.suffix}`);
      await keep(createDynamoHistory({ dynamodb: local.dynamodb, table, clock }), events);
    });

    test.each<[string, HistoryQuery]>([
      ['catalogue and time', { catalogue: 'uk', since, until }],
      ['panel', { filter: { panels: [3] } }],
      ['panel and time', { filter: { panels: [3] }, since, until }],
      ['type', { filter: { types: ['entity.added'] } }],
      ['topic', { filter: { topics: ['promotions'] } }],
      ['rating', { filter: { to: ['green'] } }],
      ['entity', { filter: { genes: ['C9orf72'] } }],
    ])('%s', async (_what, query) => {
      const { dynamodb, read, commands } = counting(local);
      const found: PanelEvent[] = [];
      for await (const event of createDynamoHistory({ dynamodb, table, clock }).find(query))
        found.push(event);
      dynamodb.destroy();
      expect(found.length).toBeGreaterThan(1);
      expect(found.length).toBeLessThan(events.length / 3);
      expect([...commands]).toStrictEqual(['QueryCommand']);
      // A replaced symbol is kept under one of its names, so that all of these are read beside an entity's events.
      const renamings = query.filter?.genes
        ? events.filter(({ type }) => type.includes('renamed')).length
        : 0;
      const classified = query.filter?.to
        ? events.filter(({ type }) => type.includes('classified')).length
        : 0;
      // The covered period of each catalogue is an item, too.
      const { panels, genes } = query.filter ?? {};
      const names = panels || genes ? namesIn(events) : 0;
      const wanted = Math.max(found.length, classified) + renamings + names + pools.catalogues.length;
      expect(read()).toBeLessThanOrEqual(wanted);
      expect(read()).toBeGreaterThanOrEqual(found.length);
    });
  });
});

const renames = ({ type, data }: PanelEvent, name: string): boolean =>
  type === 'gene-panel.entity.renamed.v1' && [data.change.from, data.change.to].includes(name);

/** How many items the names of events are, at most: one for each name, and one for each catalogue. */
function namesIn(events: readonly PanelEvent[]): number {
  const names = events.flatMap((event) => {
    const { namings, renamings } = namingsOf(event);
    return [...namings.map(({ catalogue, id, name }) => `${catalogue} ${id} ${name}`), ...renamings];
  });
  return new Set(names).size + pools.catalogues.length;
}

/** A client that notes the commands it sends, and how many items DynamoDB reads for them. */
function counting({ endpoint }: LocalDynamoDb): {
  readonly dynamodb: DynamoDBClient;
  readonly read: () => number;
  readonly commands: ReadonlySet<string>;
} {
  let items = 0;
  const commands = new Set<string>();
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const dynamodb = new DynamoDBClient({ endpoint, region: 'eu-west-2', credentials });
  dynamodb.middlewareStack.add(
    (next, context) => async (args) => {
      commands.add(String(context.commandName));
      const reply = await next(args);
      items += (reply.output as { readonly ScannedCount?: number }).ScannedCount ?? 0;
      return reply;
    },
    { step: 'initialize' },
  );
  return { dynamodb, read: () => items, commands };
}
