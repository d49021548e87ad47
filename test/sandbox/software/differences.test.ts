import { describe, expect, test } from 'vitest';
import type { Fact } from '../../../sandbox/software/state.ts';
import { differences, type PublishedChange } from './differences.ts';

const classified: Fact = {
  type: 'entity.classified',
  panelId: 7,
  entity: { type: 'gene', name: 'BRCA1' },
  change: { to: 'green', from: { oneOf: [null, 'amber'] } },
  rows: [0],
};
const publishedClassified: PublishedChange = {
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
const publishedAnnotated = (changes: readonly object[]): PublishedChange => ({
  ...publishedClassified,
  type: 'entity.annotated',
  change: { changes },
});

describe('what agrees', () => {
  const cases: readonly (readonly [
    name: string,
    truth: readonly Fact[],
    published: readonly PublishedChange[],
  ])[] = [
    ['the same', [classified], [publishedClassified]],
    [
      'a value that the text allows',
      [classified],
      [{ ...publishedClassified, change: { to: 'green', from: 'amber' } }],
    ],
    [
      'nothing, however it is written',
      [annotated([{ field: 'transcript', to: '' }])],
      [publishedAnnotated([{ field: 'transcript', to: [] }])],
    ],
    ['an optional fact that is published', [{ ...classified, optional: true }], [publishedClassified]],
    ['an optional fact that is not published', [{ ...classified, optional: true }], []],
    [
      'changes in another order, sources one by one',
      [
        annotated([
          { field: 'sources', added: ['A', 'B'], removed: ['C'] },
          { field: 'gene', to: 'HTT' },
        ]),
      ],
      [
        publishedAnnotated([
          { field: 'gene', to: 'HTT' },
          { field: 'sources', added: ['A'] },
          { field: 'sources', removed: ['C'] },
          { field: 'sources', added: ['B'] },
        ]),
      ],
    ],
  ];
  test.each(cases)('%s', (_name, truth, published) => expect(differences(truth, published)).toEqual([]));
});

describe('what differs', () => {
  const cases: readonly (readonly [
    name: string,
    truth: readonly Fact[],
    published: readonly PublishedChange[],
  ])[] = [
    ['another rating', [classified], [{ ...publishedClassified, change: { to: 'red' } }]],
    [
      'a value that the text does not allow',
      [classified],
      [{ ...publishedClassified, change: { to: 'green', from: 'red' } }],
    ],
    [
      'a field that is not stated',
      [classified],
      [{ ...publishedClassified, change: { to: 'green', version: '1' } }],
    ],
    ['another entity', [classified], [{ ...publishedClassified, entity: { type: 'gene', name: 'brca1' } }]],
    ['another panel', [classified], [{ ...publishedClassified, panelId: 8 }]],
    ['published twice', [classified], [publishedClassified, publishedClassified]],
    ['not published', [classified], []],
    [
      'a list that goes on',
      [annotated([{ field: 'sources', added: ['A'] }])],
      [publishedAnnotated([{ field: 'sources', added: ['A', 'B'] }])],
    ],
    ['a change too many', [annotated([])], [publishedAnnotated([{ field: 'gene', to: 'HTT' }])]],
    ['a change too few', [annotated([{ field: 'gene', to: 'HTT' }])], [publishedAnnotated([])]],
    [
      'a wrong value filled in',
      [annotated([{ field: 'publications' }])],
      [publishedAnnotated([{ field: 'publications', to: ['1'] }])],
    ],
  ];
  test.each(cases)('%s', (_name, truth, published) => expect(differences(truth, published)).not.toEqual([]));

  test('is reported in full', () => {
    expect(differences([classified], [{ ...publishedClassified, panelId: 8 }])).toEqual([
      expect.stringContaining('not published: {"type":"entity.classified","panelId":7'),
      expect.stringContaining('published, but untrue: {"type":"entity.classified","panelId":8'),
    ]);
  });
});
