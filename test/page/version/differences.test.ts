import { expect, test } from 'vitest';
import type { StateEntity } from '../../../lambdas/panels/version-state.ts';
import { differencesOf } from '../../../page/version/differences.ts';
import { madeUpGene, madeUpState } from '../../panels/made-up-states.ts';

const region = (grch38: string): StateEntity =>
  madeUpGene('ISCA-37433', {
    type: 'region',
    hgncId: null,
    locations: { GRCh37: null, GRCh38: grch38 },
  });

const between = (before: StateEntity, now: StateEntity) =>
  differencesOf(madeUpState({ entities: [before] }), madeUpState({ version: '1.5', entities: [now] }));

test('a version that only moves a region is not said to hold the same', () => {
  const { changed } = between(region('22:100-200'), region('22:100-250'));
  expect(changed).toStrictEqual([['ISCA-37433', ['GRCh38 coordinates']]]);
});

test('the words of one entity are in one line, each once', () => {
  const { changed, rated } = between(
    madeUpGene('GJB2', { tags: ['a'], publications: ['1'] }),
    madeUpGene('GJB2', {
      rating: 'amber',
      tags: ['b'],
      publications: ['2'],
      evidence: ['Expert Review Amber'],
    }),
  );
  expect(changed).toStrictEqual([['GJB2', ['tags', 'publications']]]);
  expect(rated.map(({ change }) => [change.from, change.to])).toStrictEqual([['green', 'amber']]);
});

test('what only one version states is no difference', () => {
  const found = between(madeUpGene('GJB2', { rating: null }), madeUpGene('GJB2'));
  expect(Object.values(found).flat()).toStrictEqual([]);
});
