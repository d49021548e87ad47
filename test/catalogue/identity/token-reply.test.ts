import { describe, expect, test } from 'vitest';
import { IdentityError } from '../../../lambdas/catalogue/identity/secret.ts';
import { readTokenReply } from '../../../lambdas/catalogue/identity/token-exchange.ts';
import { CANARY, showsCanary } from './canaries.ts';

const good = { token_type: 'Bearer', access_token: 'a.b.c' };
const lifetimeOf = (fields: object): number => readTokenReply({ ...good, ...fields }, 'Asking').lifetime;

describe('the lifetime of a token', () => {
  test.each([
    ['text, as documented', { expires_in: '3600' }, 3600],
    ['a number', { expires_in: 3600 }, 3600],
    ['a fraction', { expires_in: 0.5 }, 0.5],
    ['a fraction as text', { expires_in: '4.5' }, 4.5],
    ['blanks around', { expires_in: ' 60 ' }, 60],
    ['timestamps only', { expires_on: '1700003600', not_before: '1700000000' }, 3600],
    ['timestamps as numbers', { expires_on: 1700003600, not_before: 1700000000 }, 3600],
    ['expires_in and other timestamps', { expires_in: '5', expires_on: '2000', not_before: '1000' }, 5],
    ['zero, and usable timestamps', { expires_in: 0, expires_on: '2000', not_before: '1000' }, 1000],
    ['nothing', {}, 60],
    ['null', { expires_in: null }, 60],
    ['zero', { expires_in: 0 }, 60],
    ['zero as text', { expires_in: '0' }, 60],
    ['negative', { expires_in: -3600 }, 60],
    ['empty text', { expires_in: '' }, 60],
    ['words', { expires_in: 'an hour' }, 60],
    ['a list', { expires_in: [3600] }, 60],
    ['NaN as text', { expires_in: 'NaN' }, 60],
    ['one timestamp only', { expires_on: '1700003600' }, 60],
    ['timestamps in the wrong order', { expires_on: '1000', not_before: '2000' }, 60],
    ['a year', { expires_in: 31_536_000 }, 86_400],
    ['Infinity as text', { expires_in: 'Infinity' }, 86_400],
    ['more than a number can hold', { expires_in: '1e999' }, 86_400],
  ])('from %s', (_name, fields, seconds) => {
    expect(lifetimeOf(fields)).toBe(seconds);
  });
});

describe('the type of a token', () => {
  test.each(['Bearer', 'bearer', 'BEARER'])('may be %s', (token_type) => {
    expect(readTokenReply({ ...good, token_type }, 'Asking').value).toBe('a.b.c');
  });
});

test.each([
  ['no access_token', { token_type: 'Bearer' }, 'no access_token'],
  ['an empty access_token', { ...good, access_token: '' }, 'no access_token'],
  ['an access_token that is a number', { ...good, access_token: 5 }, 'no access_token'],
  ['a line break', { ...good, access_token: `${CANARY}\r\nX: y` }, 'no access_token that a header can carry'],
  ['a blank', { ...good, access_token: `${CANARY} x` }, 'no access_token that a header can carry'],
  [
    'characters outside ASCII',
    { ...good, access_token: `${CANARY}é` },
    'no access_token that a header can carry',
  ],
  ['no token_type', { access_token: CANARY }, 'a token_type other than Bearer'],
  ['another type', { access_token: CANARY, token_type: 'MAC' }, 'a token_type other than Bearer'],
  ['a list', [CANARY], 'not a JSON object'],
  ['text', CANARY, 'not a JSON object'],
  ['null', null, 'not a JSON object'],
])('a reply with %s fails, and nothing of it is quoted', (_name, reply, said) => {
  const read = () => readTokenReply(reply, 'Asking for a token at x');
  expect(read).toThrow(IdentityError);
  expect(read).toThrow(said);
  try {
    read();
  } catch (error) {
    expect(showsCanary(error)).toBe(false);
  }
});
