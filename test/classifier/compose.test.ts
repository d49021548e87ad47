import { expect, test } from 'vitest';
import { bothWays } from './both-ways.ts';
import { activityOf } from './corpus/row.ts';
import { corpus } from './corpus/rows.ts';
import { freeText } from './look-alikes/free-text.ts';

test('reading plainly and weighing every piece come to the same on the corpus', () => {
  const both = [...corpus, ...freeText].map(activityOf).flatMap(bothWays);
  expect(both.length).toBeGreaterThan(150);
  for (const { plain, composed } of both) expect(composed).toEqual(plain);
});
