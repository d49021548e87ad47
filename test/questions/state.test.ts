import { expect, test } from 'vitest';
import { utcTimes } from '../../lambdas/questions/question.ts';
import { question, stateList } from '../../lambdas/questions/state.ts';
import { phraseText } from '../../lambdas/words/phrase.ts';
import { madeUpGene, madeUpState } from '../panels/made-up-states.ts';

test('entities are listed green first, equal ratings by name, and one gene of several panels by panel', () => {
  const child = (id: number) => ({ id, name: null, version: null });
  const entities = [
    madeUpGene('STRC', { rating: null }),
    madeUpGene('MYO7A', { rating: 'none' }),
    madeUpGene('OTOF', { rating: 'red' }),
    madeUpGene('TECTA', { rating: 'amber', child: child(9) }),
    madeUpGene('TECTA', { rating: 'amber', child: child(8) }),
    madeUpGene('USH2A'),
    madeUpGene('GJB2'),
  ];
  const { rows } = stateList({ catalogue: 'uk', state: madeUpState({ entities }) });
  expect(rows.map(({ entity: { name, child: from } }) => [name, from?.id ?? null])).toEqual([
    ['GJB2', null],
    ['USH2A', null],
    ['TECTA', 8],
    ['TECTA', 9],
    ['OTOF', null],
    ['MYO7A', null],
    ['STRC', null],
  ]);
});

test('every tag of an entity is shown whole', () => {
  const entities = [madeUpGene('GJB2', { tags: ['watchlist', 'de novo', 'mosaicism'] })];
  const [row] = stateList({ catalogue: 'uk', state: madeUpState({ entities }) }).rows;
  const tags = question.columns.find(({ key }) => key === 'tags');
  expect(row && phraseText(tags?.phrase?.(row, utcTimes) ?? [])).toBe('watchlist, de novo, mosaicism');
});
