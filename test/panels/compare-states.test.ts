import { describe, expect, test } from 'vitest';
import {
  contentsOf,
  contentsTogether,
  differencesOf,
  greenDifference,
} from '../../lambdas/panels/compare-states.ts';
import type { StateEntity, VersionState } from '../../lambdas/panels/version-state.ts';
import { madeUpGene, madeUpState } from './made-up-states.ts';

const holding = (entities: readonly StateEntity[], given: Partial<VersionState> = {}) =>
  contentsOf(madeUpState({ ...given, entities: [...entities] }));

const steps = (before: readonly StateEntity[], after: readonly StateEntity[]): readonly string[] =>
  differencesOf(holding(before), holding(after)).map(
    (one) =>
      `${!one.earlier || one.earlier.name === one.entity.name ? '' : `${one.earlier.name} = `}${one.entity.name}: ${one.before} → ${one.after}`,
  );

const amber = { rating: 'amber' } as const;

describe('the difference of two states of panels', () => {
  test('is what one lacks, what has another rating, and what has another name under one HGNC id', () => {
    const before = [madeUpGene('GJB2', amber), madeUpGene('OTOF'), madeUpGene('OLD', { hgncId: 'HGNC:7' })];
    const after = [madeUpGene('GJB2'), madeUpGene('TMC1', amber), madeUpGene('NEW', { hgncId: 'HGNC:7' })];
    expect(steps(before, after)).toStrictEqual([
      'GJB2: amber → green',
      'OLD = NEW: green → green',
      'OTOF: green → absent',
      'TMC1: absent → amber',
    ]);
    expect(steps(after, after)).toStrictEqual([]);
  });

  test('keeps two genes of one symbol apart by their ids, and an STR from its gene', () => {
    const two = [madeUpGene('AR', { hgncId: 'HGNC:1' }), madeUpGene('AR', { hgncId: 'HGNC:2', ...amber })];
    const str = madeUpGene('AR', { type: 'str', hgncId: null, rating: 'red' });
    expect(steps(two, [...two].reverse())).toStrictEqual([]);
    expect(steps(two, [madeUpGene('AR', { hgncId: 'HGNC:2' }), str])).toStrictEqual([
      'AR: amber → green',
      'AR: absent → red',
      'AR: green → absent',
    ]);
  });

  test('finds a gene by its symbol where one of the two states has no id of it, and only once', () => {
    const without = madeUpGene('OTOF', { hgncId: null, ...amber });
    expect(steps([without], [madeUpGene('OTOF')])).toStrictEqual(['OTOF: amber → green']);
    const two = [madeUpGene('OTOF', { hgncId: 'HGNC:1' }), madeUpGene('OTOF', { hgncId: 'HGNC:2' })];
    expect(steps(two, [without])).toStrictEqual(['OTOF: green → amber', 'OTOF: green → absent']);
  });

  test('takes a gene whose id alone is another one for the same, but of two catalogues', () => {
    const [one, other] = [
      [madeUpGene('OTOF', { hgncId: 'HGNC:1' })],
      [madeUpGene('OTOF', { hgncId: 'HGNC:2' })],
    ];
    expect(steps(one, other)).toStrictEqual([]);
    const corrected = [madeUpGene('OTOF', { hgncId: 'HGNC:2', ...amber })];
    expect(steps(corrected, one)).toStrictEqual(['OTOF: amber → green']);
    const ofTwo = differencesOf(holding(one), holding(other), 'two');
    expect(ofTwo.map(({ before, after }) => [before, after])).toStrictEqual([
      ['absent', 'green'],
      ['green', 'absent'],
    ]);
  });

  test('does not take what a state does not say for a difference, unless the other one is green', () => {
    const genesAlone = { whole: ['gene'] } satisfies Partial<VersionState>;
    const str = (rating: StateEntity['rating']) =>
      madeUpGene('AR_CAG', { type: 'str', hgncId: null, rating });
    const between = (rating: StateEntity['rating']) =>
      differencesOf(holding([], genesAlone), holding([str(rating)])).map(({ before, after }) => [
        before,
        after,
      ]);
    expect(between('amber')).toStrictEqual([]);
    expect(between('green')).toStrictEqual([['unknown', 'green']]);
    expect(steps([madeUpGene('OTOF', { rating: null })], [madeUpGene('OTOF', amber)])).toStrictEqual([]);
  });

  test('has the modes of inheritance of another group, and none where a state states no modes', () => {
    const [bi, mono] = ['BIALLELIC, autosomal', 'MONOALLELIC, autosomal'];
    const mode = (modeOfInheritance: string | null) => [
      madeUpGene('OTOF', { modeOfInheritance }),
      madeUpGene('TMC1'),
    ];
    const { inheritance } = greenDifference(holding(mode(bi)), holding(mode(mono)));
    expect(inheritance).toMatchObject([{ entity: { name: 'OTOF' }, modes: { before: [bi], after: [mono] } }]);
    expect(greenDifference(holding(mode(bi)), holding(mode('BIALLELIC, imprinted'))).inheritance).toEqual([]);
    const { modeOfInheritance: _mode, ...old } = madeUpGene('OTOF');
    expect(greenDifference(holding([old]), holding(mode(mono))).inheritance).toEqual([]);
  });

  test('takes of a gene that several states hold the highest rating, as of a super panel', () => {
    const together = contentsTogether([
      holding([madeUpGene('OTOF', amber)]),
      holding([madeUpGene('OTOF')], { whole: ['gene'] }),
    ]);
    expect(together.statusOf(madeUpGene('OTOF'))).toBe('green');
    expect(together.statusOf(madeUpGene('TMC1'))).toBe('absent');
    expect(together.statusOf(madeUpGene('AR_CAG', { type: 'str', hgncId: null }))).toBe('unknown');
  });
});
