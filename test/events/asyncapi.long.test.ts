import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fromFile, Parser } from '@asyncapi/parser';
import { expect, test } from 'vitest';
import { eventKindNames } from '../../lambdas/events/changes.ts';
import { topics } from '../../lambdas/events/kinds.ts';
import { typeName } from '../../lambdas/events/schemas.ts';

test('the AsyncAPI document is valid, and has each topic with its messages', async () => {
  const file = resolve('docs/asyncapi.yaml');
  const { document, diagnostics } = await fromFile(new Parser(), file).parse();
  expect(diagnostics.filter(({ severity }) => severity === 0)).toStrictEqual([]);
  expect(
    document
      ?.channels()
      .all()
      .map((channel) => channel.id()),
  ).toStrictEqual([...topics]);
  const messages = document?.components().messages().all() ?? [];
  expect(messages.map((message) => message.name())).toStrictEqual(eventKindNames.map(typeName));
  for (const message of messages) {
    expect(message.payload()?.properties()?.data, message.name()).toBeDefined();
  }
  expect(readFileSync(file, 'utf8')).toContain('ordering');
});
