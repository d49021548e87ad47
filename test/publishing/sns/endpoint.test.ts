import {
  PublishBatchCommand,
  type PublishBatchRequestEntry,
  PublishCommand,
  type PublishCommandInput,
  SNSClient,
} from '@aws-sdk/client-sns';
import { afterEach, describe, expect, test } from 'vitest';
import { type SnsEndpointOptions, snsRegion, startSnsEndpoint } from './endpoint.ts';
import { accessDenied, cut, failByService, inTurn, internalError, loseReply, throttled } from './faults.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

async function start(options: Partial<SnsEndpointOptions<'tags' | 'panels'>> = {}) {
  const sns = await startSnsEndpoint({ topics: ['tags', 'panels'], ...options });
  const client = new SNSClient({
    endpoint: sns.endpoint,
    region: snsRegion,
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    maxAttempts: 1,
  });
  closing.push(sns.close);
  const publish = (input: PublishCommandInput) =>
    client.send(new PublishCommand({ TopicArn: sns.topicArns.tags, ...input }));
  const publishBatch = (
    entries: readonly Partial<PublishBatchRequestEntry>[],
    topicArn = sns.topicArns.tags,
  ) =>
    client.send(
      new PublishBatchCommand({
        TopicArn: topicArn,
        PublishBatchRequestEntries: entries.map((entry, n) => ({ Id: `${n}`, Message: 'a', ...entry })),
      }),
    );
  return { ...sns, publish, publishBatch };
}

/** The name and status of the error that the SDK throws. */
async function refusalOf(call: Promise<unknown>): Promise<readonly [string, number | undefined]> {
  try {
    await call;
  } catch (error) {
    const { name, $metadata } = error as { name: string; $metadata?: { httpStatusCode?: number } };
    return [name, $metadata?.httpStatusCode];
  }
  throw new Error('the call was taken');
}

const attribute = (DataType: string, StringValue: string) => ({ DataType, StringValue });

describe('accepted messages', () => {
  const hostile = 'é 💉 "<&>" a=b&c+d%20\r\n\t\u2028 \u202e…';

  test('a batch arrives byte for byte, in order, with its attributes', async () => {
    const { publishBatch, received } = await start();
    const MessageAttributes = {
      panelId: attribute('Number', '12'),
      entityName: attribute('String', hostile),
      panelTypes: attribute('String.Array', '["superpanel"]'),
    };
    const reply = await publishBatch([{ Id: 'x', Message: hostile, MessageAttributes }, { Id: 'y' }]);
    expect(reply.Failed).toEqual([]);
    expect(reply.Successful?.map(({ Id }) => Id)).toEqual(['x', 'y']);
    expect(received.map(({ topic, body }) => [topic, body])).toEqual([
      ['tags', hostile],
      ['tags', 'a'],
    ]);
    expect(received[0]?.attributes).toEqual([
      { name: 'panelId', type: 'Number', value: '12' },
      { name: 'entityName', type: 'String', value: hostile },
      { name: 'panelTypes', type: 'String.Array', value: '["superpanel"]' },
    ]);
    expect(reply.Successful?.map(({ MessageId }) => MessageId)).toEqual(
      received.map(({ messageId }) => messageId),
    );
  });

  test('a single message arrives with its subject, and is given to onMessage', async () => {
    const heard: string[] = [];
    const { publish, received } = await start({ onMessage: ({ body }) => heard.push(body) });
    const { MessageId } = await publish({ Message: hostile, Subject: 'A panel changed' });
    expect(received).toMatchObject([{ messageId: MessageId, body: hostile, subject: 'A panel changed' }]);
    expect(heard).toEqual([hostile]);
  });

  test('262,144 bytes with attributes are accepted', async () => {
    const { publish, received } = await start();
    await publish({ Message: 'é'.repeat(131_068), MessageAttributes: { e: attribute('String', 'x') } });
    expect(received).toHaveLength(1);
  });

  test('an endpoint that keeps nothing still calls onMessage', async () => {
    let heard = 0;
    const { publish, received, calls } = await start({
      keep: false,
      onMessage: () => {
        heard += 1;
      },
    });
    await publish({ Message: 'a' });
    expect([heard, received, calls]).toEqual([1, [], []]);
  });
});

describe('refused messages', () => {
  const batches: Record<string, [readonly Partial<PublishBatchRequestEntry>[], string]> = {
    'no entry': [[], 'EmptyBatchRequestException'],
    'eleven entries': [Array.from({ length: 11 }, () => ({})), 'TooManyEntriesInBatchRequestException'],
    'equal ids': [[{ Id: 'x' }, { Id: 'x' }], 'BatchEntryIdsNotDistinctException'],
    'an id with a dot': [[{ Id: 'x.y' }], 'InvalidBatchEntryIdException'],
    'a sum over 262,144 bytes': [
      [{ Message: 'é'.repeat(70_000) }, { Message: 'é'.repeat(70_000) }],
      'BatchRequestTooLongException',
    ],
  };
  test.each(Object.entries(batches))('a batch with %s', async (_, [entries, name]) => {
    const { publishBatch, received } = await start();
    expect(await refusalOf(publishBatch(entries))).toEqual([name, 400]);
    expect(received).toEqual([]);
  });

  const entries: Record<string, Partial<PublishBatchRequestEntry>> = {
    'an empty message': { Message: '' },
    'a control character': { Message: 'a\u0000b' },
    'an empty attribute value': { MessageAttributes: { a: attribute('String', '') } },
    'a control character in an attribute': { MessageAttributes: { a: attribute('String', '\u0001') } },
    'an unknown type of attribute': { MessageAttributes: { a: attribute('Text', 'x') } },
    'an attribute name with two dots': { MessageAttributes: { 'a..b': attribute('String', 'x') } },
    'an attribute name with an accent': { MessageAttributes: { é: attribute('String', 'x') } },
    'an attribute name of AWS': { MessageAttributes: { 'AWS.a': attribute('String', 'x') } },
    'a Number that is none': { MessageAttributes: { a: attribute('Number', 'twelve') } },
    'an array of arrays': { MessageAttributes: { a: attribute('String.Array', '[["x"]]') } },
    'an array that is no JSON': { MessageAttributes: { a: attribute('String.Array', 'x') } },
    'a subject with a line break': { Subject: 'a\nb' },
    'a subject of 100 characters': { Subject: 'a'.repeat(100) },
  };
  test.each(Object.entries(entries))('an entry with %s, alone', async (_, entry) => {
    const { publishBatch, received } = await start();
    const { Failed, Successful } = await publishBatch([{ Id: 'x' }, { Id: 'bad', ...entry }, { Id: 'y' }]);
    expect(Failed).toMatchObject([
      { Id: 'bad', SenderFault: true, Code: expect.stringContaining('InvalidParameter') },
    ]);
    expect(Successful?.map(({ Id }) => Id)).toEqual(['x', 'y']);
    expect(received).toHaveLength(2);
  });

  test.each([
    ['by its body', { Message: 'a'.repeat(262_145) }],
    ['with its subject', { Message: 'a'.repeat(262_144), Subject: 'b' }],
  ])('a single message that is too long %s', async (_, message) => {
    const { publish } = await start();
    expect(await refusalOf(publish(message))).toEqual(['InvalidParameterException', 400]);
  });

  test('an unknown topic', async () => {
    const { publishBatch, topicArns } = await start();
    expect(await refusalOf(publishBatch([{}], `${topicArns.tags}x`))).toEqual(['NotFoundException', 404]);
  });

  test('a request without signature, and an unknown action', async () => {
    const { endpoint } = await start();
    const answerTo = async (authorization: string) => {
      const body = 'Action=<Dance>';
      const response = await fetch(endpoint, { method: 'POST', body, headers: { authorization } });
      return response.text();
    };
    expect(await answerTo('Basic eA==')).toContain('<Code>MissingAuthenticationToken</Code>');
    expect(await answerTo('AWS4-HMAC-SHA256 x')).toContain(
      '<Error><Type>Sender</Type><Code>InvalidAction</Code><Message>Action &lt;Dance&gt; is not implemented by the sandbox<',
    );
  });
});

describe('faults', () => {
  const kinds = {
    throttled: [throttled, ['ThrottledException', 429], 0],
    'an internal error': [internalError, ['InternalErrorException', 500], 0],
    denied: [accessDenied, ['AuthorizationErrorException', 403], 0],
    'a page of HTML': [{ kind: 'answer', reply: { status: 503, body: '<h1>Busy' } }, ['Error', 503], 0],
    'a broken connection': [cut, ['TimeoutError', undefined], 0],
    'a lost reply': [loseReply, ['TimeoutError', undefined], 1],
  } as const;
  test.each(Object.entries(kinds))('%s, once', async (_, [fault, refusal, taken]) => {
    const { publishBatch, received, calls } = await start({ fault: inTurn(fault) });
    expect(await refusalOf(publishBatch([{}]))).toEqual(refusal);
    expect(received).toHaveLength(taken);
    await publishBatch([{}]);
    expect([received.length, calls.length]).toEqual([taken + 1, 2]);
  });

  test('some entries fail inside SNS', async () => {
    const { publishBatch, received } = await start({ fault: () => failByService('b') });
    const { Failed } = await publishBatch([{ Message: 'a' }, { Message: 'b' }, { Message: 'c' }]);
    expect(Failed).toMatchObject([{ Id: '1', Code: 'InternalError', SenderFault: false }]);
    expect(received.map(({ body }) => body)).toEqual(['a', 'c']);
  });

  test('an error inside SNS is marked as such', async () => {
    const { publish } = await start({ fault: inTurn(internalError) });
    await expect(publish({ Message: 'a' })).rejects.toMatchObject({ Type: 'Receiver' });
  });

  test('an exception in onMessage closes the connection, and the endpoint keeps running', async () => {
    const messages = inTurn(cut);
    const { publish } = await start({
      onMessage: () => {
        if (messages()) throw new Error('the terminal is gone');
      },
    });
    expect(await refusalOf(publish({ Message: 'a' }))).toEqual(['TimeoutError', undefined]);
    await publish({ Message: 'a' });
  });
});
