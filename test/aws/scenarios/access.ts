import assert from 'node:assert/strict';
import { PutSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { decisionSupport } from '../../../sandbox/identity/accounts.ts';
import type { Deployment } from '../deployment.ts';
import { type Inbox, subscribeInbox } from '../inbox.ts';
import { classified } from '../rows.ts';
import { type RunningFunction, startPoller } from '../running-function.ts';
import type { ScenarioContext } from './scenario-context.ts';

/** Credentials: none at first, put in by the laboratory, rotated and revoked while the function runs. */
export async function checkAccess(context: ScenarioContext, deployment: Deployment): Promise<void> {
  for (const [catalogue, scenario] of [
    ['header', fixedHeader],
    ['token', clientCredentials],
  ] as const) {
    const inbox = await subscribeInbox(context.clients, {
      name: catalogue,
      topicArn: deployment.outputs.TopicClassifications ?? '',
      filter: { catalogue: [catalogue] },
    });
    const poller = await startPoller(context, { deployment, catalogue });
    const SecretId = deployment.outputs[catalogue === 'header' ? 'SecretHeader' : 'SecretToken'] ?? '';
    const put = async (secret: object): Promise<void> => {
      const SecretString = JSON.stringify(secret);
      await context.clients.secrets.send(new PutSecretValueCommand({ SecretId, SecretString }));
    };
    try {
      await scenario(context, { poller, inbox, put });
      await context.checks.check(`${catalogue}: all by the rights of the function’s own role`, () => {
        assert.deepEqual(poller.guard.refused, []);
        assert.ok(poller.guard.used.has('secretsmanager:GetSecretValue'));
      });
    } finally {
      await poller.stop();
    }
  }
}

interface ActionInput {
  readonly poller: RunningFunction;
  readonly inbox: Inbox;
  readonly put: (secret: object) => Promise<void>;
}

async function fixedHeader(
  { catalogues, checks }: ScenarioContext,
  { poller, inbox, put }: ActionInput,
): Promise<void> {
  const { header, admit } = catalogues;
  const log = (): string => poller.runtime.log.join('\n');
  admit('Token first');
  header.addRows([classified('2026-02-01T10:00:00Z', 'BRCA1', 'Green List (high evidence)')]);
  await checks.check('header: a secret without a credential fails the run and is not shown', async () => {
    const outcome = await poller.runtime.invoke({});
    assert.equal(outcome.ok, false);
    assert.doesNotMatch(JSON.stringify(outcome) + log(), /random text/);
  });
  await checks.check('header: once the secret has the credential, the next run reads with it', async () => {
    await put({ authorization: 'Token first' });
    await succeeds(poller);
    assert.deepEqual(
      (await inbox.empty()).map(({ attributes }) => attributes.catalogue),
      ['header'],
    );
    assert.match(log(), /"CredentialDaysLeft":\d+/);
  });
  await checks.check('header: a rotated secret is read again in the same run', async () => {
    header.addRows([classified('2026-02-01T10:05:00Z', 'ATM', 'Green List (high evidence)')]);
    admit('Token second');
    await put({ authorization: 'Token second' });
    await succeeds(poller);
    assert.equal((await inbox.empty()).length, 1);
  });
  await checks.check(
    'header: a refused one fails the run, is counted, and appears in no log line',
    async () => {
      admit('Token third');
      const outcome = await poller.runtime.invoke({});
      assert.equal(outcome.ok, false);
      assert.match(log(), /"CredentialRefused":1/);
      assert.doesNotMatch(log(), /Token (first|second|third)/);
    },
  );
}

async function clientCredentials(
  { catalogues, checks }: ScenarioContext,
  { poller, inbox, put }: ActionInput,
): Promise<void> {
  const { token, identity } = catalogues;
  const [secret = ''] = decisionSupport.secrets;
  token.addRows([classified('2026-02-01T10:00:00Z', 'BRCA1', 'Green List (high evidence)')]);
  await checks.check(
    'token: asked for once, in the stage’s own tenant, and used by the runs that follow',
    async () => {
      await put({ client_id: decisionSupport.clientId, client_secret: secret });
      await succeeds(poller);
      await succeeds(poller);
      assert.equal((await inbox.empty()).length, 1);
      assert.deepEqual(
        identity.calls.map(({ status }) => status),
        [200],
      );
    },
  );
  await checks.check('token: withdrawn early, the same run requests a new one once', async () => {
    identity.revokeTokens();
    token.addRows([classified('2026-02-01T10:05:00Z', 'ATM', 'Green List (high evidence)')]);
    await succeeds(poller);
    assert.equal((await inbox.empty()).length, 1);
    assert.deepEqual(
      identity.calls.map(({ status }) => status),
      [200, 200],
    );
  });
  await checks.check('token: neither it nor the secret appears in the log', () => {
    assert.ok(!poller.runtime.log.join('\n').includes(secret));
    assert.doesNotMatch(poller.runtime.log.join('\n'), /eyJ[\w-]+\.[\w-]+/);
  });
}

async function succeeds({ runtime }: RunningFunction): Promise<void> {
  const outcome = await runtime.invoke({});
  assert.equal(outcome.ok, true, JSON.stringify(outcome));
}
