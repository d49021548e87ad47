import {
  EventBridgeClient,
  PutEventsCommand,
  type PutEventsCommandOutput,
} from '@aws-sdk/client-eventbridge';
import { mockClient } from 'aws-sdk-client-mock';
import { describe, expect, test } from 'vitest';
import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import { toMessage } from '../../lambdas/publishing/message.ts';
import { busEntry, bytesOfEntry, CALL_BYTES, forwardBatch } from '../../lambdas/publishing/put-events.ts';
import { jsonLog } from '../../lambdas/run/log.ts';
import { createTestClock } from '../run/test-clock.ts';
import { turnedGreen } from '../words/events.ts';

const bus = 'arn:aws:events:eu-west-2:123456789012:event-bus/platform';
const source = 'panels-test';

/** Answers calls to the bus in turn, the last one for ever; an answer names the code of each entry, '' for accepted. */
function start(...answers: readonly (readonly string[] | Error)[]) {
  const client = new EventBridgeClient({ region: 'eu-west-2' });
  const mocked = mockClient(client);
  let call = 0;
  mocked.on(PutEventsCommand).callsFake(({ Entries = [] }): Partial<PutEventsCommandOutput> => {
    const answer = answers[Math.min(call++, answers.length - 1)] ?? [];
    if (answer instanceof Error) throw answer;
    return {
      FailedEntryCount: answer.filter((code) => code !== '').length,
      Entries: (Entries as readonly unknown[]).map((_entry, place) =>
        answer[place] ? { ErrorCode: answer[place], ErrorMessage: 'no' } : { EventId: `e${place}` },
      ),
    };
  });
  const clock = createTestClock({ random: () => 0.5 });
  const lines: string[] = [];
  const forward = (bodies: readonly string[], deadline = Number.POSITIVE_INFINITY) =>
    forwardBatch(
      { Records: bodies.map((body, place) => ({ messageId: `m${place}`, body })) },
      { client, clock, log: jsonLog((line) => void lines.push(line), clock.now), deadline, bus, source },
    );
  const sent = () =>
    mocked.commandCalls(PutEventsCommand).map(({ args: [{ input }] }) => input.Entries ?? []);
  return { forward, sent, lines, waits: clock.sleeps };
}

const eventOf = (id: string): PanelEvent => ({ ...turnedGreen(), id });
const bodyOf = (id: string): string => toMessage(eventOf(id)).body;
const failures = (...places: readonly number[]) => ({
  batchItemFailures: places.map((place) => ({ itemIdentifier: `m${place}` })),
});
const idsOf = (entries: readonly { readonly Detail?: string | undefined }[]): readonly string[] =>
  entries.map(({ Detail = '{}' }) => JSON.parse(Detail).id);

test('each event is an entry: its bytes as the detail, its type as the detail type', async () => {
  const { forward, sent } = start([]);
  const body = bodyOf('one');
  expect(await forward([body])).toEqual(failures());
  expect(sent()).toEqual([
    [
      {
        EventBusName: bus,
        Source: source,
        DetailType: 'gene-panel.entity.classified.v1',
        Detail: body,
      },
    ],
  ]);
});

describe('entries that the bus does not take, with HTTP 200', () => {
  test('are sent again alone, and the others are not', async () => {
    const { forward, sent, waits } = start(
      ['', 'ThrottlingException', 'InternalFailure'],
      ['', 'InternalFailure'],
      [],
    );
    expect(await forward(['a', 'b', 'c'].map(bodyOf))).toEqual(failures());
    expect(sent().map(idsOf)).toEqual([['a', 'b', 'c'], ['b', 'c'], ['c']]);
    expect(waits).toEqual([100, 200]);
  });

  test('stay in the queue where they fail again and again', async () => {
    const { forward, sent, lines } = start(['', 'InternalFailure'], ['InternalFailure']);
    expect(await forward(['a', 'b'].map(bodyOf))).toEqual(failures(1));
    expect(sent()).toHaveLength(4);
    expect(lines.join()).toContain('"code":"InternalFailure"');
  });

  test('stay in the queue at once where sending again cannot help, and hold up no other', async () => {
    const { forward, sent, waits } = start(['MalformedDetail', '']);
    expect(await forward(['a', 'b'].map(bodyOf))).toEqual(failures(0));
    expect([sent().length, waits.length]).toEqual([1, 0]);
  });

  test('stay in the queue where the response does not mention them', async () => {
    const client = new EventBridgeClient({ region: 'eu-west-2' });
    mockClient(client).on(PutEventsCommand).resolves({});
    const clock = createTestClock();
    const log = jsonLog(() => {}, clock.now);
    const Records = [{ messageId: 'm0', body: bodyOf('a') }];
    const deadline = Number.POSITIVE_INFINITY;
    expect(await forwardBatch({ Records }, { client, clock, log, deadline, bus, source })).toEqual(
      failures(0),
    );
  });
});

describe('a call that fails as a whole', () => {
  const named = (name: string): Error => Object.assign(new Error('no'), { name });

  test.each([
    ['a bus that is missing', named('ResourceNotFoundException')],
    ['a policy that refuses', named('AccessDeniedException')],
  ])('by %s leaves every event in the queue, and is not repeated', async (_what, error) => {
    const { forward, sent } = start(error);
    expect(await forward(['a', 'b'].map(bodyOf))).toEqual(failures(0, 1));
    expect(sent()).toHaveLength(1);
  });

  test('without an answer is repeated', async () => {
    const { forward } = start(named('TimeoutError'), []);
    expect(await forward([bodyOf('a')])).toEqual(failures());
  });

  test('by the content of one entry takes the others', async () => {
    const { forward, sent } = start(named('ValidationException'), [], named('ValidationException'));
    expect(await forward(['a', 'b'].map(bodyOf))).toEqual(failures(1));
    expect(sent().map(idsOf)).toEqual([['a', 'b'], ['a'], ['b']]);
  });
});

test('what is no event stays in the queue, and the others are put on the bus', async () => {
  const { forward, sent } = start([]);
  const others = ['{"specversion":', '{"hello":1}', '{"specversion":"1.0","type":"com.example"}'];
  expect(await forward([...others, bodyOf('a')])).toEqual(failures(0, 1, 2));
  expect(sent().map(idsOf)).toEqual([['a']]);
});

test('no call begins when no time is left: the events stay in the queue', async () => {
  const { forward, sent } = start([]);
  expect(await forward([bodyOf('a')], 0)).toEqual(failures(0));
  expect(sent()).toEqual([]);
});

describe('the largest events', () => {
  const longest = 'x'.repeat(39);
  const large = (kind: 'panel' | 'none'): PanelEvent => {
    const event = eventOf('large');
    const data = { ...event.data, catalogue: 'uk', summary: 'é'.repeat(300_000) };
    return { ...event, data: kind === 'panel' ? data : { ...data, panel: null, entity: null } } as PanelEvent;
  };

  test.each(['panel', 'none'] as const)('fit on a bus with the longest prefix, whole (%s)', (kind) => {
    const { body } = toMessage(large(kind));
    expect(Buffer.byteLength(body)).toBeGreaterThan(250_000);
    expect(bytesOfEntry(busEntry({ messageId: 'm', body }, { bus, source: longest }))).toBeLessThan(
      CALL_BYTES,
    );
  });

  test('go in calls of their own, because the limit is for a call too', async () => {
    const { forward, sent } = start([]);
    const { body } = toMessage(large('panel'));
    expect(await forward([body, bodyOf('a'), body])).toEqual(failures());
    expect(sent().map((entries) => entries.length)).toEqual([1, 1, 1]);
  });
});
