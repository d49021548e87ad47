import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { check } from 'recheck';
import { describe, expect, test } from 'vitest';
import { classify, classifyBy } from '../../lambdas/classifier/classify.ts';
import { forms } from '../../lambdas/classifier/grammar/forms.ts';
import { grammarOf } from '../../lambdas/classifier/grammar.ts';
import { activityOf, type CorpusRow } from './corpus/row.ts';
import { corpus } from './corpus/rows.ts';
import { fits, nameOf, type Placed, patterns, spelledOut, without, wordings } from './patterns.ts';

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

  test('takes time linear in the length of the text', async () => {
    const { source, flags } = pattern;
    const { status } = await check(source, flags, { checker: 'automaton', timeout: 60_000 });
    expect(status).toBe('safe');
  });
});

const named = wordings.map((placed) => [nameOf(placed), placed] as const);

test.each(named)('%s: without it, some row of the corpus is read otherwise', (_name, placed) => {
  const reduced = grammarOf(without(placed));
  const readOtherwise = corpus.map(activityOf).filter((activity) => {
    return JSON.stringify(classifyBy(reduced, activity)) !== JSON.stringify(classify(activity));
  });
  expect(readOtherwise.length).toBeGreaterThan(0);
});

describe('what is nearly a wording', () => {
  test.each(named)('%s: nothing can stand before or after it unnoticed', (_name, placed) => {
    const rows = corpus.flatMap((row) => piecesOf(row, placed).map((piece) => ({ row, piece })));
    expect(rows.length).toBeGreaterThan(0);
    for (const { row, piece } of rows) {
      const activity = activityOf(row);
      const read = JSON.stringify(classify(activity));
      for (const loose of loosened(piece, placed)) {
        const text = row.text.replace(piece, () => loose);
        expect([text, JSON.stringify(classify({ ...activity, text }))]).not.toEqual([text, read]);
      }
    }
  });

  test.each(named)('%s: taken apart, it fits what its pattern fits', (_name, placed) => {
    const [example] = corpus.flatMap((row) => piecesOf(row, placed).map((piece) => ({ row, piece })));
    if (!example) throw new Error('no row of the corpus has this wording');
    const { row, piece } = example;
    const pattern = spelledOut(placed.wording, row.on);
    const at = fc.nat(piece.length);
    const slips = fc.oneof(
      fc
        .tuple(at, fc.constantFrom('', ' ', '\n', 'x', '.'))
        .map(([cut, more]) => piece.slice(0, cut) + more + piece.slice(cut)),
      fc
        .tuple(at, at)
        .map(([one, other]) => piece.slice(0, Math.min(one, other)) + piece.slice(Math.max(one, other))),
      at.map((cut) => piece.slice(0, cut) + piece.slice(cut).toUpperCase()),
    );
    fc.assert(
      fc.property(slips, (text) => {
        expect(fits(placed.wording, text, row.on)).toBe(pattern?.test(text));
      }),
      { numRuns: 60, seed: 1 },
    );
  });
});

/** The pieces of the row's text that the pattern fits as it is written. */
function piecesOf({ on, text, form: name }: CorpusRow, { form, wording }: Placed): readonly string[] {
  const pattern = name === form.name ? spelledOut(wording, on) : null;
  const inside = form.within?.wordings[0];
  const fields =
    inside && inside !== wording ? (spelledOut(inside, on)?.exec(text)?.groups?.fields ?? '') : text;
  const pieces = [text, ...fields.split(form.separator)];
  return pattern ? [...new Set(pieces)].filter((piece) => pattern.test(piece)) : [];
}

/** The piece with something before or after it, where its wording has words there, or a choice of words. */
function loosened(piece: string, { wording: { head, middle, tail } }: Placed): readonly string[] {
  const before = head.before !== '' || head.mention ? [`x${piece}`] : [];
  const endsFreely = middle?.kind === 'free' || /\.[*+]\)?\$$/.test(middle?.pattern.source ?? '');
  const after = tail.before !== '' || tail.mention || !endsFreely ? [`${piece}x`] : [];
  return [...before, ...after];
}
