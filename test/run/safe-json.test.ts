import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isPlain, safeJson, unprintableBut } from '../../lambdas/run/text.ts';

test.each([
  ['a sequence that clears the screen', '\u009b2J', '"\\u009b2J"'],
  ['a sequence that writes to the clipboard', '\u009d52;c;eA==\u009c', '"\\u009d52;c;eA==\\u009c"'],
  ['DEL', '\u007f', '"\\u007f"'],
  ['a mark that turns the direction of writing', 'a\u202eb', '"a\\u202eb"'],
  ['a zero-width space', 'a\u200bb', '"a\\u200bb"'],
  ['a tag character outside the basic plane', '\u{e0041}', '"\\udb40\\udc41"'],
  ['a line separator', '\u2028', '"\\u2028"'],
  ['what SQS refuses', '\ufffe\uffff', '"\\ufffe\\uffff"'],
])('JSON holds %s as an escape', (_name, text, json) => {
  expect(safeJson(JSON.stringify(text))).toBe(json);
});

test('letters of every script and line breaks between values stay as they are', () => {
  const json = JSON.stringify(
    { name: 'Zoë Ångström-Müller', panel: '遺伝子 👩‍👩‍👧'.replaceAll('\u200d', '') },
    null,
    2,
  );
  expect(safeJson(json)).toBe(json);
});

test('the escaped JSON of any value is that value, and is unchanged by a second time', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.string({ unit: 'binary' }), (value, text) => {
      const json = safeJson(JSON.stringify([value, text]));
      expect(JSON.parse(json)).toStrictEqual(JSON.parse(JSON.stringify([value, text])));
      expect(json).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
      expect(safeJson(json)).toBe(json);
    }),
  );
});

test('a text that counts as plain holds no unprintable character', () => {
  const units = Array.from({ length: 0x10000 }, (_unit, code) => String.fromCharCode(code));
  const plain = units.filter(isPlain);
  expect(plain.filter((unit) => unprintableBut('\n').test(unit))).toStrictEqual([]);
  expect(['“', '…', 'ß', 'λ', 'Ж', '–'].every(isPlain)).toBe(true);
  expect(['\n', '\u00ad', '\u200b', '\u202e', '\ud83d', '\u{e0041}'].some(isPlain)).toBe(false);
});
