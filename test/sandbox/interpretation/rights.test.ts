import { describe, expect, test } from 'vitest';
import { decisionSupport, reportWriter, type User, users } from '../../../sandbox/identity/accounts.ts';
import { type ApplicationName, cases } from '../../../sandbox/interpretation/application.ts';
import { type FamilyHarness, startHarness } from './family-harness.ts';

/** What each caller may do with the resources. */

const payload = JSON.stringify({
  interpretation_request_id: 1001,
  interpretation_request_version: 1,
  summary: 'ok',
});
const all = cases.map(({ irId, irVersion }) => `${irId}/${irVersion}`);

async function visibleTo(harness: FamilyHarness, token: string): Promise<string[]> {
  const answer = await harness.ask('interpretation-api', 'interpretation-request', { token });
  expect(answer.status).toBe(200);
  const { results } = (await answer.json()) as { results: Record<string, unknown>[] };
  return results.map((each) => `${each.interpretation_request_id}/${each.interpretation_request_version}`);
}

describe.each([
  ['registered by appid', decisionSupport],
  ['registered by oid', reportWriter],
])('a TPI system, %s,', (_name, client) => {
  test('reads everything', async () => {
    const harness = await startHarness();
    const token = await harness.systemToken(client);
    expect(await visibleTo(harness, token)).toEqual(all);
    for (const path of [
      'clinical-report',
      'exit-questionnaire',
      'interpretation-request/1001/1',
      'interpretation-request/1001/1/snp_check/LP1001-A',
    ]) {
      expect((await harness.ask('interpretation-api', path, { token })).status).toBe(200);
    }
  });

  test('adds a clinical report, which can then be read', async () => {
    const harness = await startHarness();
    const token = await harness.systemToken(client);
    const ask = () =>
      harness.ask('interpretation-api', 'clinical-report', { token, method: 'POST', body: payload });
    expect((await ask()).status).toBe(200);
    expect((await ask()).status).toBe(200);
    const { count } = (await (
      await harness.ask('interpretation-api', 'clinical-report', { token })
    ).json()) as { count: number };
    expect(count).toBe(2);
  });

  test('adds an exit questionnaire; the same one again changes nothing', async () => {
    const harness = await startHarness();
    const token = await harness.systemToken(client);
    const ask = () =>
      harness.ask('interpretation-api', 'exit-questionnaire', { token, method: 'PUT', body: payload });
    expect((await ask()).status).toBe(200);
    expect((await ask()).status).toBe(200);
    expect([...harness.applications.written.exitQuestionnaires.values()]).toEqual([JSON.parse(payload)]);
  });

  test('re-runs sample matching for a sample', async () => {
    const harness = await startHarness();
    const token = await harness.systemToken(client);
    const path = 'interpretation-request/1001/1/snp_check/LP1001-B';
    const answer = await harness.ask('interpretation-api', path, { token, method: 'PUT' });
    expect(await answer.json()).toMatchObject({ sample_id: 'LP1001-B', status: 'requested' });
  });

  test.each([
    ['PUT', 'clinical-report'],
    ['POST', 'exit-questionnaire'],
    ['DELETE', 'exit-questionnaire'],
    ['POST', 'interpretation-request/1001/1/snp_check/LP1001-A'],
    ['DELETE', 'interpretation-request/1001/1'],
    ['PATCH', 'interpretation-request/1001/1'],
  ])('has no right to %s %s', async (method, path) => {
    const harness = await startHarness();
    const token = await harness.systemToken(client);
    expect((await harness.ask('interpretation-api', path, { token, method, body: payload })).status).toBe(
      404,
    );
    expect(harness.applications.written.clinicalReports).toEqual([]);
  });

  test.each([
    ['POST', 'clinical-report', 'no JSON', 400],
    ['POST', 'clinical-report', '{}', 400],
    ['PUT', 'exit-questionnaire', '[]', 400],
    ['POST', 'clinical-report', payload.replace('1001', '9999'), 404],
    ['POST', 'clinical-report', JSON.stringify({ filler: ' '.repeat(1024 * 1024) }), 413],
    ['PUT', 'interpretation-request/1001/1/snp_check/LP2001-A', '', 404],
    ['PUT', 'interpretation-request/9999/1/snp_check/LP1001-A', '', 404],
  ])('reports what is wrong with %s %s', async (method, path, body, status) => {
    const harness = await startHarness();
    const token = await harness.systemToken(client);
    expect((await harness.ask('interpretation-api', path, { token, method, body })).status).toBe(status);
  });
});

describe('users of each role', () => {
  const england = ['1001/1', '1001/2'];
  const sight: [string, User, readonly string[]][] = [
    [
      'NCR003 in England: the country, and own laboratories in the own centre',
      users.scientistEngland,
      [...england, '2001/1'],
    ],
    [
      'NCR003 in Wales: the country, and nothing of the legacy programme without attributes',
      users.scientistWales,
      ['1002/1'],
    ],
    ['NCR004 in Scotland: the same permissions', users.managerScotland, ['1003/1']],
    ['NNR501: all', users.operator, all],
    ['NNR502: the cases of their groups', users.thirdParty, ['1001/1', '2003/1']],
    ['NNR503: the legacy data of the named laboratories only', users.legacy, ['2001/1', '2003/1']],
    ['NNR504: all, for audit', users.auditor, all],
  ];

  test.each(sight)('%s', async (_name, user, expected) => {
    const harness = await startHarness();
    const token = await harness.userToken(user);
    expect(await visibleTo(harness, token)).toEqual(expected);
    for (const { irId, irVersion, samples } of cases) {
      const status = expected.includes(`${irId}/${irVersion}`) ? 200 : 403;
      const path = `interpretation-request/${irId}/${irVersion}`;
      expect((await harness.ask('interpretation-api', path, { token })).status).toBe(status);
      const matching = `${path}/snp_check/${samples[0]}`;
      expect((await harness.ask('interpretation-api', matching, { token })).status).toBe(status);
    }
  });

  test.each(sight)('%s, also in what was written, and write nothing', async (_name, user, expected) => {
    const harness = await startHarness();
    const system = await harness.systemToken(decisionSupport);
    for (const { irId, irVersion } of cases) {
      const body = JSON.stringify({
        interpretation_request_id: irId,
        interpretation_request_version: irVersion,
      });
      await harness.ask('interpretation-api', 'clinical-report', { token: system, method: 'POST', body });
      await harness.ask('interpretation-api', 'exit-questionnaire', { token: system, method: 'PUT', body });
    }
    const token = await harness.userToken(user);
    for (const path of ['clinical-report', 'exit-questionnaire']) {
      const answer = (await (await harness.ask('interpretation-api', path, { token })).json()) as {
        count: number;
      };
      expect(answer.count).toBe(expected.length);
    }
    const writing = [
      ['POST', 'clinical-report'],
      ['PUT', 'exit-questionnaire'],
      ['PUT', 'interpretation-request/1001/1/snp_check/LP1001-A'],
    ] as const;
    for (const [method, path] of writing) {
      expect((await harness.ask('interpretation-api', path, { token, method, body: payload })).status).toBe(
        403,
      );
    }
    expect(harness.applications.written.clinicalReports).toHaveLength(cases.length);
    expect(harness.applications.written.matchings.size).toBe(0);
  });

  test('a user may send HEAD, which has the status of GET and no body', async () => {
    const harness = await startHarness();
    const token = await harness.userToken(users.scientistEngland);
    const path = 'interpretation-request';
    const response = await harness.ask('interpretation-api', path, { token, method: 'HEAD' });
    expect([response.status, await response.text()]).toEqual([200, '']);
  });

  test('a user without a role reads nothing, even through a registered system', async () => {
    const harness = await startHarness();
    const token = await harness.userToken(users.withoutRole);
    const answer = await harness.ask('interpretation-api', 'interpretation-request', { token });
    expect(answer.status).toBe(403);
    expect(answer.headers.get('www-authenticate')).toContain('The user has no role here');
  });

  test.each([
    ['a role that does not exist', { roles: ['NCR999'] }],
    ['invalid attributes', { roles: 'NCR003' }],
    ['a country that does not exist', { roles: ['NCR003'], country: 'Atlantis' }],
  ])('%s reads nothing', async (_name, claims) => {
    const harness = await startHarness();
    const token = await harness.forge({ ...claims, scp: 'user_impersonation' });
    expect((await harness.ask('interpretation-api', 'interpretation-request', { token })).status).toBe(403);
  });

  const otherApplications: [string, User, readonly ApplicationName[]][] = [
    ['NCR003', users.scientistEngland, ['variant-store']],
    ['NCR004', users.managerScotland, ['variant-store']],
    ['NNR501', users.operator, ['variant-store', 'sample-matching', 're-identification']],
    ['NNR502', users.thirdParty, []],
    ['NNR503', users.legacy, []],
    ['NNR504', users.auditor, []],
  ];

  test.each(otherApplications)('%s in the other applications', async (_role, user, open) => {
    const harness = await startHarness();
    const token = await harness.userToken(user);
    for (const name of ['variant-store', 'sample-matching', 're-identification'] as const) {
      expect((await harness.ask(name, 'nothing-here', { token })).status).toBe(
        open.includes(name) ? 404 : 403,
      );
    }
  });

  test('the variant store shows a clinical user the same cases only', async () => {
    const harness = await startHarness();
    const token = await harness.userToken(users.scientistWales);
    expect((await harness.ask('variant-store', 'variants/1002', { token })).status).toBe(200);
    expect((await harness.ask('variant-store', 'variants/1001', { token })).status).toBe(403);
  });
});

test.each([
  ['variant-store', 'variants/1001', { interpretation_request_id: 1001 }],
  ['sample-matching', 'samples/LP1001-A', { sample_id: 'LP1001-A' }],
  ['re-identification', 'participants/p-1001', { participant: 'p-1001' }],
  ['interpretation-portal', 'referrals/1001', { interpretation_request_id: 1001 }],
  ['variant-annotation-store', 'annotations/1001', { interpretation_request_id: 1001 }],
] as const)('a registered system reads in the %s', async (application, path, expected) => {
  const harness = await startHarness();
  const token = await harness.systemToken(decisionSupport);
  const answer = await harness.ask(application, path, { token });
  expect(answer.status).toBe(200);
  expect(await answer.json()).toMatchObject(expected);
  expect((await harness.ask(application, path, { token, method: 'PUT' })).status).toBe(404);
});
