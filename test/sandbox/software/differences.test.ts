import { describe, expect, test } from 'vitest';
import type { Fact } from '../../../sandbox/software/truth.ts';
import { differences, type ToldChange } from './differences.ts';

const classified: Fact = {
  type: 'entity.classified',
  panelId: 7,
  entity: { type: 'gene', name: 'BRCA1' },
  change: { to: 'green', from: { oneOf: [null, 'amber'] } },
  rows: [0],
};
const toldClassified: ToldChange = {
  type: 'entity.classified',
  panelId: 7,
  entity: { type: 'gene', name: 'BRCA1' },
  change: { to: 'green', from: null },
};
const annotated = (changes: readonly object[]): Fact => ({
  ...classified,
  type: 'entity.annotated',
  change: { changes },
});
const toldAnnotated = (changes: readonly object[]): ToldChange => ({
  ...toldClassified,
  type: 'entity.annotated',
  change: { changes },
});

describe('what agrees', () => {
  const cases: readonly (readonly [name: string, truth: readonly Fact[], told: readonly ToldChange[]])[] = [
    ['the same', [classified], [toldClassified]],
    [
      'any value within the leeway',
      [classified],
      [{ ...toldClassified, change: { to: 'green', from: 'amber' } }],
    ],
    [
      'nothing, however it is written',
      [annotated([{ field: 'transcript', to: '' }])],
      [toldAnnotated([{ field: 'transcript', to: [] }])],
    ],
    ['an optional fact that is told', [{ ...classified, optional: true }], [toldClassified]],
    ['an optional fact that is not told', [{ ...classified, optional: true }], []],
    [
      'changes in another order, sources one by one',
      [
        annotated([
          { field: 'sources', added: ['A', 'B'], removed: ['C'] },
          { field: 'gene', to: 'HTT' },
        ]),
      ],
      [
        toldAnnotated([
          { field: 'gene', to: 'HTT' },
          { field: 'sources', added: ['A'] },
          { field: 'sources', removed: ['C'] },
          { field: 'sources', added: ['B'] },
        ]),
      ],
    ],
  ];
  test.each(cases)('%s', (_name, truth, told) => expect(differences(truth, told)).toEqual([]));
});

describe('what differs', () => {
  const cases: readonly (readonly [name: string, truth: readonly Fact[], told: readonly ToldChange[]])[] = [
    ['another rating', [classified], [{ ...toldClassified, change: { to: 'red' } }]],
    [
      'a value outside the leeway',
      [classified],
      [{ ...toldClassified, change: { to: 'green', from: 'red' } }],
    ],
    [
      'a field that is not stated',
      [classified],
      [{ ...toldClassified, change: { to: 'green', version: '1' } }],
    ],
    ['another entity', [classified], [{ ...toldClassified, entity: { type: 'gene', name: 'brca1' } }]],
    ['another panel', [classified], [{ ...toldClassified, panelId: 8 }]],
    ['told twice', [classified], [toldClassified, toldClassified]],
    ['not told', [classified], []],
    [
      'a list that goes on',
      [annotated([{ field: 'sources', added: ['A'] }])],
      [toldAnnotated([{ field: 'sources', added: ['A', 'B'] }])],
    ],
    ['a change too many', [annotated([])], [toldAnnotated([{ field: 'gene', to: 'HTT' }])]],
    ['a change too few', [annotated([{ field: 'gene', to: 'HTT' }])], [toldAnnotated([])]],
    [
      'a wrong value filled in',
      [annotated([{ field: 'publications' }])],
      [toldAnnotated([{ field: 'publications', to: ['1'] }])],
    ],
  ];
  test.each(cases)('%s', (_name, truth, told) => expect(differences(truth, told)).not.toEqual([]));

  test('is said in full', () => {
    expect(differences([classified], [{ ...toldClassified, panelId: 8 }])).toEqual([
      expect.stringContaining('not told: {"type":"entity.classified","panelId":7'),
      expect.stringContaining('told, and not so: {"type":"entity.classified","panelId":8'),
    ]);
  });
});
