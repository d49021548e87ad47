import { describe, expect, test } from 'vitest';
import { classify } from '../../lambdas/classifier/classify.ts';
import { activityOf, entityOn } from './corpus/row.ts';
import { corpus } from './corpus/rows.ts';
import { readingForms } from './reading-forms.ts';

describe('classify() reads every known wording', () => {
  test('of a corpus that is there', () => {
    expect(corpus.length).toBeGreaterThan(200);
  });

  test.each(corpus)('$text', (row) => {
    const activity = activityOf(row);
    const entity = row.entity === undefined ? entityOn(row.on) : row.entity;
    expect(classify(activity)).toStrictEqual({ form: row.form, entity, draft: row.draft, unknown: [] });
    expect(readingForms(activity)).toEqual([row.form]);
  });
});
