import { PutObjectCommand, S3Client, S3ServiceException } from '@aws-sdk/client-s3';
import { mockClient } from 'aws-sdk-client-mock';
import { createSqsHandler, type PanelEvent } from 'gene-panel-notifier/consumer';
import { beforeEach, expect, test } from 'vitest';
import { keepEvent } from '../../examples/audit-log/keep-event.ts';
import { objectKey } from '../../examples/audit-log/object-key.ts';
import { readSettings } from '../../examples/audit-log/stack.ts';
import { example, recordedBatch } from '../consumer/recorded-batch.ts';

const s3 = mockClient(S3Client);
beforeEach(() => s3.reset());
const keep = keepEvent(new S3Client({ region: 'eu-west-2' }), 'audit');
const handler = createSqsHandler({ handle: keep, handleNewer: keep, onFailure: () => {} });
const event = example<PanelEvent<'entity.classified'>>('gene-panel.entity.classified.v1');
const failure = (status: number): S3ServiceException =>
  new S3ServiceException({
    name: 'Refused',
    $fault: 'client',
    message: 'refused',
    $metadata: { httpStatusCode: status },
  });

test('the key is the day of the change and the id', () => {
  expect(objectKey(event)).toBe(`day=2026-11-07/${event.id}.json`);
  expect(objectKey({ id: 'a' })).toBe('day=unknown/a.json');
});

test.each([
  ['a known type', event],
  ['a newer version', { ...event, later: { b: 1, a: 2 }, type: 'gene-panel.entity.classified.v2' }],
])('an event of %s is kept byte for byte', async (_, published) => {
  const body = JSON.stringify(published);
  const reply = await handler({ Records: [{ messageId: '1', body }] });
  expect(reply.batchItemFailures).toStrictEqual([]);
  expect(s3.commandCalls(PutObjectCommand).map(({ args }) => args[0].input)).toStrictEqual([
    expect.objectContaining({ Bucket: 'audit', Key: objectKey(event), Body: body, IfNoneMatch: '*' }),
  ]);
});

test('an event that was kept before counts as done', async () => {
  s3.on(PutObjectCommand).rejects(failure(412));
  const reply = await handler({ Records: [{ messageId: '1', body: JSON.stringify(event) }] });
  expect(reply.batchItemFailures).toStrictEqual([]);
});

test('only the records that failed are reported', async () => {
  s3.on(PutObjectCommand).resolvesOnce({}).rejects(failure(503));
  const { batchItemFailures } = await handler(recordedBatch);
  expect(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier)).toStrictEqual(
    recordedBatch.Records.slice(1).map(({ messageId }) => messageId),
  );
});

test('a misspelt mode of the lock is refused', () => {
  const settings = { topicPrefix: 'arn:', lockDays: 1 };
  expect(() => readSettings({ ...settings, lockMode: 'Compliance' })).toThrow(/expected "governance" or/);
});
