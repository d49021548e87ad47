import { describe, expect, test } from 'vitest';
import { accessOf, type OpenedAccess } from '../../../lambdas/catalogue/identity/access-of.ts';
import { createInterpretationApi } from '../../../lambdas/catalogue/interpretation/application-client.ts';
import type { Application } from '../../../lambdas/catalogue/interpretation/family.ts';
import { applicationNames } from '../../../sandbox/interpretation/application.ts';
import { startApplications } from '../../../sandbox/interpretation/start.ts';
import { createTestClock } from '../../run/test-clock.ts';
import { CANARY, watchedLog } from '../identity/canaries.ts';
import { canaryClient, closeLater, failureOf, startProvider, tenantId } from '../identity/token-harness.ts';

/** The client against the sandbox: one credential, one token, four applications. */

const everywhere = [{ appid: canaryClient.clientId }];

async function start() {
  const clock = createTestClock();
  const watched = watchedLog();
  const { log } = watched;
  const provider = await startProvider({ clock });
  const registrations = Object.fromEntries(applicationNames.map((name) => [name, everywhere])) as never;
  const applications = await startApplications({ provider, clock, registrations });
  closeLater(applications.close);
  const store = {
    text: JSON.stringify({ client_id: canaryClient.clientId, client_secret: canaryClient.secrets[0] }),
  };
  const access: OpenedAccess = accessOf(
    {
      ACCESS: 'client-credentials',
      SECRET_ID: 'x',
      AUTH_URL: provider.authUrl,
      TENANT_ID: tenantId,
      AUTH_BASIC: 'raw',
    },
    { clock, log, source: (secretId) => ({ name: `the secret ${secretId}`, read: async () => store.text }) },
  );
  closeLater(access.close);
  const { urls } = applications;
  const connect = (application: Application, baseUrl: string) => {
    const client = createInterpretationApi({ application, baseUrl, access, clock, log });
    closeLater(client.close);
    return client;
  };
  const api = createInterpretationApi({ baseUrl: urls['interpretation-api'], access, clock, log });
  closeLater(api.close);
  return { clock, watched, provider, applications, store, access, api, connect, urls };
}

describe('one token', () => {
  test('serves all applications', async () => {
    const { api, connect, urls, provider, watched } = await start();
    expect(await api.getPage(['interpretation-request'])).toMatchObject({ count: 8, hasNext: false });
    const reads: [Application, string, readonly string[]][] = [
      ['variant store', urls['variant-store'], ['variants', '1001']],
      ['sample-matching service', urls['sample-matching'], ['samples', 'LP1001-A']],
      ['re-identification service', urls['re-identification'], ['participants', 'p-1001']],
      ['interpretation portal', urls['interpretation-portal'], ['referrals', '1001']],
      ['variant annotation store', urls['variant-annotation-store'], ['annotations', '1001']],
    ];
    for (const [application, url, path] of reads) {
      expect(await connect(application, url).get(path)).toBeTypeOf('object');
    }
    expect(provider.calls).toHaveLength(1);
    watched.expectSilence();
  });

  test('is requested once for many calls at the same time, and again when it is revoked', async () => {
    const { api, provider, applications } = await start();
    const callAll = () =>
      Promise.all(Array.from({ length: 12 }, () => api.get(['interpretation-request', 1001, 1])));
    await callAll();
    expect(provider.calls).toHaveLength(1);
    provider.revokeTokens();
    await callAll();
    // All twelve were sent with the old token, then with another.
    expect(applications.requests['interpretation-api']).toHaveLength(36);
    expect(provider.calls.length).toBeGreaterThan(1);
    await callAll();
    const calls = provider.calls.length;
    await callAll();
    expect(provider.calls).toHaveLength(calls);
  });

  test('allows every operation of a registered system', async () => {
    const { api, applications } = await start();
    const payload = { interpretation_request_id: 1001, interpretation_request_version: 1, note: 'é' };
    expect(await api.clinicalReport(payload)).toMatchObject({ clinical_report_version: 1 });
    expect(await api.exitQuestionnaire(payload)).toEqual(payload);
    expect(await api.snpCheck({ irId: 1001, irVersion: 1, sampleId: 'LP1001-A' })).toMatchObject({ runs: 1 });
    expect(applications.written.clinicalReports).toEqual([payload]);
    expect([...applications.written.exitQuestionnaires]).toEqual([['1001/1', payload]]);
  });

  test('survives a rotated secret together with revoked tokens', async () => {
    const { api, provider, store, watched } = await start();
    await api.get(['interpretation-request']);
    const rotated = `new ${CANARY}`;
    provider.directory.rotateSecret(canaryClient.clientId, rotated);
    provider.revokeTokens();
    store.text = JSON.stringify({ client_id: canaryClient.clientId, client_secret: rotated });
    await api.get(['interpretation-request']);
    expect(provider.calls.map(({ status }) => status)).toEqual([200, 401, 200]);
    watched.expectSilence();
  });

  test('that is always refused ends the call after one renewal', async () => {
    const { connect, urls, provider, watched, applications } = await start();
    const client = connect('variant store', urls['variant-store']);
    provider.setLifetime(-10);
    const error = await failureOf(client.get(['variants', '1001']));
    expect(error.code).toBe('INTERPRETATION_UNAUTHORIZED');
    expect(provider.calls).toHaveLength(2);
    expect(applications.requests['variant-store']).toHaveLength(2);
    watched.expectSilence(error);
  });
});
