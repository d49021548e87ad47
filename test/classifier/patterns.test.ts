import { checkSync } from 'recheck';
import { describe, expect, test } from 'vitest';
import { classifyBy } from '../../lambdas/classifier/classify.ts';
import type { Form, Part } from '../../lambdas/classifier/form.ts';
import { forms } from '../../lambdas/classifier/grammar/forms.ts';
import { grammarOf } from '../../lambdas/classifier/grammar.ts';
import type { Wording } from '../../lambdas/classifier/wording.ts';
import { activityOf, entityOn } from './corpus/row.ts';
import { corpus } from './corpus/rows.ts';

/** Every pattern of the grammar, with the form that it stands in. */
const places = forms.flatMap((form) =>
  [...(form.within ? [form.within] : []), ...form.slots.flatMap(({ parts }) => parts)].flatMap((part) =>
    part.wordings.map((wording) => ({ form, part, wording, name: `${form.name}: ${wording.pattern}` })),
  ),
);
const patterns = [
  ...new Map(places.map(({ wording }) => [String(wording.pattern), wording.pattern])).values(),
];

test('the walk over the grammar finds its patterns', () => {
  expect(forms.length).toBeGreaterThan(30);
  expect(patterns.length).toBeGreaterThan(90);
});

describe('each pattern', () => {
  test.each(patterns.map((pattern) => [String(pattern), pattern] as const))('%s', (_name, pattern) => {
    expect(pattern.source).toMatch(/^\^.*\$$/s);
    expect(pattern.flags).toMatch(/^s?$/);
    expect(pattern.source).not.toMatch(/(?<!\\)\(\?!?<?[^<]*\.\*\).*\.\*/);
    expect(checkSync(pattern.source, pattern.flags).status).toBe('safe');
  });
});

/** The grammar without one wording. */
function without(wording: Wording): readonly Form[] {
  const strip = (part: Part): Part => ({
    ...part,
    wordings: part.wordings.filter((other) => other !== wording),
  });
  return forms.flatMap((form) => {
    if (form.within?.wordings.includes(wording)) return [];
    return [{ ...form, slots: form.slots.map((slot) => ({ ...slot, parts: slot.parts.map(strip) })) }];
  });
}

describe('without a pattern some row of the corpus is not read any more', () => {
  const wordings = [...new Map(places.map((place) => [place.wording, place])).values()];
  test.each(wordings)('$name', ({ wording }) => {
    const grammar = grammarOf(without(wording));
    const missed = corpus.some((row) => {
      const reading = classifyBy(grammar, activityOf(row));
      const entity = row.entity === undefined ? entityOn(row.on) : row.entity;
      const same = { form: row.form, entity, draft: row.draft, unknown: [] };
      return JSON.stringify(reading) !== JSON.stringify(same) && !equals(reading, same);
    });
    expect(missed).toBe(true);
  });
});

function equals(one: unknown, other: unknown): boolean {
  try {
    expect(one).toEqual(other);
    return true;
  } catch {
    return false;
  }
}
