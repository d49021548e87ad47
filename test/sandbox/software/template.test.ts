import { describe, expect, test } from 'vitest';
import { fill } from '../../../sandbox/software/slots.ts';
import { readings } from './oracle/readings.ts';

describe('filling a template', () => {
  const cases: readonly (readonly [template: string, slots: Parameters<typeof fill>[1], text: string])[] = [
    ['a {x} b', { x: 'y' }, 'a y b'],
    ['{x|; }', { x: ['1', '2'] }, '1; 2'],
    ['{x|; }', { x: [] }, ''],
    ['from {x} to {x}', { x: null }, 'from None to None'],
    ['{x:line|,}', { x: ['a', 'b'] }, 'a,b'],
    ['{x}', { x: '{x} $& $1' }, '{x} $& $1'],
  ];
  test.each(cases)('%s with %j', (template, slots, text) => expect(fill(template, slots)).toBe(text));

  test('a slot without a value is an error that names it', () => {
    expect(() => fill('a {missing}', {})).toThrow('no value for {missing} of the wording "a {missing}"');
  });

  test('a kind of slot that does not exist is an error', () => {
    expect(() => fill('{x:postion}', { x: '1' })).toThrow('{x:postion}');
  });
});

describe('reading a template', () => {
  const cases: readonly (readonly [template: string, text: string, found: readonly object[]])[] = [
    ['from {a} to {b}', 'from 1 to 2', [{ a: '1', b: '2' }]],
    [
      'from {a} to {b}',
      'from 1 to 2 to 3',
      [
        { a: '1', b: '2 to 3' },
        { a: '1 to 2', b: '3' },
      ],
    ],
    ['from {a} to {b}', 'from 1', []],
    ['from {a} to {a}', 'from 1 to 1', [{ a: '1' }]],
    ['from {a} to {a}', 'from 1 to 2', []],
    ['{label} was added', 'gene: X was added', [{}]],
    ['{label} was added', 'gene: Y was added', []],
    ['x {name:line}.', 'x a\nb.', []],
    ['x {text}.', 'x a\nb.', [{ text: 'a\nb' }]],
    ['Rating: {rating}', 'Rating: BLUE', []],
  ];
  test.each(cases)('%s of %j', (template, text, found) => {
    expect(readings(template, text, { label: 'gene: X' })).toEqual(found);
  });
});
