import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Activity } from '../../lambdas/catalogue/schemas.ts';
import { type AttributeName, attributeNames, messageAttributes } from '../../lambdas/events/attributes.ts';
import { type EventKindName, eventKinds } from '../../lambdas/events/changes.ts';
import type { Topic } from '../../lambdas/events/kinds.ts';
import { kindOf, type PanelEvent } from '../../lambdas/events/schemas.ts';
import { attributesOf, quarantine, toMessage } from '../../lambdas/publishing/message.ts';
import { exampleEvents } from '../../scripts/example-event.ts';
import { eventsOf, onPanel, row } from '../classifier/correlation/rows.ts';
import { activitiesByKind } from '../sandbox/software/arbitraries.ts';

const panel = { panel_id: 7 };
const saved = (page: number): Activity[] =>
  JSON.parse(readFileSync(`test/fixtures/catalogue/activities-page-00${page}.json`, 'utf8')).results;

/** Events of every action of the catalogue software, of the saved pages, and of rows that cannot be read. */
const events: readonly PanelEvent[] = [
  ...Object.values(activitiesByKind).flatMap((activities) =>
    fc
      .sample(activities, { numRuns: 12, seed: 1 })
      .flatMap(({ rows }) => eventsOf(rows.map((each) => ({ ...each, ...panel })))),
  ),
  ...[1, 2, 3].flatMap((page) => eventsOf(saved(page))),
  ...eventsOf([row(0, 'Tag a tag was added to gene: BRCA1.\nSomething unknown of gene: BRCA1.')]),
  ...eventsOf([row(0, 'Panel status changed from internal to public', onPanel)]),
  ...eventsOf([row(0, 'Panel status changed from public to internal', onPanel)]),
  ...eventsOf([{ nothing: true } as never]),
  // No row states it.
  ...[exampleEvents().get('entity.disagreement')].filter((event) => event !== undefined),
];
const carried = Map.groupBy(events, ({ type }) => kindOf(type) as EventKindName);

test.each([...carried])('%s carries what the table says, and nothing else', (kind, events) => {
  const seen = new Set(events.flatMap((event) => Object.keys(attributesOf(event)))) as Set<AttributeName>;
  const said = attributeNames.filter((name) => messageAttributes[name].on.includes(kind));
  expect([...seen].sort()).toEqual([...said].sort());
});

test('an event can carry all attributes, exactly ten: SQS drops a message of a raw subscription that has eleven', () => {
  expect(attributeNames).toHaveLength(10);
  const [event] = events.filter(({ type }) => type === 'gene-panel.entity.classified.v1');
  const { panel: own, ...data } = (event as PanelEvent<'entity.classified'>).data;
  const full = {
    ...(event as PanelEvent),
    data: {
      ...data,
      panel: { ...own, id: 7, types: ['gms-signed-off'], relevantDisorders: ['R59'] },
      change: { from: 'red', to: 'green', direction: 'upgraded' },
    },
  } as PanelEvent;
  expect(Object.keys(toMessage(full).attributes).sort()).toEqual([...attributeNames].sort());
});

test('every kind was tried', () => {
  const untried = Object.keys(eventKinds).filter((kind) => !carried.has(kind as EventKindName));
  expect(untried).toEqual([]);
});

test.each(attributeNames)('%s has no value but those of its closed set, if it has one', (name) => {
  const { values } = messageAttributes[name];
  const seen = new Set(events.flatMap((event) => attributesOf(event)[name]?.value ?? []));
  if (values) expect([...seen].filter((value) => !values.includes(value))).toEqual([]);
  expect(seen.size).toBeGreaterThan(0);
});

test('the event in place of a refused one carries the attributes of an unread row', () => {
  const [event] = events;
  const message = quarantine({
    message: toMessage(event as PanelEvent),
    code: 'InvalidParameter',
    reason: '',
  });
  const topic: Topic = 'unclassified';
  expect(message.topic).toBe(topic);
  for (const name of Object.keys(message.attributes) as AttributeName[]) {
    expect(messageAttributes[name].on).toContain('activity.unclassified');
  }
});
