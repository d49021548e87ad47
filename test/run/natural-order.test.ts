import { expect, test } from 'vitest';
import { naturalOrder } from '../../lambdas/run/text.ts';

test('names are sorted by their numbers, and as people sort letters', () => {
  const names = ['panel 10', 'Ägypten', 'Panel 9', 'Zebra', 'panel 9b', 'apple'];
  expect(names.toSorted(naturalOrder)).toEqual([
    'Ägypten',
    'apple',
    'Panel 9',
    'panel 9b',
    'panel 10',
    'Zebra',
  ]);
});
