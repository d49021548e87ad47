import { makeIdempotent } from '@aws-lambda-powertools/idempotency';
import { CachePersistenceLayer } from '@aws-lambda-powertools/idempotency/cache';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { EventBridgeHandler, SNSHandler, SQSHandler } from 'aws-lambda';
import dynalite from 'dynalite';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  createEventBridgeHandler,
  createSnsHandler,
  createSqsHandler,
  isTagsChanged,
  type Once,
  onceInTable,
  onceWithPowertools,
} from '../../consumer/notifier.ts';
import { createTable } from '../store/create-table.ts';
import { example, recordedBatch } from './recorded-batch.ts';

const quiet = { onFailure: () => {} };
const body = JSON.stringify(example('gene-panel.entity.classified.v1'));
const copies = { Records: ['1', '2', '3', '4'].map((messageId) => ({ messageId, body })) };

describe('a handler of a queue', () => {
  test('handles the good records of a batch and reports the bad one', async () => {
    const handled: string[] = [];
    const handler = createSqsHandler({ ...quiet, handle: (event) => void handled.push(event.type) });
    expect(await handler(recordedBatch)).toStrictEqual({
      batchItemFailures: [{ itemIdentifier: recordedBatch.Records[1]?.messageId }],
    });
    expect(handled).toStrictEqual(['gene-panel.entity.classified.v1', 'gene-panel.entity.tags-changed.v1']);
  });

  test('is an SQSHandler and an SNSHandler of @types/aws-lambda', () => {
    const handle = () => {};
    const handlers: [SQSHandler, SNSHandler] = [createSqsHandler({ handle }), createSnsHandler({ handle })];
    expect(handlers).toHaveLength(2);
  });

  test.each([
    [{ panel: ['Hearing loss'] }, 'The filter has the key "panel". Expected only catalogues, panels,'],
    [{ genes: 'BRCA1' }, 'The filter has "BRCA1" as genes. Expected a list.'],
    [{ gene: ['BRCA1'] }, 'actors, late. Did you mean genes?'],
    [{ late: 'yes' }, 'The filter has "yes" as late. Expected true or false.'],
    [
      { to: ['amber', 'greeen'] },
      'The filter has "greeen" in to. Expected one of green, amber, red, none, unknown. Did you mean green?',
    ],
    [{ from: ['GREEN'] }, 'Did you mean green?'],
    [
      { types: ['entity.classifed'] },
      'panel.changed, entity.disagreement, activity.unclassified. Did you mean entity.classified?',
    ],
    [{ types: ['gene-panel.entity.classifed.v1'] }, 'Did you mean gene-panel.entity.classified.v1?'],
    [{ direction: ['up'] }, 'Expected one of upgraded, downgraded, new, unchanged, unknown.'],
    [{ entityTypes: ['genes'] }, 'Expected one of gene, str, region. Did you mean gene?'],
    [{ topics: [undefined] }, 'The filter has "undefined" in topics. Expected one of classifications, '],
  ])('refuses the filter %j, which would match other events than it seems to', (filter, message) => {
    expect(() => createSqsHandler({ filter: filter as object, handle: () => {} })).toThrow(message);
  });

  test('takes every value that its filter may have', () => {
    const types = ['entity.classified', 'gene-panel.panel.promoted.v1'] as const;
    const filter = { types: [...types], to: ['unknown'], direction: ['new'], topics: undefined } as object;
    expect(() => createSqsHandler({ filter, handle: () => {} })).not.toThrow();
  });

  test('counts events that its filter does not match as done', async () => {
    const handle = vi.fn();
    const handler = createSqsHandler({ ...quiet, handle, filter: { tags: ['watchlist'] } });
    await handler(recordedBatch);
    expect(handle.mock.calls.map(([event]) => isTagsChanged(event))).toStrictEqual([true]);
  });

  test('reports the record whose handling fails, and goes on', async () => {
    let calls = 0;
    const handle = () => {
      if (++calls === 2) throw new Error('the database is down');
    };
    const { batchItemFailures } = await createSqsHandler({ ...quiet, handle })(copies);
    expect([calls, batchItemFailures]).toStrictEqual([4, [{ itemIdentifier: '2' }]]);
  });

  test.each([
    ['fail', { newer: 'fail' }, 1],
    ['skip', { newer: 'skip' }, 0],
    ['a function of its own', { handleNewer: () => {} }, 0],
  ] as const)('treats events of a newer version by the policy: %s', async (_, options, failures) => {
    const newer = { ...example('gene-panel.entity.classified.v1'), type: 'gene-panel.entity.classified.v2' };
    const batch = { Records: [{ messageId: '1', body: JSON.stringify(newer) }] };
    const handle = vi.fn();
    const { batchItemFailures } = await createSqsHandler({ ...quiet, ...options, handle })(batch);
    expect(batchItemFailures).toHaveLength(failures);
    expect(handle).not.toHaveBeenCalled();
  });
});

describe('a handler of a topic', () => {
  const invocation = { Records: [{ Sns: { MessageId: '1', Message: body } }] };

  test('handles the events', async () => {
    const handle = vi.fn();
    await createSnsHandler({ ...quiet, handle })(invocation);
    expect(handle).toHaveBeenCalledTimes(1);
  });

  test('fails as a whole where a record fails, so that Lambda repeats it', async () => {
    const handle = () => Promise.reject(new Error('the database is down'));
    await expect(createSnsHandler({ ...quiet, handle })(invocation)).rejects.toThrow('1 of 1 records failed');
  });
});

describe('a handler of a rule of EventBridge', () => {
  const bridged = (detail: unknown) => ({
    id: '1',
    'detail-type': 'gene-panel.entity.classified.v1',
    detail,
  });

  test('handles the event of the detail', async () => {
    const handle = vi.fn();
    const handler: EventBridgeHandler<string, unknown, void> = createEventBridgeHandler({ ...quiet, handle });
    expect(handler).toBeInstanceOf(Function);
    await createEventBridgeHandler({ ...quiet, handle })(bridged(JSON.parse(body)));
    expect(handle.mock.calls.map(([event]) => event.type)).toStrictEqual(['gene-panel.entity.classified.v1']);
  });

  test('fails where handling fails, so that Lambda repeats it', async () => {
    const handle = () => Promise.reject(new Error('the database is down'));
    const handler = createEventBridgeHandler({ ...quiet, handle });
    await expect(handler(bridged(JSON.parse(body)))).rejects.toThrow('the database is down');
  });

  test('refuses the event of another program', async () => {
    const handler = createEventBridgeHandler({ ...quiet, handle: () => {} });
    await expect(handler(bridged({ instance: 'i-0' }))).rejects.toMatchObject({ code: 'NOT_AN_EVENT' });
  });
});

const noon = Date.UTC(2026, 10, 22, 12);
let now = noon;
let client: DynamoDBClient;
let server: ReturnType<typeof dynalite>;

beforeAll(async () => {
  server = dynalite({ createTableMs: 20 });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', () => listening()));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the table has no address');
  client = new DynamoDBClient({
    endpoint: `http://127.0.0.1:${address.port}`,
    region: 'eu-west-2',
    credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
  });
  await createTable(client, 'seen', {
    AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
  });
});
afterAll(async () => {
  client.destroy();
  await new Promise<void>((closed) => server.close(() => closed()));
});

/** What Powertools needs of a cache. */
function cache() {
  const items = new Map<string, string>();
  return {
    get: async (key: string) => items.get(key) ?? null,
    set: async (key: string, value: string | Uint8Array, options?: { readonly NX?: boolean }) => {
      if (options?.NX && items.has(key)) return null;
      items.set(key, String(value));
      return 'OK';
    },
    del: async (keys: string[]) => keys.filter((key) => items.delete(key)).length,
  };
}

describe.each<[string, () => Once]>([
  ['a table', () => onceInTable({ tableName: 'seen', client, now: () => now })],
  [
    'Powertools',
    () => {
      // Powertools reads this variable for the prefix of its keys.
      vi.stubEnv('AWS_LAMBDA_FUNCTION_NAME', 'consumer');
      const persistenceStore = new CachePersistenceLayer({ client: cache() as never });
      return onceWithPowertools((work) => makeIdempotent(work, { persistenceStore }));
    },
  ],
])('each event once, by %s', (name, makeOnce) => {
  const once = (id: string, work: () => Promise<void>): Promise<void> =>
    makeOnceOnce()(`${name} ${id}`, work);
  let made: Once | undefined;
  const makeOnceOnce = (): Once => {
    made ??= makeOnce();
    return made;
  };

  test('handles four copies of an event once, and counts all as done', async () => {
    const handle = vi.fn();
    const { batchItemFailures } = await createSqsHandler({ ...quiet, handle, once })(copies);
    expect([handle.mock.calls.length, batchItemFailures]).toStrictEqual([1, []]);
  });

  test('handles an event again whose handling failed', async () => {
    await expect(once('failing', () => Promise.reject(new Error('down')))).rejects.toThrow();
    const work = vi.fn(async () => {});
    await once('failing', work);
    await once('failing', work);
    expect(work).toHaveBeenCalledTimes(1);
  });
});

test('an event is refused while another run handles it', async () => {
  const once = onceInTable({ tableName: 'seen', client, now: () => now });
  const begun = Promise.withResolvers<void>();
  const finished = Promise.withResolvers<void>();
  const first = once('slow', () => {
    begun.resolve();
    return finished.promise;
  });
  await begun.promise;
  await expect(once('slow', async () => {})).rejects.toMatchObject({ code: 'EVENT_IN_PROGRESS' });
  finished.resolve();
  await first;
});

test('an event whose run died is taken over after the time of a run', async () => {
  const once = onceInTable({ tableName: 'seen', client, runSeconds: 60, now: () => now });
  const begun = Promise.withResolvers<void>();
  void once('died', () => {
    begun.resolve();
    return new Promise(() => {});
  });
  await begun.promise;
  const work = vi.fn(async () => {});
  await expect(once('died', work)).rejects.toMatchObject({ code: 'EVENT_IN_PROGRESS' });
  now = noon + 61_000;
  await once('died', work);
  expect(work).toHaveBeenCalledTimes(1);
});
