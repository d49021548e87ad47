import { expect, test } from 'vitest';
import {
  ledgerItems,
  ledgerKey,
  ledgerRowsOf,
  seenRowsOf,
  unplacedItem,
} from '../../lambdas/store/dynamodb-position.ts';
import { rowAt } from './behaviour.ts';

const rows = [rowAt('1', 5n), rowAt('2', 9n), rowAt('3', 7n)];

test('rows come back from their items as they were kept', () => {
  const [item, ...others] = ledgerItems('pk', rows, 12);
  expect(others).toStrictEqual([]);
  expect(item).toMatchObject({ pk: { S: 'pk' }, sk: { S: 'ledger#00000000000000009#0000000012#0000' } });
  expect(item && ledgerRowsOf(item)).toStrictEqual(rows);
});

test('rows without a usable time come back from an item of their own', () => {
  const [first, second] = [rowAt('4', null), rowAt('5', null)];
  expect(ledgerItems('pk', [first], 1)).toStrictEqual([]);
  const item = unplacedItem('pk', [first, second], 12);
  expect(item.sk).toStrictEqual({ S: 'unplaced#0000000012' });
  expect(ledgerRowsOf(item)).toStrictEqual([first, second]);
  expect(seenRowsOf(item, [{ version: 12, after: 0n, until: 9n }])).toStrictEqual([first, second]);
});

test('ten thousand rows are one item, and one more makes two, with one time in their keys', () => {
  const many = Array.from({ length: 10_001 }, (_, index) => ({
    key: index.toString(16).padStart(32, '0'),
    at: BigInt(index),
  }));
  expect(ledgerItems('pk', many.slice(1), 1)).toHaveLength(1);
  const items = ledgerItems('pk', many, 1);
  expect(items.map(({ sk }) => sk?.S)).toStrictEqual([ledgerKey(10_000n, 1, 0), ledgerKey(10_000n, 1, 1)]);
  expect(items.flatMap(ledgerRowsOf)).toStrictEqual(many);
});

test('a mark that was moved back makes rows after it unseen, but not those that were written since', () => {
  const [item] = ledgerItems('pk', rows, 12);
  if (!item) throw new Error('no item');
  const seen = (version: number, after: bigint) =>
    seenRowsOf(item, [{ version, after, until: 9n }]).map(({ at }) => at);
  expect(seen(12, 7n)).toStrictEqual([5n, 7n]);
  expect(seen(11, 7n)).toStrictEqual([5n, 9n, 7n]);
  expect(
    seenRowsOf(item, [
      { version: 12, after: 7n, until: 9n },
      { version: 13, after: 5n, until: 9n },
    ]),
  ).toHaveLength(1);
});
