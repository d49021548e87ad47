import { expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { openInterpretationApi } from '../../consumer/interpretation.ts';
import { systemClock as clock } from '../../lambdas/run/clock.ts';
import { silentLog as log } from '../../lambdas/run/log.ts';
import { decisionSupport, tenants } from '../../sandbox/identity/accounts.ts';
import { startFamily } from '../../sandbox/interpretation/start.ts';

const schema = z.object({ interpretation_request_id: z.int(), interpretation_request_version: z.int() });
type Case = z.infer<typeof schema>;
const identify = (one: Case): string =>
  `${one.interpretation_request_id}/${one.interpretation_request_version}`;

async function start(secret: string | undefined = decisionSupport.secrets[0]) {
  const family = await startFamily({ clock });
  const api = openInterpretationApi({
    baseUrl: family.applications.urls['interpretation-api'],
    authUrl: family.provider.authUrl,
    tenantId: tenants['non-production'].id,
    credential: async () => JSON.stringify({ client_id: decisionSupport.clientId, client_secret: secret }),
    log,
  });
  onTestFinished(async () => {
    await api.close();
    await family.close();
  });
  return api;
}

test('the client gets a token with the credential and reads every item of a list', async () => {
  const api = await start();
  const { items, complete } = await api.getAll(['interpretation-request'], { schema, identify });
  expect(items.map(identify)).toContain('1001/2');
  expect([items.length, complete]).toStrictEqual([8, true]);
});

test('the list is incomplete where the schema refuses an item', async () => {
  const api = await start();
  const current = schema.extend({ programme: z.literal('current') });
  const { items, complete } = await api.getAll(['interpretation-request'], { schema: current, identify });
  expect([items.length, complete]).toStrictEqual([5, false]);
});

test('a refused credential is an error that does not show it', async () => {
  const api = await start('not-the-secret');
  const failure = await api.get(['interpretation-request']).catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: 'CREDENTIAL_REFUSED' });
  expect(JSON.stringify(failure) + String(failure)).not.toContain('not-the-secret');
});
