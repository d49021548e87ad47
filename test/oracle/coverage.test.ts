import { expect, test } from 'vitest';
import { coverage, publishedFields } from './coverage.ts';

test('each published field is held against the archive, or named with the reason why it is not', () => {
  const fields = publishedFields();
  expect(fields.length).toBeGreaterThan(80);
  expect(Object.keys(coverage).sort()).toEqual(fields);
});
