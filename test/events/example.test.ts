import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { attributeNames } from '../../lambdas/events/attributes.ts';
import { eventSchema } from '../../lambdas/events/schemas.ts';
import { schemasByType } from '../../scripts/event-schemas.ts';
import { attributesForCli, exampleMessage } from '../../scripts/example-event.ts';

/** The event that docs/deploying.md lets people send to see what they get. */

const text = (file: string): string => readFileSync(file, 'utf8');
const event = JSON.parse(text('docs/examples/classified.json'));

test('keeps to the JSON Schema that it names, and to the envelope', () => {
  const schema = schemasByType().get(`${event.type}.json`) as { readonly $id: string };
  expect(schema.$id).toBe(event.dataschema);
  expect(z.fromJSONSchema(schema).parse(event.data)).toEqual(event.data);
  expect(() => z.fromJSONSchema(schema).parse({ ...event.data, change: {} })).toThrow('direction');
  expect(eventSchema('entity.classified').parse(event)).toEqual(event);
});

test('is what the notifier publishes, with every attribute', () => {
  const message = exampleMessage();
  expect(text('docs/examples/classified.json')).toBe(`${message.body}\n`);
  expect(message.topic).toBe('classifications');
  const attributes = JSON.parse(text('docs/examples/classified.attributes.json'));
  expect(attributes).toEqual(attributesForCli(message));
  expect(Object.keys(attributes).sort()).toEqual([...attributeNames].sort());
});

test('shows a gene that turned green, with both rows, under an invented name', () => {
  expect(event.data.change).toEqual({ from: 'amber', to: 'green', direction: 'upgraded' });
  expect(event.data.activities).toHaveLength(2);
  expect(event.data.summary).toBe(
    'EXAMPLE1 was upgraded from amber to green on Example panel (R0) in version 1.5.',
  );
});

test('is sent by the command in docs/deploying.md', () => {
  const [command = ''] = /aws sns publish[^`]*/.exec(text('docs/deploying.md')) ?? [];
  const sent = [...command.matchAll(/--(message[\w-]*) file:\/\/(\S+)/g)].map(([, option, file]) => [
    option,
    file,
  ]);
  expect(sent).toEqual([
    ['message', 'docs/examples/classified.json'],
    ['message-attributes', 'docs/examples/classified.attributes.json'],
  ]);
});
