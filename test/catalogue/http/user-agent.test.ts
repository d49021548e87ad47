import { expect, test } from 'vitest';
import { defaultUserAgent } from '../../../lambdas/catalogue/http/http.ts';
import manifest from '../../../package.json' with { type: 'json' };

test('the name and version that are sent are those of the package', () => {
  expect(defaultUserAgent).toContain(`${manifest.name}/${manifest.version} `);
});
