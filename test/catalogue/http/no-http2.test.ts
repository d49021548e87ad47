import { expect, test } from 'vitest';
import * as http2 from '../../../lambdas/catalogue/http/no-http2.ts';

test('is as a Node without HTTP/2, for those who require it and those who import it', () => {
  expect(http2.constants).toEqual({});
  expect(http2.default).toEqual({ constants: {} });
});
