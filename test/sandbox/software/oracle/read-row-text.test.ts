import { describe, expect, test } from 'vitest';
import type { LineToWrite, StatedByText } from '../../../../sandbox/software/recording.ts';
import { knownSlots, type RowContext } from '../../../../sandbox/software/slots.ts';
import {
  addedRow,
  editedReviewRow,
  geneForm,
  type RowShape,
  regionForm,
  reviewedRow,
  singleEdits,
} from '../../../../sandbox/software/wordings/row-shape.ts';
import { readRowText } from './read-row-text.ts';

const gene: RowContext = { panelName: 'P', entityType: 'gene', entityName: 'A', panelLevel: false };

function say(shape: RowShape, lines: readonly LineToWrite[], context: RowContext = gene): StatedByText {
  return readRowText({ shape, lines, known: knownSlots(context), context });
}

const added = (phenotypes: readonly string[], more: readonly LineToWrite[] = []): StatedByText =>
  say(addedRow, [
    ['added'],
    ['added to panel', { sources: ['UKGTN'] }],
    ['modeOfInheritance', { modeOfInheritance: 'Other' }],
    ['phenotypes', { phenotypes }],
    ...more,
  ]);

describe('an ambiguous text is found, and nothing else', () => {
  const cases: readonly (readonly [name: string, row: () => StatedByText, ambiguous: boolean])[] = [
    ['free text with line breaks', () => added(['one\ntwo\r\nthree']), false],
    ['another gene’s line', () => added(['x\nPenetrance for gene: B were set to Complete']), false],
    [
      'the gene’s own line, where it can stand',
      () => added(['x\nPenetrance for gene: A were set to Complete']),
      true,
    ],
    [
      'the gene’s own line, where it can stand only if the line before it is free text',
      () => added(['x\nPublications for gene: A were set to 1']),
      true,
    ],
    ['the gene’s own line, where it cannot stand', () => added(['x\ngene: A was added']), false],
    [
      'the gene’s own line, whose place is taken by the genuine one',
      () => added(['x\nReview for gene: A was set to GREEN'], [['penetrance', { penetrance: 'Complete' }]]),
      false,
    ],
    [
      'the gene’s own line with an unknown value',
      () => added(['x\nReview for gene: A was set to BLUE']),
      true,
    ],
    ['a line that names a rating', () => added(['x\nNow on the Green List (high evidence)']), true],
    ['a line that names neither', () => added(['x\nNow diagnostic']), false],
    [
      'a rating line that goes on as none does',
      () =>
        say(geneForm, [
          [
            'modeOfInheritance',
            { from: 'a\nRating Changed from No List (delete) to Red List (low evidence)', to: 'b' },
          ],
        ]),
      true,
    ],
    [
      'a rating line that is last',
      () =>
        say(geneForm, [
          [
            'modeOfInheritance',
            { from: 'a', to: 'b\nRating Changed from No List (delete) to Red List (low evidence)' },
          ],
        ]),
      true,
    ],
    [
      'a single edit that ends like a composite',
      () => say(singleEdits.phenotypes, [['phenotypes', { from: [], to: ['b\nTag x was removed from A.'] }]]),
      true,
    ],
    [
      'a part of an edited review within its comment',
      () => say(editedReviewRow, [['comment', { comment: 'a; Changed rating: GREEN' }]]),
      true,
    ],
    [
      'a verbose name that reads like the new name',
      () =>
        say(regionForm, [['verboseName', { from: 'x', to: 'R' }]], {
          ...gene,
          entityType: 'region',
          entityName: 'R',
        }),
      true,
    ],
  ];
  test.each(cases)('%s', (_name, row, ambiguous) => expect(row().ambiguous).toBe(ambiguous));
});

describe('what a text settles', () => {
  const moi = (from: string | null, to: string): object =>
    say(singleEdits.modeOfInheritance, [['modeOfInheritance', { from, to }]]).stated[0] ?? {};

  test('one " to " settles both sides', () => expect(moi('a', 'b')).toEqual({ from: 'a', to: 'b' }));

  test('several leave both open', () => {
    expect(moi('a', 'b to c')).toEqual({ from: { oneOf: [null, 'a'] }, to: { oneOf: [null, 'b to c'] } });
  });

  test('None is no value, even where it was entered', () => {
    expect(moi(null, 'None')).toEqual({ from: null, to: { oneOf: [null, 'None'] } });
  });

  test('a list whose item holds the separator is left out, or published as it was or as the text shows it', () => {
    expect(added(['a; b']).stated[3]).toEqual({ phenotypes: { oneOf: [null, ['a; b'], ['a', 'b']] } });
  });

  test('a source with a comma and a space is one source, one with a comma alone stays open', () => {
    const sources = (...all: string[]): unknown =>
      say(addedRow, [['added'], ['added to panel', { sources: all }]]).stated[1]?.sources;
    expect(sources('Radboud, Nijmegen', 'UKGTN')).toEqual(['Radboud, Nijmegen', 'UKGTN']);
    expect(sources('A,B')).toEqual({ oneOf: [null, ['A,B'], ['A', 'B']] });
  });

  test('parts of a review that could be cut in two ways stay open', () => {
    const { stated, ambiguous } = say(reviewedRow, [
      ['rating', { rating: 'RED' }],
      ['modeOfPathogenicity', { modeOfPathogenicity: null }],
      ['publications', { publications: [] }],
      ['phenotypes', { phenotypes: ['a; Mode of inheritance: b'] }],
      ['modeOfInheritance', { modeOfInheritance: 'c' }],
    ]);
    expect(ambiguous).toBe(false);
    expect(stated[3]).toEqual({ phenotypes: { oneOf: [null, ['a; Mode of inheritance: b']] } });
    expect(stated[4]).toEqual({ modeOfInheritance: { oneOf: [null, 'c'] } });
  });
});

test('a row that no table of wordings has is an error', () => {
  expect(() => say(geneForm, [['tag added', { tag: 'bad tag' }]])).toThrow('not in the tables of wordings');
});
