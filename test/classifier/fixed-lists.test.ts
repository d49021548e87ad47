import { expect, test } from 'vitest';
import { isExpertSource, isHpoTerm, isPanelName, isTag } from '../../lambdas/classifier/values.ts';
import { startsWithRCode } from '../../lambdas/events/r-codes.ts';

const checks = { isExpertSource, isHpoTerm, isPanelName, isTag, startsWithRCode };

/** Pieces of lists that a check takes for an item of their own, and pieces that may be part of one with a comma. */
test.each<[keyof typeof checks, readonly string[], readonly string[]]>([
  ['isHpoTerm', ['HP:0001250', 'HP:1 Seizure'], ['mild', 'with HP:1', 'HP: 1']],
  ['startsWithRCode', ['R59', 'R59.1', 'R59 Epilepsy'], ['Epilepsy R59', 'R59x', 'R']],
  ['isPanelName', ['Epilepsy', '3-M syndrome', 'École'], ['early onset', 'of the Eye', '']],
  [
    'isExpertSource',
    ['Expert Review', 'Expert Review Green', 'Expert Review Removed', 'Expert list'],
    ['Expert Review Blue', 'Another Expert Review', 'Expert Review Green, too', 'NHS GMS'],
  ],
  [
    'isTag',
    ['new-gene-name', 'Q3_23_rating', 'v1.2', 'watchlist', 'de novo', 'cnv'],
    [
      'two words',
      'new-gene-name x',
      'x new-gene-name',
      'Watchlist',
      'watchlist1',
      'ab',
      'x',
      '12 watchlist',
      '',
    ],
  ],
])('%s', (name, items, others) => {
  expect(items.filter((piece) => !checks[name](piece))).toStrictEqual([]);
  expect(others.filter((piece) => checks[name](piece))).toStrictEqual([]);
});
