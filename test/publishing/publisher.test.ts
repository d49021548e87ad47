import { afterEach, describe, expect, test, vi } from 'vitest';
import { type Topic, topics } from '../../lambdas/events/kinds.ts';
import { PublishError } from '../../lambdas/publishing/faults.ts';
import { bytesOf, CALL_BYTES, type Message } from '../../lambdas/publishing/message.ts';
import { createPublisher, createSnsClient } from '../../lambdas/publishing/publisher.ts';
import { jsonLog } from '../../lambdas/run/log.ts';
import { createTestClock } from '../run/test-clock.ts';
import { type SnsEndpointOptions, type SnsFault, snsRegion, startSnsEndpoint } from './sns/endpoint.ts';
import {
  accessDenied,
  cut,
  failBySender,
  failByService,
  inTurn,
  internalError,
  loseReply,
  refuse,
  silence,
  throttled,
} from './sns/faults.ts';
import type { EntryFailure } from './sns/refusals.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(closing.splice(0).map((close) => close()));
});

interface Start extends Partial<SnsEndpointOptions<Topic>> {
  readonly deadline?: number;
  readonly timeout?: number;
  /** Milliseconds that pass with each call. */
  readonly advance?: number;
  readonly topicArns?: Partial<Record<Topic, string>>;
}

/** A publisher of the endpoint. Waits of its clock take no time and are recorded. */
async function start({ deadline, timeout, topicArns, advance = 0, ...options }: Start = {}) {
  const clock = createTestClock({ now: 0, random: () => 0.5 });
  const endpoint = await startSnsEndpoint({
    topics,
    ...options,
    fault: (call) => {
      clock.pass(advance);
      return options.fault?.(call);
    },
  });
  closing.push(endpoint.close);
  const credentials = { accessKeyId: 'AKIDCANARY', secretAccessKey: 'canary-secret' };
  const lines: string[] = [];
  const publisher = createPublisher({
    sns: createSnsClient({
      endpoint: endpoint.endpoint,
      region: snsRegion,
      credentials,
      ...(timeout ? { timeout } : {}),
    }),
    topicArns: { ...endpoint.topicArns, ...topicArns },
    clock,
    log: jsonLog(
      (line) => lines.push(line),
      () => 0,
    ),
    ...(deadline ? { deadline } : {}),
  });
  const bodies = (topic: Topic) =>
    endpoint.received.filter((message) => message.topic === topic).map(({ body }) => body);
  const sent = () => endpoint.calls.map(({ entries }) => entries.map(({ body }) => body).join(''));
  return { ...endpoint, publish: publisher.publish, bodies, sent, waits: clock.sleeps, lines };
}

function message(body: string, topic: Topic = 'tags'): Message {
  return { id: body, topic, body, attributes: { type: { type: 'String', value: 'x' } } };
}

const messages = (bodies: string, topic?: Topic) => [...bodies].map((body) => message(body, topic));
const alphabet = 'abcdefghijklmnopqrstuvwxyz';

async function errorOf(call: Promise<unknown>): Promise<PublishError> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(PublishError);
  return error as PublishError;
}

describe('batches', () => {
  test('go out in order, ten a call, byte for byte and with their attributes', async () => {
    const { publish, sent, received } = await start();
    const attributes = {
      type: { type: 'String', value: 'gene-panel.entity.classified.v1' },
      panelId: { type: 'Number', value: '12' },
      panelTypes: { type: 'String.Array', value: '["superpanel","é"]' },
    } as const;
    const body = '{"é":"💉\\u0000 &=+%"}';
    expect(await publish([...messages(alphabet), { ...message(body), attributes }])).toEqual([]);
    expect(sent()).toEqual(['abcdefghij', 'klmnopqrst', `uvwxyz${body}`]);
    expect(received.at(-1)).toMatchObject({
      topic: 'tags',
      body,
      subject: undefined,
      attributes: Object.entries(attributes).map(([name, attribute]) => ({ name, ...attribute })),
    });
  });

  test('nothing to send makes no call', async () => {
    const { publish, calls } = await start();
    expect(await publish([])).toEqual([]);
    expect(calls).toEqual([]);
  });

  test('messages of more than 256 KiB together go out in several calls, though each is smaller', async () => {
    const { publish, calls } = await start();
    const weight = bytesOf(message(''));
    const weighing = (bytes: number) => message('é'.repeat((bytes - weight - 1) / 2).concat('a'));
    const full = [weighing(CALL_BYTES / 2), weighing(CALL_BYTES / 2)];
    expect(full.map(bytesOf)).toEqual([CALL_BYTES / 2, CALL_BYTES / 2]);
    expect(await publish([...full, weighing(CALL_BYTES), ...full, message('a')])).toEqual([]);
    expect(calls.map(({ entries }) => entries.length)).toEqual([2, 1, 2, 1]);
  });

  test('one message twice in a batch is sent twice, and both are accounted for', async () => {
    const { publish, bodies } = await start({ fault: inTurn(failByService('a')) });
    await publish([message('a'), message('a'), message('b')]);
    expect(bodies('tags')).toEqual(['b', 'a', 'a']);
  });
});

describe('entries of a batch that fail inside SNS', () => {
  test('are sent again alone, before anything later of their topic', async () => {
    const { publish, sent, bodies, waits } = await start({ fault: inTurn(failByService('b', 'd')) });
    expect(await publish(messages('abcdefghijkl'))).toEqual([]);
    expect(sent()).toEqual(['abcdefghij', 'bd', 'kl']);
    expect(bodies('tags').join('')).toBe('acefghijbdkl');
    expect(waits).toEqual([100]);
  });

  test('are sent again after growing waits; then publishing stops and sends nothing later', async () => {
    const { publish, sent, waits, lines } = await start({ fault: () => failByService('b') });
    const error = await errorOf(publish(messages('abcdefghijkl')));
    expect(error).toMatchObject({ code: 'unavailable', topic: 'tags' });
    expect(error.message).toBe(
      "Publishing to the topic 'tags' stopped: InternalError: Internal error (5 resends). " +
        'The next run sends the rest; check the network and the state of SNS if this continues.',
    );
    expect(sent()).toEqual(['abcdefghij', 'b', 'b', 'b', 'b', 'b']);
    expect(waits).toEqual([100, 200, 400, 800, 1600]);
    expect(lines).toHaveLength(5);
  });

  test('are sent again where SNS does not mention them', async () => {
    const reply = {
      status: 200,
      body: '<PublishBatchResponse><PublishBatchResult><Successful/></PublishBatchResult></PublishBatchResponse>',
    };
    const { publish, sent } = await start({ fault: inTurn({ kind: 'answer', reply }) });
    expect(await publish(messages('ab'))).toEqual([]);
    expect(sent()).toEqual(['ab', 'ab']);
  });
});

describe('messages that SNS refuses for their content', () => {
  test('are rejected with the code of SNS and not sent again; the others go on', async () => {
    const { publish, sent, bodies } = await start({ fault: () => failBySender('b') });
    const [a, b, ...rest] = messages('abcdefghijkl') as [Message, Message, ...Message[]];
    expect(await publish([a, b, ...rest])).toEqual([
      { message: b, code: 'InvalidParameter', reason: 'Invalid parameter: Message' },
    ]);
    expect(sent()).toEqual(['abcdefghij', 'kl']);
    expect(bodies('tags').join('')).toBe('acdefghijkl');
  });

  const poison: Record<string, [Message, string]> = {
    'too large': [message('é'.repeat(CALL_BYTES / 2)), 'BatchRequestTooLong'],
    'a bad character': [message('a\u0000'), 'InvalidParameter'],
    empty: [message(''), 'InvalidParameter'],
    'an empty attribute': [
      { ...message('x'), attributes: { entityName: { type: 'String', value: '' } } },
      'InvalidParameterValue',
    ],
  };
  test.each(Object.entries(poison))('are rejected beside good ones: %s', async (_, [bad, code]) => {
    const { publish, bodies } = await start();
    expect(await publish([message('a'), bad, message('b')])).toMatchObject([{ message: bad, code }]);
    expect(bodies('tags')).toEqual(['a', 'b']);
  });

  test('are found by sending each alone, where the whole batch is refused for one', async () => {
    const { publish, sent, bodies, waits } = await start({
      fault: ({ entries }) =>
        entries.some(({ body }) => body === 'b') ? refuse(400, 'InvalidParameter', 'no') : undefined,
    });
    expect(await publish(messages('abc'))).toMatchObject([{ message: { id: 'b' }, reason: 'no' }]);
    expect([sent(), bodies('tags'), waits]).toEqual([['abc', 'a', 'b', 'c'], ['a', 'c'], []]);
  });

  test('are rejected, while a transient failure in the same batch is sent again', async () => {
    const failures: Record<string, boolean> = { a: true, b: false };
    const { publish, sent } = await start({
      fault: inTurn({
        kind: 'fail-entries',
        failureOf: ({ body }) =>
          body in failures ? { code: 'Odd', message: '', senderFault: failures[body] ?? false } : undefined,
      }),
    });
    expect(await publish(messages('abc'))).toMatchObject([{ message: { id: 'a' }, code: 'Odd' }]);
    expect(sent()).toEqual(['abc', 'b']);
  });
});

describe('calls that fail as a whole', () => {
  test('are repeated with the same ids, bodies and attributes where the reply is lost', async () => {
    const { publish, received, calls } = await start({ fault: inTurn(loseReply) });
    expect(await publish(messages('ab'))).toEqual([]);
    expect(calls[1]).toEqual(calls[0]);
    const [first, second, third, fourth] = received.map(({ messageId: _, ...rest }) => rest);
    expect([third, fourth]).toEqual([first, second]);
  });

  test('after a crash the same messages are published again, byte for byte', async () => {
    const { publish, received } = await start();
    await publish(messages('abc'));
    await publish(messages('abc'));
    const sent = received.map(({ messageId: _, ...rest }) => rest);
    expect(sent.slice(3)).toEqual(sent.slice(0, 3));
  });

  const page: SnsFault = { kind: 'answer', reply: { status: 503, body: '<html><h1>Busy</html>' } };
  const unreadable: SnsFault = { kind: 'answer', reply: { status: 200, body: 'It works!' } };
  const slower: SnsFault = { kind: 'answer', reply: { status: 429, body: '<html><h1>Slow down</html>' } };
  const transient = { throttled, internalError, cut, silence, page, slower, unreadable };
  test.each(Object.entries(transient))(
    'are repeated where the failure is transient: %s, twice',
    async (_, fault) => {
      // Short where the test waits for it, and long enough for every other answer.
      const timeout = fault === silence ? { timeout: 1000 } : {};
      const { publish, sent, bodies, waits } = await start({ fault: inTurn(fault, fault), ...timeout });
      expect(await publish(messages('ab'))).toEqual([]);
      expect([sent(), bodies('tags'), waits]).toEqual([
        ['ab', 'ab', 'ab'],
        ['a', 'b'],
        [100, 200],
      ]);
    },
  );

  test('stop publishing after five repeats where SNS throttles, with what to do', async () => {
    const { publish, calls } = await start({ fault: () => throttled });
    const error = await errorOf(publish(messages(alphabet)));
    expect(error).toMatchObject({ code: 'throttled', cause: { name: 'ThrottledException' } });
    expect(error.message).toContain('ask AWS for a higher quota');
    expect(calls).toHaveLength(6);
  });

  const final: Record<string, [SnsFault, string]> = {
    'topic deleted': [refuse(404, 'NotFound', 'Topic does not exist'), 'topic-missing'],
    'access denied': [accessDenied, 'denied'],
    'key denied': [refuse(400, 'KMSAccessDenied', 'Not authorised to use the key'), 'denied'],
    'key deleted': [refuse(400, 'KMSInvalidState', 'Key is pending deletion'), 'denied'],
    'credentials unknown': [refuse(403, 'InvalidClientTokenId', 'The security token is invalid'), 'denied'],
    'forbidden by a proxy': [{ kind: 'answer', reply: { status: 403, body: '<html>' } }, 'denied'],
    'not SNS at all': [{ kind: 'answer', reply: { status: 405, body: 'POST?' } }, 'refused'],
  };
  test.each(Object.entries(final))(
    'stop publishing at once where a repeat cannot help: %s',
    async (_, [fault, code]) => {
      const { publish, calls, waits } = await start({ fault: () => fault });
      expect(await errorOf(publish(messages(alphabet)))).toMatchObject({ code, topic: 'tags' });
      expect([calls.length, waits]).toEqual([1, []]);
    },
  );

  test('stop publishing in the same way where one entry is refused for its key', async () => {
    const failures: Record<string, EntryFailure> = {
      a: { code: 'InternalError', message: 'passes', senderFault: false },
      b: { code: 'KMSAccessDenied', message: 'no', senderFault: true },
    };
    const { publish, calls } = await start({
      fault: () => ({ kind: 'fail-entries', failureOf: ({ body }) => failures[body] }),
    });
    expect(await errorOf(publish(messages('abc')))).toMatchObject({ code: 'denied' });
    expect(calls).toHaveLength(1);
  });

  const wrongArns = {
    'another region': ['arn:aws:sns:us-east-1:000000000000:tags', "the client's region, eu-west-2"],
    'no ARN': ['tags', 'is not the ARN of a standard SNS topic'],
    'a FIFO topic': [`arn:aws:sns:${snsRegion}:000000000000:tags.fifo`, 'is not the ARN'],
    'a queue': [`arn:aws:sqs:${snsRegion}:000000000000:tags`, 'is not the ARN'],
    'an unknown topic': [`arn:aws:sns:${snsRegion}:000000000000:tag`, 'Topic does not exist'],
  } as const;
  test.each(Object.entries(wrongArns))(
    'stop publishing with what to correct: %s in the settings',
    async (_, [arn, seen]) => {
      const error = await errorOf(
        start({ topicArns: { tags: arn } }).then(({ publish }) => publish([message('a')])),
      );
      expect(error).toMatchObject({ code: 'topic-missing', topic: 'tags' });
      expect(error.message).toContain(seen);
    },
  );

  test('show nothing of the session token that AWS repeats when it refuses a signature', async () => {
    const explained =
      'The signature does not match.\n\nThe Canonical String was\nx-amz-security-token:canary';
    const { publish, lines } = await start({ fault: () => refuse(403, 'SignatureDoesNotMatch', explained) });
    const error = await errorOf(publish([message('a'), message('b', 'panels')]));
    const log = jsonLog(
      (line) => lines.push(line),
      () => 0,
    );
    log.error('failed', { error });
    expect(error.message).toContain('The signature does not match.');
    expect(lines).toHaveLength(2);
    expect(lines.join()).not.toContain('canary');
  });

  test('are signed again by the time of SNS where the clock of this machine is years off', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2000, 0) });
    const { publish, bodies } = await start({ fault: inTurn(refuse(403, 'RequestExpired', 'too late')) });
    expect(await publish([message('a')])).toEqual([]);
    expect(bodies('tags')).toEqual(['a']);
  });

  test('stop publishing where nothing answers', async () => {
    const { publish, close, waits } = await start();
    await close();
    const error = await errorOf(publish([message('a')]));
    expect(error).toMatchObject({ code: 'unavailable' });
    expect(error.message).toContain('ECONNREFUSED');
    expect(waits).toHaveLength(5);
  });
});

describe('the deadline', () => {
  test('ends publishing before a wait that would pass it', async () => {
    const { publish, waits } = await start({ fault: () => throttled, deadline: 700 });
    const error = await errorOf(publish([message('a')]));
    expect(error).toMatchObject({ code: 'deadline', cause: { name: 'ThrottledException' } });
    expect(waits).toEqual([100, 200]);
  });

  test('ends publishing before the next call', async () => {
    const { publish, sent } = await start({ deadline: 4_000, advance: 4_001 });
    const error = await errorOf(publish(messages(alphabet)));
    expect(error.message).toContain('the time was up before everything was sent');
    expect(sent()).toEqual(['abcdefghij']);
  });

  test('ends a call without an answer', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const fault = () => {
      vi.advanceTimersByTime(4_000);
      return silence;
    };
    const { publish, calls } = await start({ fault, deadline: 4_000, advance: 4_000, timeout: 3_600_000 });
    expect(await errorOf(publish([message('a')]))).toMatchObject({ code: 'deadline' });
    expect(calls).toHaveLength(1);
  });
});

describe('topics', () => {
  test('get their own messages in order', async () => {
    const { publish, bodies } = await start();
    const mixed = [...alphabet].map((body, n) => message(body, topics[n % topics.length] ?? 'tags'));
    await publish(mixed);
    for (const topic of topics) {
      expect(bodies(topic)).toEqual(mixed.filter((m) => m.topic === topic).map(({ body }) => body));
    }
  });

  test('are all sent to where one stops; the error names that one', async () => {
    const { publish, bodies, topicArns } = await start({
      fault: ({ topicArn }) => (topicArn === topicArns.tags ? accessDenied : undefined),
    });
    const all = [...messages(alphabet, 'tags'), ...messages(alphabet, 'panels')];
    expect(await errorOf(publish(all))).toMatchObject({ code: 'denied', topic: 'tags' });
    expect([bodies('tags').join(''), bodies('panels').join('')]).toEqual(['', alphabet]);
  });

  test('that stop are several: the first error is thrown and the others are logged', async () => {
    const { publish, lines } = await start({ fault: () => accessDenied });
    const error = await errorOf(publish([message('a', 'panels'), message('b', 'tags')]));
    expect(error.topic).toBe('panels');
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { level: 'ERROR', error: { name: 'PublishError', code: 'denied' } },
    ]);
  });
});
