import { describe, expect, test } from 'vitest';
import { decisionSupport } from '../../../sandbox/identity/accounts.ts';
import { startHarness } from './provider-harness.ts';

const { clientId, secrets } = decisionSupport;
const secret = String(secrets[0]);
const headers = {
  raw: `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`,
  form: `Basic ${Buffer.from(`${clientId}:${encodeURIComponent(secret)}`).toString('base64')}`,
};

describe('the Basic header of the token request', () => {
  test.each(['raw', 'form'] as const)('is accepted in the form %s by default', async (form) => {
    const { ask } = await startHarness();
    expect((await ask({ authorization: headers[form] })).status).toBe(200);
  });

  test.each([
    ['raw', 200, 401],
    ['form', 401, 200],
  ] as const)('is accepted in the form %s only where that is set', async (basic, raw, form) => {
    const { ask } = await startHarness({ basic });
    expect((await ask({ authorization: headers.raw })).status).toBe(raw);
    expect((await ask({ authorization: headers.form })).status).toBe(form);
  });

  test('is refused where only percent-encoding is accepted and it is not encoded', async () => {
    const { ask } = await startHarness({ basic: 'form' });
    expect((await ask({ authorization: `Basic ${btoa('a%:b%')}` })).status).toBe(401);
  });
});
