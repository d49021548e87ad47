import { afterEach, describe, expect, test } from 'vitest';
import { type Changes, type EventKindName, eventKinds } from '../../lambdas/events/changes.ts';
import { topics } from '../../lambdas/events/kinds.ts';
import {
  type EventData,
  eventSchema,
  type PanelEvent,
  schemaUri,
  typeName,
} from '../../lambdas/events/schemas.ts';
import { bytesOf, MESSAGE_BYTES, type Message, toMessage } from '../../lambdas/publishing/message.ts';
import { createPublisher, createSnsClient } from '../../lambdas/publishing/publisher.ts';
import { silentLog } from '../../lambdas/run/log.ts';
import { createTestClock } from '../run/test-clock.ts';
import { snsRegion, startSnsEndpoint } from './sns/endpoint.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

const row = {
  created: '2023-11-17T15:54:09.123689Z',
  panel_name: 'Cystic kidney disease',
  panel_id: 10,
  panel_version: '0.20',
  user_name: 'Eleanor Vance-Holt',
  item_type: 'entity',
  text: 'Gene: rho has been classified as Red List (Low Evidence).',
  entity_name: 'RHO',
  entity_type: 'gene',
};

const panel = {
  id: 10,
  name: 'Cystic kidney disease',
  version: '0.20',
  types: ['programme-rare-disease', 'programme-signed-off'],
  diseaseGroup: 'Renal',
  diseaseSubGroup: '',
  relevantDisorders: ['Cystic renal disease', 'R193'],
  signedOff: true,
};

function event<Kind extends EventKindName>(
  kind: Kind,
  change: Changes[Kind],
  data: Partial<EventData<EventKindName>> = {},
): PanelEvent {
  return {
    specversion: '1.0',
    id: '0123456789abcdef0123456789abcdef',
    source: 'https://catalogue.example/api/v1/',
    type: typeName(kind),
    subject: 'panels/10/gene/RHO',
    time: '2023-11-17T15:54:09.123689Z',
    datacontenttype: 'application/json',
    dataschema: schemaUri(kind),
    data: {
      catalogue: 'uk',
      panel,
      entity: { type: 'gene', name: 'RHO' },
      actor: 'Eleanor Vance-Holt',
      summary: 'RHO was downgraded from amber to red on Cystic kidney disease in version 0.20.',
      late: false,
      activities: [row],
      ...data,
      change,
    },
  } as PanelEvent;
}

const downgraded = { from: 'amber', to: 'red', direction: 'downgraded' } as const;
const classified = (data: Partial<EventData>) => event('entity.classified', downgraded, data);

/** Checks what holds for every message; gives the event that a consumer reads. */
function read(kind: EventKindName, message: Message): PanelEvent {
  expect(bytesOf(message)).toBeLessThanOrEqual(MESSAGE_BYTES);
  expect(Object.keys(message.attributes).length).toBeLessThanOrEqual(10);
  const parsed = JSON.parse(message.body, (_, value) => {
    if (typeof value === 'string') expect(value.isWellFormed()).toBe(true);
    return value;
  });
  return eventSchema(kind).parse(parsed) as PanelEvent;
}

/** The message as the real client sends it and the endpoint, with the rules of SNS, takes it. */
async function published(message: Message) {
  const endpoint = await startSnsEndpoint({ topics });
  closing.push(endpoint.close);
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const publisher = createPublisher({
    sns: createSnsClient({ endpoint: endpoint.endpoint, region: snsRegion, credentials }),
    topicArns: endpoint.topicArns,
    clock: createTestClock(),
    log: silentLog,
  });
  expect(await publisher.publish([message])).toEqual([]);
  return endpoint.received[0];
}

describe('a message', () => {
  test('is the event unchanged, with its attributes, on the topic of its family', () => {
    const message = toMessage(classified({}));
    expect(JSON.parse(message.body)).toEqual(classified({}));
    expect(message).toMatchObject({ id: '0123456789abcdef0123456789abcdef', topic: 'classifications' });
    expect(message.attributes).toEqual({
      type: { type: 'String', value: 'gene-panel.entity.classified.v1' },
      catalogue: { type: 'String', value: 'uk' },
      panelId: { type: 'Number', value: '10' },
      entityType: { type: 'String', value: 'gene' },
      entityName: { type: 'String', value: 'RHO' },
      ratingFrom: { type: 'String', value: 'amber' },
      ratingTo: { type: 'String', value: 'red' },
      direction: { type: 'String', value: 'downgraded' },
      panelTypes: { type: 'String.Array', value: '["programme-rare-disease","programme-signed-off"]' },
      relevantDisorders: { type: 'String.Array', value: '["Cystic renal disease","R193"]' },
    });
  });

  test('goes to the topic of its kind, for every kind', () => {
    const kinds = Object.keys(eventKinds) as EventKindName[];
    const reached = kinds.map((kind) => toMessage(event(kind, {} as never)).topic);
    expect(reached).toEqual(kinds.map((kind) => eventKinds[kind].topic));
    expect(new Set(reached)).toEqual(new Set(topics));
  });

  test('is the same message when made again', () => {
    const long = classified({ activities: [{ ...row, text: 'é💉'.repeat(100_000) }] });
    expect(toMessage(structuredClone(long))).toEqual(toMessage(long));
  });

  test('is not made of an event of an unknown type', () => {
    expect(() => toMessage({ ...classified({}), type: 'com.example.other' as never })).toThrow(
      "'com.example.other'",
    );
  });
});

describe('attributes', () => {
  test('are absent without a value', () => {
    const { attributes } = toMessage(
      event('activity.unclassified', { reason: 'invalid-row', row: 7 }, { panel: null, entity: null }),
    );
    expect(Object.keys(attributes)).toEqual(['type', 'catalogue']);
    const unknown = event('entity.classified', { from: null, to: 'green', direction: 'unknown' });
    expect(toMessage(unknown).attributes).not.toHaveProperty('ratingFrom');
    const { types: _, relevantDisorders: __, ...bare } = panel;
    const { attributes: ofBare } = toMessage(classified({ panel: bare }));
    expect(ofBare).not.toHaveProperty('panelTypes');
    expect(ofBare).not.toHaveProperty('relevantDisorders');
  });

  test('ratings are those of a classification only, not the names of a renaming', () => {
    const { attributes } = toMessage(event('entity.renamed', { from: 'RHO', to: 'RHO2' }));
    expect(Object.keys(attributes).filter((name) => /rating|direction/.test(name))).toEqual([]);
  });

  test('hold nothing about people', () => {
    const commented = event('entity.commented', { comment: 'canary', action: 'added' }, { actor: 'canary' });
    expect(JSON.stringify(toMessage(commented).attributes)).not.toContain('canary');
  });

  const names: Record<string, [string, string | undefined]> = {
    empty: ['', undefined],
    'after many blanks': [`${' '.repeat(300)}RHO`, 'RHO'],
    blank: [' \t\n', undefined],
    'nothing but control characters': ['\u0000\u001b\u009f\u2028', undefined],
    'a line break': ['RHO\r\nBCC: x', 'RHO BCC: x'],
    'an escape sequence': ['\u001b[31mRHO', '[31mRHO'],
    'characters that XML has not': ['RHO\ufffe\uffff1', 'RHO 1'],
    'half a character': ['RHO\ud83d', 'RHO\ufffd'],
    'not ASCII': ['Région é💉', 'Région é💉'],
    'over 99 characters': ['x'.repeat(100), 'x'.repeat(100)],
    'over the limit': ['x'.repeat(300), 'x'.repeat(256)],
    'over the limit after a blank': [`${'x'.repeat(255)} RHO`, 'x'.repeat(255)],
    'over the limit in the middle of a character': [`x${'💉'.repeat(300)}`, `x${'💉'.repeat(127)}`],
    '1 MB': ['x'.repeat(1_000_000), 'x'.repeat(256)],
  };
  test.each(Object.entries(names))('hold an entity name that SNS accepts: %s', async (_, [name, value]) => {
    const message = toMessage(classified({ entity: { type: 'gene', name } }));
    read('entity.classified', message);
    expect(message.attributes.entityName?.value).toBe(value);
    const received = await published(message);
    expect(received?.subject).toBeUndefined();
    expect(received?.attributes.find(({ name }) => name === 'entityName')?.value).toBe(value);
  });

  test('hold lists without empty values, repeats and values past the limit', async () => {
    const relevantDisorders = ['', 'R59', ' R59 ', '\u0007', 'a\u0000b'];
    const many = Array.from({ length: 5_000 }, (_, n) => `R${n}`);
    const small = toMessage(classified({ panel: { ...panel, types: [''], relevantDisorders } }));
    expect(small.attributes.relevantDisorders?.value).toBe('["R59","a b"]');
    expect(small.attributes).not.toHaveProperty('panelTypes');
    const large = toMessage(classified({ panel: { ...panel, relevantDisorders: many } }));
    const kept = JSON.parse(large.attributes.relevantDisorders?.value ?? '');
    expect(kept).toEqual(many.slice(0, kept.length));
    expect(Buffer.byteLength(large.attributes.relevantDisorders?.value ?? '')).toBeGreaterThan(8_100);
    expect(Buffer.byteLength(large.attributes.relevantDisorders?.value ?? '')).toBeLessThanOrEqual(8_192);
    await published(large);
  });
});

describe('text of any kind is published as valid UTF-8 that SNS accepts', () => {
  const texts: Record<string, [string, string]> = {
    NUL: ['a\u0000b', 'a\u0000b'],
    'control characters': ['\u0001\u001b[2J\u007f\u009b', '\u0001\u001b[2J\u007f\u009b'],
    'CR, LF, tab': ['a\r\nb\tc', 'a\r\nb\tc'],
    'line separators': ['a\u2028b\u2029c\u0085', 'a\u2028b\u2029c\u0085'],
    'right-to-left marks': ['\u202egreen\u202c \u2066x\u2069', '\u202egreen\u202c \u2066x\u2069'],
    '4-byte characters': ['💉🧬', '💉🧬'],
    'characters that XML has not': ['\ufffe\uffff', '\ufffe\uffff'],
    'a lone high surrogate': ['a\ud83db', 'a\ufffdb'],
    'a lone low surrogate': ['\udc89', '\ufffd'],
    'surrogates in the wrong order': ['\udc89\ud83d', '\ufffd\ufffd'],
    'an escape that is spelt out': ['\\ud83d \\\ud83d \\\\ud83d', '\\ud83d \\\ufffd \\\\ud83d'],
    'JSON and XML': ['"}],"x":"<![CDATA[&amp;]]>', '"}],"x":"<![CDATA[&amp;]]>'],
  };
  test.each(Object.entries(texts))('%s', async (_, [text, expected]) => {
    const commented = event(
      'entity.commented',
      { comment: text, action: 'added' },
      { activities: [{ ...row, text, [text]: 1 }] },
    );
    const message = toMessage(commented);
    const received = await published(message);
    expect(received?.body).toBe(message.body);
    const { data } = read('entity.commented', message);
    expect(data).toMatchObject({
      change: { comment: expected },
      activities: [{ text: expected, [expected]: 1 }],
    });
  });
});

describe('a message larger than 256 KiB is cut', () => {
  const long: Record<string, string> = {
    'of 1 byte': 'a'.repeat(400_000),
    'of 2 bytes': 'é'.repeat(200_000),
    'of 4 bytes': `x${'💉'.repeat(100_000)}`,
    'that JSON doubles': '"'.repeat(400_000),
    'that JSON makes six times as long': '\u0000'.repeat(400_000),
    'that are halves of characters': '\ud83d'.repeat(200_000),
  };
  test.each(Object.entries(long))('400,000 bytes of characters %s', async (_, text) => {
    const message = toMessage(classified({ activities: [{ ...row, text }] }));
    const { activities, ...data } = read('entity.classified', message).data;
    const { text: cut, ...rest } = activities[0] ?? {};
    expect(text.toWellFormed().startsWith(String(cut))).toBe(true);
    expect(rest).toEqual({ ...row, text: undefined, textTruncated: true });
    const { activities: __, ...whole } = classified({}).data;
    expect(data).toEqual(whole);
    expect(bytesOf(message)).toBeGreaterThan(MESSAGE_BYTES - 16);
    await published(message);
  });

  test('by one byte, and not before', () => {
    const room = MESSAGE_BYTES - bytesOf(toMessage(classified({ activities: [{ ...row, text: '' }] })));
    const exact = { ...row, text: 'a'.repeat(room) };
    const message = toMessage(classified({ activities: [exact] }));
    expect(bytesOf(message)).toBe(MESSAGE_BYTES);
    expect(JSON.parse(message.body).data.activities).toEqual([exact]);
    const over = toMessage(classified({ activities: [{ ...row, text: 'a'.repeat(room + 1) }] }));
    expect(JSON.parse(over.body).data.activities[0].textTruncated).toBe(true);
  });

  test('and an event of many small values that fits is left whole', () => {
    const phenotypes = Array.from({ length: 50_000 }, () => 'a');
    const whole = event('entity.reviewed', { edited: false, phenotypes });
    expect(JSON.parse(toMessage(whole).body)).toEqual(whole);
  });

  test('and a short text beside a long one is left whole', () => {
    const activities = [row, { ...row, text: 'b'.repeat(300_000) }];
    const { data } = read('entity.classified', toMessage(classified({ activities })));
    expect(data.activities[0]).toEqual(row);
    expect(data.activities[1]).toMatchObject({ textTruncated: true });
  });

  test('in the free text of its change as well, with an ellipsis', () => {
    const comment = 'c'.repeat(300_000);
    const message = toMessage(
      event('entity.commented', { comment, action: 'added' }, { activities: [{ ...row, text: comment }] }),
    );
    const { change, activities } = read('entity.commented', message).data as EventData<'entity.commented'>;
    expect(change).toEqual({ comment: expect.stringMatching(/^c{100000,}…$/), action: 'added' });
    expect(activities).toMatchObject([{ text: expect.stringMatching(/^c{100000,}$/), textTruncated: true }]);
  });

  const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
  const many = Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`key ${n}`, `value ${n}`]));
  const nested = (levels: number): unknown =>
    levels === 0 ? 'x'.repeat(40) : Array.from({ length: 11 }, () => nested(levels - 1));
  const wide = Array.from({ length: 16 }, () => ({
    field: 'sources' as const,
    from: Array.from({ length: 200 }, () => '\u0000'.repeat(100)),
    to: Array.from({ length: 200 }, () => '\u0000'.repeat(100)),
    added: Array.from({ length: 200 }, () => '\u0000'.repeat(100)),
    removed: Array.from({ length: 200 }, () => '\u0000'.repeat(100)),
  }));
  const extremes: Record<string, [EventKindName, PanelEvent]> = {
    '100,000 phenotypes': [
      'entity.reviewed',
      event('entity.reviewed', { edited: false, phenotypes: Array.from({ length: 100_000 }, () => 'a') }),
    ],
    'a row with 20,000 unknown fields': [
      'entity.classified',
      classified({ activities: [{ ...row, ...many }] }),
    ],
    'a row with a name of 1 MB for a field': [
      'entity.classified',
      classified({ activities: [{ ...row, ['k'.repeat(1_000_000)]: 1 }] }),
    ],
    '10,000 rows': [
      'entity.classified',
      classified({ activities: Array.from({ length: 10_000 }, () => row) }),
    ],
    'a panel name of 1 MB': [
      'entity.classified',
      classified({ panel: { ...panel, name: 'p'.repeat(1_000_000) }, summary: 'p'.repeat(1_000_000) }),
    ],
    'a subject of 1 MB': ['entity.classified', { ...classified({}), subject: 's'.repeat(1_000_000) }],
    'an unreadable row, nested 100,000 deep': [
      'activity.unclassified',
      event('activity.unclassified', { reason: 'invalid-row', row: { deep } }),
    ],
    'a row as received, nested 100,000 deep': [
      'entity.classified',
      classified({ activities: [{ ...row, deep }] }),
    ],
    'many changes with long lists': ['entity.annotated', event('entity.annotated', { changes: wide })],
  };
  test.each(Object.entries(extremes))('%s', async (_, [kind, hostile]) => {
    const message = toMessage(hostile);
    const { data } = read(kind, message);
    expect(data).toMatchObject({ catalogue: 'uk', entity: { name: 'RHO' }, actor: 'Eleanor Vance-Holt' });
    expect(data.activities).toContainEqual(
      expect.objectContaining({ text: row.text, user_name: row.user_name }),
    );
    await published(message);
  });

  test('and loses rows with too many values to cut, while the rest is published', async () => {
    const hostile = event(
      'activity.unclassified',
      { reason: 'invalid-row', row: nested(5) },
      { activities: [{ ...row, more: nested(5) }] },
    );
    const message = toMessage(hostile);
    const { data } = read('activity.unclassified', message);
    expect(data).toMatchObject({ activities: [], change: { reason: 'invalid-row', row: null } });
    await published(message);
  });
});
