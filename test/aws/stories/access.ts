import assert from 'node:assert/strict';
import { PutSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import type { Deployment } from '../deployment.ts';
import { subscribeInbox } from '../inbox.ts';
import { startPoller } from '../poller.ts';
import { classified } from '../rows.ts';
import type { World } from './world.ts';

/** The credential: empty at first, put in by the laboratory, rotated while the function runs. */
export async function checkAccess(world: World, deployment: Deployment): Promise<void> {
  const { clients, closed, checks } = world;
  const { secrets } = clients;
  const SecretId = deployment.outputs.SecretClosed ?? '';
  const put = async (authorization: string): Promise<void> => {
    closed.admit(authorization);
    await secrets.send(
      new PutSecretValueCommand({ SecretId, SecretString: JSON.stringify({ authorization }) }),
    );
  };
  const inbox = await subscribeInbox(clients, {
    name: 'closed',
    topicArn: deployment.outputs.TopicClassifications ?? '',
    filter: { catalogue: ['closed'] },
  });
  closed.admit('Token first');
  closed.write(classified('2026-02-01T10:00:00Z', 'BRCA1', 'Green List (high evidence)'));
  const poller = await startPoller(world, { deployment, catalogue: 'closed' });
  try {
    await checks.check('a secret that was not filled yet fails the run and is not shown', async () => {
      const outcome = await poller.runtime.invoke({});
      assert.equal(outcome.ok, false);
      assert.doesNotMatch(JSON.stringify(outcome) + poller.runtime.log.join('\n'), /random text/);
    });
    await checks.check('once filled, the next run reads with it', async () => {
      await put('Token first');
      const outcome = await poller.runtime.invoke({});
      assert.equal(outcome.ok, true, JSON.stringify(outcome));
      assert.deepEqual(
        (await inbox.empty()).map(({ attributes }) => attributes.catalogue),
        ['closed'],
      );
    });
    await checks.check('a rotated secret is read again in the same run', async () => {
      closed.write(classified('2026-02-01T10:05:00Z', 'ATM', 'Green List (high evidence)'));
      await put('Token second');
      const outcome = await poller.runtime.invoke({});
      assert.equal(outcome.ok, true, JSON.stringify(outcome));
      assert.equal((await inbox.empty()).length, 1);
    });
    await checks.check('a refused one fails the run, is counted, and appears in no log line', async () => {
      closed.admit('Token third');
      const outcome = await poller.runtime.invoke({});
      assert.equal(outcome.ok, false);
      const log = poller.runtime.log.join('\n');
      assert.match(log, /"CredentialRefused":1/);
      assert.doesNotMatch(log, /Token (first|second|third)/);
    });
    await checks.check('all by the rights of the function’s own role', () => {
      assert.deepEqual(poller.guard.refused, []);
      assert.ok(poller.guard.used.has('secretsmanager:GetSecretValue'));
    });
  } finally {
    await poller.stop();
  }
}
