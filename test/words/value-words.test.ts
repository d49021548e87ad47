import { expect, test } from 'vitest';
import { EntityHistory } from '../../lambdas/filters/entity-history.ts';
import { fieldChange } from '../../lambdas/words/value-words.ts';
import { eventOf, rated } from './events.ts';

test.each([
  [{ field: 'publications', from: [] }, 'publications filled in (the log does not say with what)'],
  [
    { field: 'publications', from: ['PMID: 1', 'PMID: 2'] },
    'publications changed (before: PMID: 1; PMID: 2)',
  ],
  [{ field: 'publications', from: ['PMID: 1'], to: ['PMID: 2'] }, 'publications: PMID: 1 → PMID: 2'],
  [{ field: 'publications' }, 'publications changed'],
] as const)('a change of details %j reads: %s', (change, words) => {
  expect(fieldChange(change as never)).toBe(words);
});

test('an entity that was renamed and renamed back has no former name that is its present one', () => {
  const history = new EntityHistory({ type: 'gene', name: 'LNK' });
  for (const [from, to] of [
    ['LNK', 'SH2B3'],
    ['SH2B3', 'LNK'],
    ['LNK', 'SH2B3'],
  ] as const) {
    history.add(eventOf('entity.renamed', { from, to }, { gene: to }));
  }
  history.add(rated('amber', 'green', 'upgraded', { gene: 'SH2B3' }));
  expect(history.change()?.formerly).toStrictEqual(['LNK']);
});
