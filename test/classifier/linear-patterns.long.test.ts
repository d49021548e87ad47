import { check } from 'recheck';
import { expect, test } from 'vitest';
import { patterns } from './patterns.ts';

test('the walk over the grammar finds patterns', () => {
  expect(patterns.length).toBeGreaterThan(100);
});

test.each(patterns.map((pattern) => [String(pattern), pattern] as const))(
  '%s takes time linear in the length of the text',
  async (_name, { source, flags }) => {
    const { status } = await check(source, flags, { checker: 'automaton', timeout: 60_000 });
    expect(status).toBe('safe');
  },
);
