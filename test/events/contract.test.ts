import { globSync, readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { CloudEvent } from 'cloudevents';
import { describe, expect, test } from 'vitest';
import { activitySchema } from '../../lambdas/catalogue/schemas.ts';
import { eventKindNames, eventKinds } from '../../lambdas/events/changes.ts';
import { eventSchema, kindOf, type PanelEvent, typeName } from '../../lambdas/events/schemas.ts';
import { toMessage } from '../../lambdas/publishing/message.ts';
import { schemasByType } from '../../scripts/event-schemas.ts';
import { eventsWith } from '../classifier/correlation/rows.ts';

/** What subscribers rely on: the published schemas and examples, checked by libraries that they use. */

const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'));
const ajv = new Ajv2020({ strict: true, allErrors: true });
formats.default(ajv);

const isEvent = ajv.compile(read('docs/schemas/event.json'));
const packed = schemasByType();
const validators = new Map(
  eventKindNames.map((kind) => {
    const type = typeName(kind);
    return [
      type as string,
      {
        envelope: ajv.compile(packed.get(`envelopes/${type}.json`) ?? {}),
        data: ajv.compile(packed.get(`${type}.json`) ?? {}),
      },
    ];
  }),
);

/** The errors of an event by the schemas that it names. */
function errorsOf(event: PanelEvent): unknown {
  const own = validators.get(event.type);
  if (!own) return `no schema for ${event.type}`;
  own.envelope(event);
  own.data(event.data);
  isEvent(event);
  return [...(own.envelope.errors ?? []), ...(own.data.errors ?? []), ...(isEvent.errors ?? [])];
}

test('the example of an event without a row is valid, and names what it was found by', () => {
  const example: PanelEvent = read('docs/examples/snapshot.json');
  expect(errorsOf(example)).toStrictEqual([]);
  expect(example.data).toMatchObject({ actor: null, activities: [], change: { via: 'snapshot' } });
  expect(example.data.entity).toMatchObject({ hgncId: 'HGNC:900001', omimIds: ['600001'] });
});

test('the example of a correction is valid, and names the event that it corrects', () => {
  const example: PanelEvent = read('docs/examples/correction.json');
  const corrected: PanelEvent = read('docs/examples/gene-panel.entity.classified.v1.json');
  expect(errorsOf(example)).toStrictEqual([]);
  expect(example.data).toMatchObject({ corrects: corrected.id, correctedChange: corrected.data.change });
  expect(example.data.summary).toMatch(/^Correction: EXAMPLE1 was upgraded from red to green/);
});

describe.each(eventKindNames)('the example of %s', (kind) => {
  const example: PanelEvent = read(`docs/examples/${typeName(kind)}.json`);

  test('is valid by its own schema, by that of its data, and by the one for any event', () => {
    expect(errorsOf(example)).toStrictEqual([]);
    expect(eventSchema(kind).parse(example)).toStrictEqual(example);
  });

  test('is a valid CloudEvent', () => {
    const { time, ...event } = example;
    const read = new CloudEvent<PanelEvent['data']>({ ...example });
    expect(read.validate()).toBe(true);
    // This library cuts the time to milliseconds.
    expect(read.toJSON()).toMatchObject({ ...event, time: `${time?.slice(0, -4)}Z` });
  });

  test('has a panel and an entity as its type promises', () => {
    const { about } = eventKinds[kind];
    const nulls = [{ panel: null }, { entity: null }].map((change) => {
      const changed = { ...example, data: { ...example.data, ...change } };
      return eventSchema(kind).safeParse(changed).success;
    });
    const allowed = {
      panel: [false, true],
      entity: [false, false],
      'entity if named': [false, true],
      row: [true, true],
    };
    expect(nulls).toStrictEqual(allowed[about]);
  });
});

test('an event of a later minor form, with a field more, is valid', () => {
  const example = read('docs/examples/gene-panel.entity.classified.v1.json');
  expect(errorsOf({ ...example, data: { ...example.data, added: 'later' } })).toStrictEqual([]);
});

test('every event of a saved log is valid by its schemas, as published', () => {
  const pages = globSync('test/fixtures/catalogue/activities-page-*.json');
  const log = pages.flatMap((page) => read(page).results).map((row) => activitySchema.parse(row));
  const events = eventsWith(null, log);
  for (const event of events) {
    const published: PanelEvent = JSON.parse(toMessage(event).body);
    expect(errorsOf(published), event.data.summary).toStrictEqual([]);
  }
  expect(events.length).toBeGreaterThan(200);
  expect(new Set(events.map(({ type }) => kindOf(type))).size).toBeGreaterThan(10);
});
