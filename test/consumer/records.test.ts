import { describe, expect, test } from 'vitest';
import {
  EventError,
  eventKindNames,
  isClassified,
  isTagsChanged,
  kindOf,
  type PanelEvent,
  parseEvent,
  readEvents,
  typeName,
} from '../../consumer/notifier.ts';
import * as guards from '../../consumer/panel-event.ts';
import { example, recordedBatch } from './recorded-batch.ts';

const classified = example<PanelEvent<'entity.classified'>>('gene-panel.entity.classified.v1');
const text = JSON.stringify(classified);
const bridged = {
  version: '0',
  id: '1',
  'detail-type': classified.type,
  source: 'panels-test',
  region: 'eu-west-2',
};
const later = { ...classified, type: 'gene-panel.entity.classified.v2' };

describe('an event is read', () => {
  test.each([
    ['from SNS', { Records: [{ Sns: { MessageId: '1', Message: text } }] }],
    ['from SQS with raw delivery', { Records: [{ messageId: '1', body: text }] }],
    ['from EventBridge', { ...bridged, detail: classified }],
    [
      'from EventBridge in SQS',
      { Records: [{ messageId: '1', body: JSON.stringify({ ...bridged, detail: classified }) }] },
    ],
    [
      'from SNS in SQS',
      { Records: [{ messageId: '1', body: JSON.stringify({ Type: 'Notification', Message: text }) }] },
    ],
  ])('%s', (_, invocation) => {
    expect(readEvents(invocation)).toStrictEqual([{ kind: 'event', recordId: '1', event: classified }]);
  });

  test('as text and as a value', () => {
    expect(parseEvent(text)).toStrictEqual(classified);
    expect(parseEvent(classified)).toStrictEqual(classified);
  });

  test('with a field that a later version adds, which is kept', () => {
    const event = { ...classified, data: { ...classified.data, added: 'later' } };
    expect(parseEvent(event)).toStrictEqual(event);
  });

  test('of every type, and each has its guard', () => {
    const found = Object.values(guards).map((guard) =>
      eventKindNames.filter((kind) => guard({ type: typeName(kind) })),
    );
    expect(found.flat().sort()).toStrictEqual([...eventKindNames].sort());
    for (const kind of eventKindNames) expect(kindOf(parseEvent(example(typeName(kind))).type)).toBe(kind);
  });
});

describe('an event narrowed by its guard', () => {
  test('has a panel and an entity without a null check', () => {
    const event: PanelEvent = parseEvent(text);
    if (!isClassified(event)) throw new Error('not classified');
    const said: string = `${event.data.entity.name} on ${event.data.panel.name}: ${event.data.change.direction}`;
    expect(said).toBe('EXAMPLE1 on Example panel: upgraded');
    expect(isTagsChanged(event)).toBe(false);
  });
});

describe('what is no event is refused', () => {
  test.each([
    ['text that is cut off', text.slice(0, 100), 'NOT_JSON', /This is not JSON: /],
    [
      'another JSON value',
      '{"type":"com.example"}',
      'NOT_AN_EVENT',
      /Expected a CloudEvent whose type begins/,
    ],
    [
      'a rating without its entity',
      JSON.stringify({ ...classified, data: { ...classified.data, entity: null } }),
      'INVALID_EVENT',
      /does not match the schema of gene-panel\.entity\.classified\.v1: [\s\S]*entity/,
    ],
    ['a newer version', JSON.stringify(later), 'NEWER_EVENT', /v2, which this version .* does not know/],
  ])('%s', (_, body, code, message) => {
    const [failed] = readEvents({ Records: [{ messageId: '1', body }] });
    if (failed?.kind !== 'bad') throw new Error('it was read');
    expect(failed.error).toBeInstanceOf(EventError);
    expect(failed.error).toMatchObject({ code, message: expect.stringMatching(message) });
  });

  test('while the other records of the batch are read', () => {
    expect(readEvents(recordedBatch).map(({ kind }) => kind)).toStrictEqual(['event', 'bad', 'event']);
  });
});

describe('an event of a newer version', () => {
  const invocation = { Records: [{ messageId: '1', body: JSON.stringify(later) }] };
  test.each([
    ['skip', []],
    ['pass on', [{ kind: 'newer', recordId: '1', event: later }]],
  ] as const)('by the policy %s', (newer, expected) => {
    expect(readEvents(invocation, { newer })).toStrictEqual(expected);
  });
});

test.each([
  ['lists', '['.repeat(200_000) + ']'.repeat(200_000)],
  ['objects', `${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}`],
  [
    'an event’s data',
    text.replace('"change":{', `"change":{"deep":${'['.repeat(200_000) + ']'.repeat(200_000)},`),
  ],
])('%s that nest 200,000 deep are one bad record, and the others are read', (_how, deep) => {
  const records = [deep, text].map((body, index) => ({ messageId: String(index), body }));
  const [first, second] = readEvents({ Records: records });
  expect(second).toMatchObject({ kind: 'event', recordId: '1' });
  expect(first?.recordId).toBe('0');
});

test('a list that nests deep, given as a value, is refused in words', () => {
  let deep: unknown = [];
  for (let level = 0; level < 200_000; level += 1) deep = [deep];
  expect(() => parseEvent(deep)).toThrow('a list that nests too deep');
});
