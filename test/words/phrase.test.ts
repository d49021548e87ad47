import { describe, expect, test } from 'vitest';
import {
  cutPhrase,
  linkPiece,
  namePiece,
  phrase,
  phraseText,
  ratingPiece,
  renderPhrase,
  separated,
  shortText,
} from '../../lambdas/words/phrase.ts';

test('a template becomes pieces, with neighbouring texts as one', () => {
  const change = phrase`${ratingPiece('amber')} → ${ratingPiece('green')}`;
  expect(phrase`now ${'x'}${''}: ${change}, ${phrase`late`}`).toStrictEqual([
    { kind: 'text', text: 'now x: ' },
    { kind: 'rating', rating: 'amber' },
    { kind: 'text', text: ' → ' },
    { kind: 'rating', rating: 'green' },
    { kind: 'text', text: ', late' },
  ]);
});

test('an unknown rating is a word without a colour', () => {
  expect(phrase`${ratingPiece(null)}`).toStrictEqual([{ kind: 'text', text: 'unknown' }]);
});

test('empty phrases get no separator', () => {
  expect(phraseText(separated([phrase`a`, [], phrase`b`], ', '))).toBe('a, b');
});

test('a name in a phrase is no rating, also where it begins with the word of one', () => {
  const rendered = renderPhrase(phrase`${namePiece('Red cell disorders')} is ${ratingPiece('red')}`, {
    text: ({ text }) => text,
    rating: ({ rating }) => `<${rating}>`,
    name: ({ text }) => text,
    link: ({ text }) => text,
  });
  expect(rendered.join('')).toBe('Red cell disorders is <red>');
});

describe('a phrase that is too long', () => {
  const headline = phrase`BRCA1 is now ${ratingPiece('green')} on ${namePiece('Inherited breast cancer and ovarian cancer')} (R208)`;

  test('loses part of its name first', () => {
    expect(shortText(headline, 50)).toBe('BRCA1 is now green on Inherited breast… (R208)');
  });

  test.each(Array.from({ length: 80 }, (_, index) => index + 1))('has at most %d units', (longest) => {
    expect(shortText(headline, longest).length).toBeLessThanOrEqual(longest);
    if (longest < phraseText(headline).length) expect(shortText(headline, longest)).toContain('…');
  });

  test('never ends within a rating', () => {
    for (let longest = 1; longest < 30; longest += 1) {
      const cut = cutPhrase(phrase`is now ${ratingPiece('amber')}, not signed off`, longest);
      expect(phraseText(cut)).toMatch(/^(?:.{0,7}…|is now amber.*)$/);
    }
  });

  test('keeps the address of a link', () => {
    expect(cutPhrase([linkPiece('Hearing loss', 'https://example.org/1')], 99)).toStrictEqual([
      { kind: 'link', text: 'Hearing loss', address: 'https://example.org/1' },
    ]);
  });
});
