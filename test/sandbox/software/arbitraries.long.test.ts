import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Activity, activitySchema } from '../../../lambdas/catalogue/schemas.ts';
import { eventKinds } from '../../../lambdas/events/changes.ts';
import { kinds } from '../../../sandbox/software/kinds.ts';
import { type EntityType, parseCreated } from '../../../sandbox/software/values.ts';
import { activitiesByKind, anyActivity } from './arbitraries.ts';
import { readRow } from './oracle/reading.ts';

const samples = fc.sample(anyActivity, { numRuns: 3000, seed: 4 });

describe.each(kinds.map(({ kind }) => kind))('%s', (kind) => {
  test('writes rows that are in the tables of wordings, oldest first, and states something', () => {
    fc.assert(
      fc.property(activitiesByKind[kind] ?? fc.constant(undefined), (activity) => {
        if (!activity) throw new Error(`no arbitrary for "${kind}"`);
        const { rows, truth } = activity;
        for (const row of rows) {
          expect(activitySchema.safeParse(JSON.parse(JSON.stringify(row))).success).toBe(true);
          expect(readRow(row.text, contextOf(row))).toBeDefined();
        }
        const times = rows.map(({ created }) => parseCreated(created) ?? Number.NaN);
        expect(times).toEqual(times.toSorted((one, other) => one - other));
        expect(truth.some(({ optional }) => !optional)).toBe(true);
        for (const fact of truth) {
          expect(Object.keys(eventKinds)).toContain(fact.type);
          expect(fact.rows.every((row) => row in rows)).toBe(true);
        }
      }),
      { numRuns: 40, seed: 2 },
    );
  });
});

function contextOf(row: Activity): Parameters<typeof readRow>[1] {
  return {
    panelName: row.panel_name,
    entityType: row.entity_type as EntityType | null,
    entityName: row.entity_name,
    panelLevel: row.item_type === 'panel',
  };
}

describe('hostility', () => {
  const texts = samples.flatMap(({ rows }) => rows.map(({ text }) => text));

  const wanted: readonly (readonly [name: string, pattern: RegExp])[] = [
    ['a tab', /\t/],
    ['CRLF', /\r\n/],
    ['U+2028', /\u2028/],
    ['NUL', /\0/],
    ['HTML', /<b onclick/],
    ['a four-byte character', /\u{1d504}/u],
    ['a doubled " to "', / from .* to .* to /],
    ['another wording within a comment', /^Added comment: .*gene: BRCA2 as ready/s],
    ['a line of another gene within a composite', /^gene: (?!BRCA2).*\nTag x .*BRCA2\./s],
    ['a panel called "Added Panel x"', /Added Panel Added Panel x/],
    ['a region called "Region renamed from A to B"', /Region: Region renamed from A to B/],
    ['a source with a comma', /Sources: .*Radboud University Medical Center, Nijmegen/],
    ['a tag with spaces', /Tag to be removed from panel/],
    ['a tag with dots', /Tag v1\.2\. /],
  ];
  test.each(wanted)('%s occurs', (_name, pattern) => {
    expect(texts.some((text) => pattern.test(text))).toBe(true);
  });

  test('both code lines, both zones and whole seconds occur', () => {
    const times = samples.flatMap(({ rows }) => rows.map(({ created }) => created));
    expect(new Set(samples.map(({ codeLine }) => codeLine))).toEqual(new Set(['uk-2019', 'au']));
    expect(new Set(times.map((time) => time.slice(time.search(/Z|\+/))))).toEqual(
      new Set(['Z', '+10:00', '+11:00']),
    );
    expect(times.some((time) => /T[\d:]{8}[Z+]/.test(time))).toBe(true);
  });

  test('values that the text does not settle are marked, and most are settled', () => {
    const facts = samples.flatMap(({ truth }) => truth);
    const open = facts.filter(({ change }) => JSON.stringify(change).includes('oneOf'));
    expect(open.length).toBeGreaterThan(0);
    expect(open.length).toBeLessThan(facts.length * 0.7);
  });
});

test('free text never makes a line of its own: an ambiguous text is left out', () => {
  const edits = fc.sample(activitiesByKind['edit phenotypes'] ?? anyActivity, { numRuns: 1500, seed: 1 });
  const texts = edits.flatMap(({ rows }) => rows.slice(0, 1));
  expect(texts.filter(({ text }) => text.includes('\n')).length).toBeGreaterThan(100);
  expect(texts.filter((row) => readRow(row.text, contextOf(row))?.length !== 1)).toEqual([]);
});

test('the same seed gives the same activities', () => {
  expect(fc.sample(anyActivity, { numRuns: 20, seed: 1 })).toEqual(
    fc.sample(anyActivity, { numRuns: 20, seed: 1 }),
  );
});

test('a failing activity is shrunk to plain words', () => {
  const arbitrary = activitiesByKind['comment again'] ?? fc.constant(undefined);
  const { counterexample } = fc.check(
    fc.property(arbitrary, (activity) => !activity?.rows[0]?.text.startsWith('commented on gene')),
    { seed: 3, numRuns: 200 },
  );
  expect(counterexample?.[0]?.rows[0]?.text).toMatch(/: plain words$/);
});
