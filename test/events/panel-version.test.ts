import { expect, test } from 'vitest';
import { compareVersions, isBeforeVersion, versionNumbers } from '../../lambdas/events/order.ts';

test.each([
  ['0.9', '0.10', true],
  ['1.12', '2.0', true],
  ['2.0', '2.0', false],
  ['2.0', '1.99', false],
  [null, '1.0', false],
  ['1.0', null, false],
  ['one', '1.0', false],
  ['1', '1.0', false],
])('isBeforeVersion(): %s before %s is %s', (one, other, expected) => {
  expect(isBeforeVersion(one, other)).toBe(expected);
});

test('versionNumbers() gives null for a text that is no version', () => {
  expect(['3.10', '3', '3.1.0', 'v3.1', ' 3.1', ''].map(versionNumbers)).toStrictEqual([
    [3, 10],
    null,
    null,
    null,
    null,
    null,
  ]);
});

test('compareVersions() orders versions by their numbers', () => {
  const versions = ['1.10', '0.3', '1.9', '10.0'].map((text) => versionNumbers(text) ?? ([0, 0] as const));
  expect(versions.sort(compareVersions)).toStrictEqual([
    [0, 3],
    [1, 9],
    [1, 10],
    [10, 0],
  ]);
});
