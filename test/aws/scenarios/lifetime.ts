import assert from 'node:assert/strict';
import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import { ListFunctionsCommand } from '@aws-sdk/client-lambda';
import { DescribeSecretCommand } from '@aws-sdk/client-secrets-manager';
import { ListTopicsCommand } from '@aws-sdk/client-sns';
import { catalogueSettings } from '../catalogues.ts';
import type { Deployment } from '../deployment.ts';
import { subscribeInbox } from '../inbox.ts';
import { messageSettings } from '../message-settings.ts';
import { pageSettings } from '../page-settings.ts';
import { relaySettings } from '../relay-place.ts';
import { classified } from '../rows.ts';
import { startPoller } from '../running-function.ts';
import { stackName } from '../stage.ts';
import type { ScenarioContext } from './scenario-context.ts';

/** What a deployment keeps when it is changed, destroyed and made anew. */
export async function checkLifetime(context: ScenarioContext, before: Deployment): Promise<void> {
  const { clients, checks, stage } = context;
  const catalogues = catalogueSettings(context.catalogues);
  const table = before.outputs.TableName ?? '';

  // Chosen alone, this scenario is the first that polls: the poll needs a row to start from.
  context.catalogues.open.addRows([
    classified('2026-02-01T10:49:00Z', 'RAD51B', 'Green List (high evidence)'),
  ]);
  await pollOnce(context, before);
  const changed = await stage.deploy({
    catalogues: { ...catalogues, open: { ...catalogues.open, overlapMinutes: 45 } },
    ...messageSettings(context.receivers),
    ...pageSettings(context.catalogues),
    relay: relaySettings,
  });
  await checks.check('deploying with other settings changes the function and keeps the table', async () => {
    assert.equal(changed.outputs.TableName, table);
    assert.equal(await overlapOf(context, changed), '45');
  });
  await checks.check('the mark has not moved: only new rows are published', async () => {
    assert.deepEqual(await publishedAfter(context, { deployment: changed, gene: 'RAD51C', minute: 50 }), [
      'panels/55/gene/RAD51C',
    ]);
  });

  await stage.destroy();
  await checks.check('destroying deletes functions and topics', async () => {
    const { Functions = [] } = await clients.lambda.send(new ListFunctionsCommand({}));
    const { Topics = [] } = await clients.sns.send(new ListTopicsCommand({}));
    assert.deepEqual(
      Functions.filter(({ FunctionName = '' }) => FunctionName.startsWith(stackName)),
      [],
    );
    assert.deepEqual(
      Topics.filter(({ TopicArn = '' }) => TopicArn.includes(`:${stackName}-`)),
      [],
    );
  });
  await checks.check('but neither the table nor the credential', async () => {
    const { Table } = await clients.dynamodb.send(new DescribeTableCommand({ TableName: table }));
    assert.equal(Table?.TableStatus, 'ACTIVE');
    assert.equal(Table?.DeletionProtectionEnabled, true);
    const SecretId = before.outputs.SecretHeader;
    const secret = await clients.secrets.send(new DescribeSecretCommand({ SecretId }));
    assert.equal(secret.DeletedDate, undefined);
  });

  const { open } = catalogues;
  const again = await stage.deploy({ catalogues: { open }, existingTable: table });
  await checks.check('a new deployment with that table continues at its mark', async () => {
    assert.equal(again.outputs.TableName, table);
    assert.deepEqual(await publishedAfter(context, { deployment: again, gene: 'RAD51D', minute: 55 }), [
      'panels/55/gene/RAD51D',
    ]);
  });
  await stage.destroy();
}

async function overlapOf(context: ScenarioContext, deployment: Deployment): Promise<string | undefined> {
  const poller = await startPoller(context, { deployment, catalogue: 'open' });
  await poller.stop();
  return poller.deployed.environment.OVERLAP_MINUTES;
}

/** The events that the deployed function publishes for a new row. */
async function publishedAfter(
  context: ScenarioContext,
  { deployment, gene, minute }: { deployment: Deployment; gene: string; minute: number },
): Promise<readonly string[]> {
  const { clients } = context;
  const inbox = await subscribeInbox(clients, {
    name: `after-${gene}`,
    topicArn: deployment.outputs.TopicClassifications ?? '',
  });
  const row = classified(`2026-02-01T10:${minute}:00Z`, gene, 'Green List (high evidence)');
  context.catalogues.open.addRows([row]);
  await pollOnce(context, deployment);
  return (await inbox.empty()).map(({ event }) => event.subject ?? '');
}

/** Publishes each row that no poll of this deployment has read yet. */
async function pollOnce(context: ScenarioContext, deployment: Deployment): Promise<void> {
  const poller = await startPoller(context, { deployment, catalogue: 'open' });
  try {
    const outcome = await poller.runtime.invoke({});
    assert.equal(outcome.ok, true, JSON.stringify(outcome));
  } finally {
    await poller.stop();
  }
}
