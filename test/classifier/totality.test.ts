import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Activity } from '../../lambdas/catalogue/schemas.ts';
import { classify } from '../../lambdas/classifier/classify.ts';
import { eventKinds } from '../../lambdas/events/changes.ts';
import { activityOf } from './corpus/row.ts';
import { corpus } from './corpus/rows.ts';
import { freeText } from './look-alikes/free-text.ts';
import { partial } from './look-alikes/partial.ts';
import { unclassified } from './look-alikes/unclassified.ts';
import { readingForms } from './reading-forms.ts';

/** `ROWS=20000 SEED=7` tries more, and others. */
const RUNS = Number(process.env.ROWS ?? 500);
const SEED = Number(process.env.SEED ?? 1);

const rows = [...corpus, ...freeText, ...partial, ...unclassified].map(activityOf);
const texts = rows.map(({ text }) => text);

const anything = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.constantFrom('', '\u0000', '\ud800', '\udc00x', '\u2028', '⟨label⟩', '$&', '__proto__', 'constructor'),
);

const name = fc.oneof(
  anything,
  fc.constantFrom('BRCA1', '(', '[a', 'a.*', '\\', '^$', 'gene: BRCA1', ' ', '\n', 'ı', 'İ', 'to', ' to '),
);

/** Texts near a wording: cut, joined, doubled, shuffled. */
const nearText = fc.oneof(
  fc.constantFrom(...texts),
  fc
    .tuple(fc.constantFrom(...texts), fc.nat(200), fc.nat(200))
    .map(([text, one, other]) => text.slice(one, other)),
  fc
    .tuple(fc.constantFrom(...texts), fc.nat(200), anything)
    .map(([text, at, more]) => text.slice(0, at) + more + text.slice(at)),
  fc.array(fc.constantFrom(...texts), { maxLength: 5 }).map((some) => some.join('\n')),
  fc.array(fc.constantFrom(...texts), { maxLength: 5 }).map((some) => some.join('; ')),
  fc
    .array(fc.constantFrom(...texts.flatMap((text) => text.split('\n'))), { maxLength: 8 })
    .map((lines) => lines.join('\n')),
);

const anyRow: fc.Arbitrary<Activity> = fc.record({
  created: fc.constant('2023-11-17T15:57:41Z'),
  panel_name: fc.oneof(fc.constant('Hearing loss'), name),
  panel_id: fc.integer(),
  panel_version: fc.constant(null),
  user_name: fc.constant(null),
  item_type: fc.constantFrom('entity', 'panel', null, 'other'),
  text: fc.oneof(nearText, anything),
  entity_name: fc.oneof(fc.constantFrom('BRCA1', 'HTT_CAG', 'ISCA-37390-Loss', null, ''), name),
  entity_type: fc.oneof(fc.constantFrom('gene', 'str', 'region', null, 'Gene', 'toString'), anything),
});

/** A row whose text mentions the row's own name, which can be any text. */
const namedRow = fc.tuple(fc.constantFrom(...rows), name).map(
  ([row, other]): Activity => ({
    ...row,
    entity_name: row.entity_name && other,
    text: row.entity_name ? row.text.replaceAll(row.entity_name, () => other) : row.text,
  }),
);

describe('classify() gives an answer for any row', () => {
  test.each([
    ['of any text, names and types', anyRow],
    ['whose entity has any name', namedRow],
  ] as const)('%s', (_name, arbitrary) => {
    let read = 0;
    fc.assert(
      fc.property(arbitrary, (row) => {
        const reading = classify(Object.freeze(row));
        if (!reading) return;
        read += 1;
        const kinds = Object.keys(reading.draft);
        expect(kinds.length).toBeGreaterThan(0);
        expect(kinds.filter((kind) => !(kind in eventKinds))).toEqual([]);
        expect(reading.form).not.toBe('');
        expect(classify(row)).toEqual(reading);
        expect(readingForms(row).length).toBe(reading.unknown.length === 0 ? 1 : 0);
        if (reading.entity && row.item_type !== 'panel' && row.entity_name) {
          expect(reading.entity.name).toBe(row.entity_name);
        }
      }),
      { numRuns: RUNS, seed: SEED },
    );
    expect(read).toBeGreaterThan(RUNS / 50);
  });

  test('and what it gives does not share anything with what it gives next', () => {
    for (const row of rows) {
      const before = JSON.stringify(classify(row));
      spoil(classify(row)?.draft);
      expect(JSON.stringify(classify(row))).toBe(before);
    }
  });
});

function spoil(value: unknown): void {
  if (Array.isArray(value)) value.push('spoilt');
  else if (typeof value === 'object' && value !== null) {
    for (const field of Object.values(value)) spoil(field);
    Object.assign(value, { spoilt: true });
  }
}
