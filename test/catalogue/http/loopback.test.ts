import { expect, test } from 'vitest';
import { isLoopback } from '../../../lambdas/catalogue/http/loopback.ts';

test.each([
  ['http://localhost:8080', true],
  ['http://LOCALHOST', true],
  ['http://127.0.0.1', true],
  ['http://127.10.200.3', true],
  ['http://0x7f.1', true],
  ['http://[::1]:8000', true],
  ['http://[0:0:0:0:0:0:0:1]', true],
  ['http://localhost.example.org', false],
  ['http://notlocalhost', false],
  ['http://127.0.0.1.example.org', false],
  ['http://128.0.0.1', false],
  ['http://0.0.0.0', false],
  ['http://10.0.0.1', false],
  ['http://[::2]', false],
])('%s leads to the machine that asks: %s', (address, expected) => {
  expect(isLoopback(new URL(address).hostname)).toBe(expected);
});
