import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { classifierOf, classify } from '../../lambdas/classifier/classify.ts';
import { forms } from '../../lambdas/classifier/grammar/forms.ts';
import { activityOf, type CorpusRow } from './corpus/row.ts';
import { corpus } from './corpus/rows.ts';
import { matches, nameOf, type Placed, patterns, placed, spelledOut, without } from './patterns.ts';

const folder = new URL('../../lambdas/classifier/grammar/', import.meta.url);

/** The patterns in the files of the grammar, which all start with `/^`. */
function writtenPatterns(): ReadonlySet<string> {
  const sources = readdirSync(folder).map((name) => readFileSync(new URL(name, folder), 'utf8'));
  return new Set(sources.flatMap((source) => source.match(/\/\^.*?\$\/s?/g) ?? []));
}

describe('the walk over the grammar', () => {
  test('finds every pattern that its files hold', () => {
    expect(writtenPatterns().size).toBeGreaterThan(100);
    expect(new Set(patterns.map(String))).toEqual(writtenPatterns());
  });

  test('finds forms for rows about entities and about panels, each with a name', () => {
    expect(forms.length).toBeGreaterThan(30);
    expect(new Set(forms.map(({ level }) => level))).toEqual(new Set(['entity', 'panel']));
    expect(forms.filter(({ name }) => !/^[a-z][A-Za-z]+$/.test(name))).toEqual([]);
  });
});

describe.each(patterns.map((pattern) => [String(pattern), pattern] as const))('%s', (_name, pattern) => {
  test('is anchored at both ends, keeps no state, and lets free text hold any character', () => {
    expect(pattern.source).toMatch(/^\^.*[^\\]\$$/);
    expect(pattern.source.replaceAll(/\((?:[^()\\]|\\.)*\)/g, '')).not.toContain('|');
    expect(pattern.flags).toBe(/(?<!\\)\./.test(pattern.source) ? 's' : '');
  });
});

const named = placed.map((one) => [nameOf(one), one] as const);

test.each(named)('%s: without it, some row of the corpus is read otherwise', (_name, one) => {
  const reduced = classifierOf(without(one));
  const readOtherwise = corpus.map(activityOf).filter((activity) => {
    return JSON.stringify(reduced(activity)) !== JSON.stringify(classify(activity));
  });
  expect(readOtherwise.length).toBeGreaterThan(0);
});

describe('what is nearly a wording', () => {
  test.each(named)('%s: nothing can stand before or after it unnoticed', (_name, one) => {
    const rows = corpus.flatMap((row) => linesOf(row, one).map((line) => ({ row, line })));
    expect(rows.length).toBeGreaterThan(0);
    for (const { row, line } of rows) {
      const activity = activityOf(row);
      const read = JSON.stringify(classify(activity));
      for (const loose of loosened(line, one)) {
        const text = row.text.replace(line, () => loose);
        expect([text, JSON.stringify(classify({ ...activity, text }))]).not.toEqual([text, read]);
      }
    }
  });

  test.each(named)('%s: matches what its pattern matches with the names in their places', (_name, one) => {
    const [example] = corpus.flatMap((row) => linesOf(row, one).map((line) => ({ row, line })));
    if (!example) throw new Error('no row of the corpus has this wording');
    const { row, line } = example;
    const pattern = spelledOut(one.template, row.on);
    const at = fc.nat(line.length);
    const slips = fc.oneof(
      fc
        .tuple(at, fc.constantFrom('', ' ', '\n', 'x', '.'))
        .map(([cut, more]) => line.slice(0, cut) + more + line.slice(cut)),
      fc
        .tuple(at, at)
        .map(([from, to]) => line.slice(0, Math.min(from, to)) + line.slice(Math.max(from, to))),
      at.map((cut) => line.slice(0, cut) + line.slice(cut).toUpperCase()),
    );
    fc.assert(
      fc.property(slips, (text) => {
        expect(matches(one.template, text, row.on)).toBe(pattern?.test(text));
      }),
      { numRuns: 60, seed: 1 },
    );
  });
});

/** The lines of the row's text, or the fields of its review, that the template matches. */
function linesOf({ on, text, form: name }: CorpusRow, { form, template }: Placed): readonly string[] {
  const pattern = name === form.name ? spelledOut(template, on) : null;
  const around = form.within?.templates[0];
  const fields =
    around && around !== template ? (spelledOut(around, on)?.exec(text)?.groups?.fields ?? '') : text;
  const lines = [text, ...fields.split(form.separator)];
  return pattern ? [...new Set(lines)].filter((line) => pattern.test(line)) : [];
}

/** The line with something before or after it, where the pattern has no free text there. */
function loosened(line: string, { template: { pattern } }: Placed): readonly string[] {
  const startsFreely = /^\^\(\?<\w+>\./.test(pattern.source);
  const endsFreely = /\.[*+]\)?\$$/.test(pattern.source);
  return [...(startsFreely ? [] : [`x${line}`]), ...(endsFreely ? [] : [`${line}x`])];
}
