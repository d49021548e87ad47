import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import { readCredential } from '../../../lambdas/catalogue/identity/credential.ts';
import {
  countries,
  decisionSupport,
  notOnboarded,
  reportWriter,
  tenants,
  type User,
  unregistered,
  users,
} from '../../../sandbox/identity/accounts.ts';
import { applicationNames, cases } from '../../../sandbox/interpretation/application.ts';
import { noon } from '../../run/test-clock.ts';
import { selfSigned } from '../../sandbox/identity/self-signed.ts';
import { credential, eachHarness, reads } from './documented-harness.ts';
import { failureOf } from './token-harness.ts';

const harness = eachHarness();

/** The cases that a user sees, by identifier and version. */
async function seenBy(user: User): Promise<string[]> {
  const page = await harness()
    .apiWith(await harness().userToken(user))
    .getPage(['interpretation-request']);
  return page.items.map((item) => {
    const { interpretation_request_id: id, interpretation_request_version: version } = item as Record<
      string,
      number
    >;
    return `${id}/${version}`;
  });
}

describe('What the service does', () => {
  test('service 1: the four applications accept a bearer token of one identity provider', async () => {
    const token = await harness().tokenBy();
    for (const name of applicationNames)
      expect((await harness().ask(name, reads[name], { token })).status).toBe(200);
  });

  test('service 2: the client credentials grant gives the token that is sent directly, without another login', async () => {
    await harness()
      .apiWith(await harness().tokenBy())
      .get(['interpretation-request']);
    expect(harness().provider.calls.map(({ body }) => body)).toEqual(['grant_type=client_credentials']);
    expect(harness().applications.requests['interpretation-api']).toEqual(['GET /interpretation-request']);
  });

  test('service 3: each application authorises by itself, by the claims of the token', async () => {
    const token = await harness().systemToken(reportWriter);
    const statuses = await Promise.all(
      applicationNames.map(async (name) => (await harness().ask(name, reads[name], { token })).status),
    );
    expect(statuses).toEqual([200, 200, 403, 403, 403, 403]);
  });

  test('service 4: a registered system reads, adds a report and a questionnaire, and re-runs sample matching', async () => {
    const api = harness().apiWith(await harness().tokenBy());
    const payload = { interpretation_request_id: 1001, interpretation_request_version: 1 };
    await api.get(['interpretation-request', 1001, 1]);
    await api.clinicalReport(payload);
    await api.exitQuestionnaire(payload);
    await api.snpCheck({ irId: 1001, irVersion: 1, sampleId: 'LP1001-A' });
    const { written } = harness().applications;
    expect([written.clinicalReports.length, written.exitQuestionnaires.size, written.matchings.size]).toEqual(
      [1, 1, 1],
    );
  });
});

describe('Authentication', () => {
  test('authentication 1: the scheme is the client credentials grant at an external tenant, and no other login', async () => {
    const basic = { authorization: `Basic ${btoa('user:password')}` };
    for (const name of applicationNames) {
      const answer = await harness().ask(name, reads[name], { headers: basic });
      expect([answer.status, answer.headers.get('www-authenticate')?.split(' ')[0]]).toEqual([401, 'Bearer']);
    }
  });

  test('authentication 2: a system has one id and secret a tenant, valid for a long time, and changed with notice', async () => {
    const [production] = tenants.production.clients;
    expect(production?.clientId).not.toBe(decisionSupport.clientId);
    harness().clock.pass(365 * 86_400_000);
    await harness().tokenBy();
    harness().provider.directory.rotateSecret(decisionSupport.clientId, 'announced');
    expect((await failureOf(harness().tokenBy())).code).toBe('CREDENTIAL_REFUSED');
    await harness().tokenBy({ ...credential, clientSecret: 'announced' });
  });

  test('authentication 3: only applications that completed onboarding obtain a token', async () => {
    const { clientId, secrets } = notOnboarded;
    const error = await failureOf(
      harness().tokenBy({ kind: 'secret', clientId, clientSecret: String(secrets[0]) }),
    );
    expect(error.code).toBe('TOKEN_REFUSED');
    expect(error.message).toContain('unauthorized_client');
  });

  test('authentication 4: a certificate may replace the shared secret', async () => {
    const own = selfSigned({ name: 'own', from: noon - 1e9, until: noon + 1e9 });
    harness().provider.directory.register(decisionSupport.clientId, own.certificate);
    const { privateKey: private_key, certificate } = own;
    const secret = JSON.stringify({ client_id: decisionSupport.clientId, private_key, certificate });
    const token = await harness().tokenBy(readCredential(secret, 'Reading'));
    expect(decodeJwt(token).appidacr).toBe('2');
    expect((await harness().ask('variant-store', reads['variant-store'], { token })).status).toBe(200);
  });

  test('authentication 5: the client requests, the provider issues, the client sends, the resource responds', async () => {
    const cases = await harness()
      .apiWith(await harness().tokenBy())
      .getPage(['interpretation-request']);
    expect(cases.count).toBeGreaterThan(0);
  });

  test('authentication 6: every request carries the Bearer header; all four applications accept the same token', async () => {
    const token = await harness().tokenBy();
    for (const name of applicationNames) {
      expect((await harness().ask(name, reads[name])).status).toBe(401);
      expect((await harness().ask(name, reads[name], { token })).status).toBe(200);
    }
  });

  test('authentication 7: a token expires, and the client obtains a new one', async () => {
    const old = await harness().tokenBy();
    harness().clock.pass(3600 * 1000);
    expect((await failureOf(harness().apiWith(old).get(['interpretation-request']))).code).toBe(
      'INTERPRETATION_UNAUTHORIZED',
    );
    await harness()
      .apiWith(await harness().tokenBy())
      .get(['interpretation-request']);
  });

  test('authentication 8: non-production and production have their own tenants', async () => {
    expect((await failureOf(harness().tokenBy(credential, tenants.production.id))).code).toBe(
      'TOKEN_REFUSED',
    );
    const [client = decisionSupport] = tenants.production.clients;
    const token = await harness().systemToken(client, { tenant: 'production' });
    for (const name of applicationNames)
      expect((await harness().ask(name, reads[name], { token })).status).toBe(401);
  });

  test('authentication 9: a system has no user attributes and must be registered in each application by appid or oid', async () => {
    const token = await harness().systemToken(unregistered);
    expect(decodeJwt(token)).not.toHaveProperty('roles');
    for (const name of applicationNames)
      expect((await harness().ask(name, reads[name], { token })).status).toBe(403);
  });
});

describe('Authorisation for user identities', () => {
  const england = ['1001/1', '1001/2'];

  test('users 1: only users with one of the roles retrieve data', async () => {
    expect((await failureOf(seenBy(users.withoutRole))).code).toBe('INTERPRETATION_FORBIDDEN');
  });

  test('users 2: NCR003 reads the interpretation API and the variant store, the legacy programme with attributes', async () => {
    expect(await seenBy(users.scientistEngland)).toEqual([...england, '2001/1']);
    expect(await seenBy(users.scientistWales)).toEqual(['1002/1']);
    const token = await harness().userToken(users.scientistWales);
    expect((await harness().ask('variant-store', 'variants/1002', { token })).status).toBe(200);
  });

  test('users 3: NCR004 has the same permissions', async () => {
    const as = (role: 'NCR003' | 'NCR004') => {
      const { attributes, objectId } = users.scientistEngland;
      return harness().forge({ ...attributes, roles: [role], scp: 'user_impersonation', oid: objectId });
    };
    const [scientist, manager] = await Promise.all([as('NCR003'), as('NCR004')]);
    for (const name of applicationNames) {
      const [one, other] = await Promise.all(
        [scientist, manager].map((token) => harness().ask(name, reads[name], { token })),
      );
      expect([other?.status, await other?.text()]).toEqual([one?.status, await one?.text()]);
    }
    expect(await seenBy(users.managerScotland)).toEqual(['1003/1']);
  });

  test('users 4: NNR501 is internal staff of the operator', async () => {
    expect(await seenBy(users.operator)).toHaveLength(cases.length);
  });

  test('users 5: NNR502 sees what the membership of groups allows, and no more', async () => {
    expect(await seenBy(users.thirdParty)).toEqual(['1001/1', '2003/1']);
  });

  test('users 6: NNR503 sees no current case, and the legacy data of the laboratories in the attributes only', async () => {
    expect(await seenBy(users.legacy)).toEqual(['2001/1', '2003/1']);
  });

  test('users 7: NNR504 reads for audit and changes nothing', async () => {
    expect(await seenBy(users.auditor)).toHaveLength(cases.length);
    const api = harness().apiWith(await harness().userToken(users.auditor));
    expect((await failureOf(api.clinicalReport({}))).code).toBe('INTERPRETATION_FORBIDDEN');
  });

  test('users 8: legacy cases are seen by clinical users of their own laboratories in their own centre', async () => {
    const legacy = (await seenBy(users.scientistEngland)).filter((one) => one.startsWith('2'));
    // Laboratory B is one of the user's own too, but its case belongs to another centre.
    expect(legacy).toEqual(['2001/1']);
  });

  test('users 9: current referrals are seen by clinical users of the same country, one of four', async () => {
    expect(countries).toEqual(['England', 'Wales', 'Northern Ireland', 'Scotland']);
    for (const country of countries) {
      const token = await harness().forge({ roles: ['NCR003'], country, scp: 'user_impersonation' });
      const page = await harness().apiWith(token).getPage(['interpretation-request']);
      expect(page.items.map((item) => (item as { country: string }).country)).toEqual(
        cases.flatMap(({ origin }) =>
          origin.programme === 'current' && origin.country === country ? [country] : [],
        ),
      );
    }
  });

  test('users 10: a registered system may GET all, POST clinical-report, PUT exit-questionnaire and snp_check', async () => {
    const token = await harness().tokenBy();
    const body = JSON.stringify({ interpretation_request_id: 1001, interpretation_request_version: 1 });
    const granted = [
      ['GET', 'interpretation-request'],
      ['GET', 'clinical-report'],
      ['GET', 'exit-questionnaire'],
      ['POST', 'clinical-report'],
      ['PUT', 'exit-questionnaire'],
      ['PUT', 'interpretation-request/1001/1/snp_check/LP1001-A'],
    ];
    for (const [method = '', path = ''] of granted) {
      const answer = await harness().ask('interpretation-api', path, {
        token,
        method,
        ...(method !== 'GET' && { body }),
      });
      expect([method, path, answer.status]).toEqual([method, path, 200]);
    }
    const answer = await harness().ask('interpretation-api', 'interpretation-request/1001/1', {
      token,
      method: 'PUT',
      body,
    });
    expect(answer.status).toBe(404);
  });
});
