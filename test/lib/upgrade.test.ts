import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { awsFacts } from '../templates/aws-facts.ts';
import { deploy, everything, fullest } from './deploy.ts';

/**
 * An in-place update keeps what holds data: CloudFormation replaces a resource whose logical id, type or create-only
 * property changes. The fixtures are what the templates of earlier versions held, for the settings of `deploy.ts`.
 */
const templateSchema = z.object({
  Resources: z.record(
    z.string(),
    z.object({
      Type: z.string(),
      Properties: z.record(z.string(), z.unknown()).default({}),
      DeletionPolicy: z.string().optional(),
    }),
  ),
  Outputs: z.record(z.string(), z.unknown()).default({}),
});
type Template = z.output<typeof templateSchema>;

const { types } = awsFacts();

/** Top-level properties whose change replaces a resource. */
function replacing(type: string): readonly string[] {
  const createOnly = (types[type]?.createOnly ?? []).map((pointer) => pointer.split('/')[2] ?? '');
  return type === 'AWS::DynamoDB::Table' ? [...createOnly, 'KeySchema'] : createOnly;
}

/** What an update from one template to the other would replace, delete or no longer keep. */
function losses(before: Template, after: Template): readonly string[] {
  return Object.entries(before.Resources).flatMap(([id, old]) => {
    const now = after.Resources[id];
    if (now?.Type !== old.Type) return [`${id} (${old.Type}) is deleted`];
    const changed = replacing(old.Type).filter(
      (name) => JSON.stringify(old.Properties[name]) !== JSON.stringify(now.Properties[name]),
    );
    return [
      ...changed.map((name) => `${id} (${old.Type}) is replaced, because ${name} differs`),
      ...(old.DeletionPolicy === 'Retain' && now.DeletionPolicy !== 'Retain'
        ? [`${id} is no longer kept`]
        : []),
    ];
  });
}

const fixture = (name: string): Template =>
  templateSchema.parse(JSON.parse(readFileSync(`test/fixtures/templates/${name}.json`, 'utf8')));

describe.each([
  ['0.2', everything],
  ['0.2-with-key', fullest],
])('an update from %s', (version, settings) => {
  const before = fixture(version);
  const after = templateSchema.parse(deploy(settings).toJSON());

  test('keeps every table, topic, queue, bucket, key, secret, log and subscription', () => {
    expect(Object.keys(before.Resources).length).toBeGreaterThan(15);
    expect(losses(before, after)).toEqual([]);
  });

  test('keeps the outputs that people and commands read', () => {
    // One output for each topic of a chat would be more than a stack may have; their names and ARNs stay.
    const kept = Object.keys(before.Outputs).filter((name) => !name.startsWith('TopicChat'));
    expect(Object.keys(after.Outputs)).toEqual(expect.arrayContaining(kept));
  });

  test.each(Object.keys(before.Resources))('would be found to lose %s', (id) => {
    const { [id]: _, ...Resources } = after.Resources;
    expect(losses(before, { ...after, Resources }).join()).toContain(id);
  });
});

test('a renamed topic, and a table with another key, are found', () => {
  const before = fixture('0.2');
  const change = (type: string, property: string): Template => {
    const copy = structuredClone(before);
    const [resource] = Object.values(copy.Resources).filter(({ Type }) => Type === type);
    if (resource) resource.Properties[property] = 'another';
    return copy;
  };
  expect(losses(before, change('AWS::SNS::Topic', 'TopicName')).join()).toContain('TopicName differs');
  expect(losses(before, change('AWS::DynamoDB::Table', 'KeySchema')).join()).toContain('KeySchema differs');
});
