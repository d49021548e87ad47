import { expect, test } from 'vitest';
import * as z from 'zod';
import { readEnvironment } from '../../lambdas/functions/settings.ts';

const schema = z.object({ TABLE_NAME: z.string().min(1), COUNT: z.string().transform(Number) });

test('the variables are read by their schema, others are ignored', () => {
  expect(readEnvironment(schema, { TABLE_NAME: 'panels', COUNT: '3', PATH: '/bin' })).toEqual({
    TABLE_NAME: 'panels',
    COUNT: 3,
  });
});

test('every missing or wrong variable is named, with the remedy', () => {
  const read = () => readEnvironment(schema, { TABLE_NAME: '' });
  expect(read).toThrow(/environment variables: TABLE_NAME: .*; COUNT: .*Deploy the stack again/);
  expect(read).toThrow(expect.objectContaining({ code: 'SETTINGS_WRONG', name: 'EnvironmentError' }));
});
