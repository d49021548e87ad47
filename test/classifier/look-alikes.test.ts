import { describe, expect, test } from 'vitest';
import { classify } from '../../lambdas/classifier/classify.ts';
import { activityOf, entityOn } from './corpus/row.ts';
import { freeText } from './look-alikes/free-text.ts';
import { partial } from './look-alikes/partial.ts';
import { unclassified } from './look-alikes/unclassified.ts';
import { readingForms } from './reading-forms.ts';

describe('classify() leaves free text alone', () => {
  test('of a corpus that is there', () => {
    expect(freeText.length).toBeGreaterThan(100);
  });

  test.each(freeText)('$text', (row) => {
    const activity = activityOf(row);
    expect(classify(activity)).toEqual({
      form: row.form,
      entity: entityOn(row.on),
      draft: row.draft,
      unknown: [],
    });
    expect(readingForms(activity)).toEqual([row.form]);
  });
});

describe('classify() reads nothing from what is no wording', () => {
  test('of a corpus that is there', () => {
    expect(unclassified.length).toBeGreaterThan(200);
  });

  test.each(unclassified)('$text', (row) => {
    expect(classify(activityOf(row))).toBeNull();
  });
});

describe('classify() names the lines that it does not know', () => {
  test.each(partial)('$text', (row) => {
    const activity = activityOf(row);
    expect(classify(activity)).toEqual({
      form: row.form,
      entity: entityOn(row.on),
      draft: row.draft,
      unknown: row.unknown,
    });
    expect(readingForms(activity)).toEqual([]);
  });
});
