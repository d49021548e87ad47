import { expect, test } from 'vitest';
import { shapeOf } from '../../../lambdas/classifier/correlation/correlate.ts';
import { row } from './rows.ts';

test.each([
  [
    'Imprinting status for gene: BRCA1 was changed from Maternal to Paternal',
    'Imprinting status for gene: ⟨entity⟩ was changed from … to …',
  ],
  ['Gene BRCA1 was frozen by Eleanor Vance on 31/01/2026', 'Gene ⟨entity⟩ was frozen by ⟨actor⟩ on …'],
  ['Hereditary breast cancer was archived', '⟨panel⟩ was archived'],
  ['Archived. Write to Jane.Doe@example.org or call 020 7946 0000', 'Archived. … to … or call …'],
  ['Merged duplicates:\nJane Doe, patient 17', 'Merged duplicates: ⏎'],
  ['', ''],
])('the shape of %j is %j', (text, shape) => {
  expect(shapeOf(row(0, text))).toBe(shape);
});

test('texts of one wording have one shape, with any names and values', () => {
  const shapes = ['BRCA1', 'MT-ND1', 'C9orf72'].map((name) =>
    shapeOf(row(0, `Imprinting for ${name} is now ${name.length}`, { entity_name: name })),
  );
  expect(new Set(shapes).size).toBe(1);
});

test('a shape is short, even of a long text', () => {
  expect(shapeOf(row(0, 'word '.repeat(500_000))).length).toBeLessThan(200);
  expect(shapeOf(row(0, 'x'.repeat(5_000_000)))).toBe('…');
});
