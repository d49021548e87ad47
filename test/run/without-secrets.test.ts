import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { withoutSecrets } from '../../lambdas/run/without-secrets.ts';

const secret = 'p@ss/wörd+1 "x"';
const base64 = (text: string): string => Buffer.from(text).toString('base64');

describe('a credential is taken out', () => {
  test.each([
    ['as it was sent', secret],
    ['percent-encoded', encodeURIComponent(secret)],
    ['percent-encoded with small letters', encodeURIComponent(secret).toLowerCase()],
    ['as in a form', encodeURIComponent(secret).replaceAll('%20', '+')],
    ['in base64', base64(secret)],
    ['in base64url', Buffer.from(secret).toString('base64url')],
    ['in an SMTP login (AUTH PLAIN)', base64(`\0panels@example.org\0${secret}`)],
    ['in a Basic header', base64(`panels:${secret}`)],
    ['in hexadecimal', Buffer.from(secret).toString('hex')],
    ['quoted in JSON', JSON.stringify(secret)],
  ])('%s', (_how, shown) => {
    const seen = withoutSecrets(`535 5.7.8 refused: AUTH ${shown} is wrong`, [secret]);
    expect(seen).toContain('535 5.7.8 refused: AUTH ');
    expect(seen).toContain(' is wrong');
    expect(seen.replaceAll('"', '')).toBe('535 5.7.8 refused: AUTH … is wrong');
  });
});

test('every place where it stands', () => {
  expect(withoutSecrets('hunter22, hunter22; hunter22', ['hunter22'])).toBe('…, …; …');
});

test('a text without it stays, and a text too short to be a secret is none', () => {
  expect(withoutSecrets('the mailbox is full', ['full', 'hunter22'])).toBe('the mailbox is full');
});

test('no encoding of it is left beside any other text', () => {
  const ascii = fc.string({ unit: fc.constantFrom(...'abcXYZ019+/=-_%:. '), minLength: 8, maxLength: 30 });
  fc.assert(
    fc.property(ascii, fc.string(), fc.string(), (key, before, after) => {
      const line = base64(`${before}${key}${after}`);
      const seen = withoutSecrets(`a ${line} b ${before}${key}${after} c`, [key]);
      expect(seen).not.toContain(key);
      expect(Buffer.from(seen.split(' ')[1] ?? '', 'base64').toString()).not.toContain(key);
    }),
  );
});
