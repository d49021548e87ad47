import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ListEventSourceMappingsCommand, UpdateEventSourceMappingCommand } from '@aws-sdk/client-lambda';
import { GetObjectCommand, ListObjectVersionsCommand } from '@aws-sdk/client-s3';
import { PutSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { PublishCommand } from '@aws-sdk/client-sns';
import { eventKindNames } from '../../../lambdas/events/changes.ts';
import { type PanelEvent, typeName } from '../../../lambdas/events/schemas.ts';
import { toMessage } from '../../../lambdas/publishing/message.ts';
import { systemClock as clock } from '../../../lambdas/run/clock.ts';
import { decisionSupport, tenants } from '../../../sandbox/identity/accounts.ts';
import { startFamily } from '../../../sandbox/interpretation/start.ts';
import { cdk } from '../cdk.ts';
import { completeDeployment, type Deployment } from '../deployment.ts';
import { copyExample, folderForExamples } from '../example-folder.ts';
import { subscribeReader } from '../inbox.ts';
import { deliverBatches } from '../queue-batches.ts';
import { type RunningFunction, startNamed } from '../running-function.ts';
import type { ScenarioContext } from './scenario-context.ts';

/** The examples, each deployed by its own stack with the package as it would be installed. */
export async function checkExamples(context: ScenarioContext, deployment: Deployment): Promise<void> {
  const folder = folderForExamples(context.folder);
  await auditLog(context, deployment, folder);
  await reAnalysis(context, deployment, folder);
}

const example = <Event extends PanelEvent>(type: Event['type']): Event =>
  JSON.parse(readFileSync(`docs/examples/${type}.json`, 'utf8'));
const green = example<PanelEvent<'entity.classified'>>('gene-panel.entity.classified.v1');

async function auditLog(context: ScenarioContext, deployment: Deployment, folder: string): Promise<void> {
  const { checks, clients } = context;
  const topicPrefix = (deployment.outputs.TopicTags ?? '').replace(/tags$/, '');
  const deployed = await deploy(context, folder, { name: 'audit-log', settings: { topicPrefix } });
  const running = await startNamed(context, { deployment: deployed, functionName: 'audit-log' });
  const take = () => deliverBatches(clients.sqs, { queueUrl: queueOf(deployed), runtime: running.runtime });
  const Bucket = String(running.deployed.environment.BUCKET);
  const kept = async () => {
    const { Versions = [] } = await clients.s3.send(new ListObjectVersionsCommand({ Bucket }));
    return Versions.map(({ Key = '' }) => Key).sort();
  };
  try {
    const events = eventKindNames.map((kind) => example(typeName(kind)));
    for (const event of events) await publish(context, deployment, event);
    await take();
    const keys = events.map(({ id, time = 'unknown' }) => `day=${time.slice(0, 10)}/${id}.json`).sort();
    await checks.check('audit log: an event of each type is one object, by day', async () => {
      assert.deepEqual(await kept(), keys);
    });
    await checks.check('audit log: an object holds the event byte for byte', async () => {
      const Key = `day=${green.time?.slice(0, 10)}/${green.id}.json`;
      const { Body } = await clients.s3.send(new GetObjectCommand({ Bucket, Key }));
      assert.equal(await Body?.transformToString(), toMessage(green).body);
    });
    await publish(context, deployment, green);
    await take();
    await checks.check('audit log: an event that arrives again adds no version', async () => {
      assert.deepEqual(await kept(), keys);
    });
    await checks.check('audit log: of a batch, only the record that is no event fails', async () => {
      const { body } = toMessage(green);
      const Records = [
        { messageId: 'bad', body: body.slice(0, 100) },
        { messageId: 'good', body },
      ];
      const outcome = await running.runtime.invoke({ Records });
      assert.deepEqual(outcome, { ok: true, result: { batchItemFailures: [{ itemIdentifier: 'bad' }] } });
    });
    await onlyOwnRights(context, running, 'audit log');
  } finally {
    await running.stop();
  }
}

async function reAnalysis(context: ScenarioContext, deployment: Deployment, folder: string): Promise<void> {
  const { checks, clients } = context;
  const family = await startFamily({ clock });
  const deployed = await deploy(context, folder, {
    name: 're-analysis',
    settings: {
      classificationsTopic: deployment.outputs.TopicClassifications,
      alarmTopic: deployment.outputs.TopicAlarms,
      rCodes: ['R0'],
      interpretationUrl: family.applications.urls['interpretation-api'],
      authUrl: family.provider.authUrl,
      tenantId: tenants['non-production'].id,
      mailTo: [],
    },
  });
  const running = await startNamed(context, { deployment: deployed, functionName: 're-analysis' });
  const take = () => deliverBatches(clients.sqs, { queueUrl: queueOf(deployed), runtime: running.runtime });
  const lists = await subscribeReader(clients, {
    name: 're-analysis-lists',
    topicArn: String(running.deployed.environment.TOPIC),
  });
  try {
    const { clientId, secrets } = decisionSupport;
    await clients.secrets.send(
      new PutSecretValueCommand({
        SecretId: running.deployed.environment.SECRET,
        SecretString: JSON.stringify({ client_id: clientId, client_secret: secrets[0] }),
      }),
    );
    await publish(context, deployment, green);
    await publish(context, deployment, {
      ...green,
      id: '1'.repeat(32),
      data: { ...green.data, panel: { ...green.data.panel, relevantDisorders: ['R1'] } },
    });
    await take();
    await checks.check(
      're-analysis: the cases that were analysed with an older version are listed',
      async () => {
        const [, shown] =
          /```text\n(.*?)\n```/s.exec(readFileSync('examples/re-analysis/README.md', 'utf8')) ?? [];
        assert.deepEqual(await lists(), [
          { subject: 'EXAMPLE1 is green: look again at 3 cases', message: shown },
        ]);
      },
    );
    await publish(context, deployment, green);
    await publish(context, deployment, { ...green, id: '2'.repeat(32) });
    await take();
    await checks.check('re-analysis: each case once, also for a later event of that gene', async () => {
      assert.deepEqual(await lists(), []);
    });
    await onlyOwnRights(context, running, 're-analysis');
  } finally {
    await running.stop();
    await family.close();
  }
}

/** Deploys an example as its README says, and keeps the emulator from starting its function. */
async function deploy(
  { aws, checks, clients }: ScenarioContext,
  folder: string,
  { name, settings }: { readonly name: string; readonly settings: Readonly<Record<string, unknown>> },
): Promise<Deployment> {
  const copy = copyExample(folder, name, settings);
  const method = ['--require-approval', 'never', '--method', 'direct'];
  await cdk(['deploy', ...method, '--output', join(copy, 'cdk.out')], aws, copy);
  const deployed = await completeDeployment(clients, { stack: name, region: aws.AWS_REGION });
  const { EventSourceMappings = [] } = await clients.lambda.send(
    new ListEventSourceMappingsCommand({ FunctionName: name }),
  );
  await checks.check(`${name}: its queue starts its function, which reports failed records`, () => {
    assert.equal(EventSourceMappings.length, 1);
    assert.deepEqual(EventSourceMappings[0]?.FunctionResponseTypes, ['ReportBatchItemFailures']);
  });
  for (const { UUID } of EventSourceMappings) {
    await clients.lambda.send(new UpdateEventSourceMappingCommand({ UUID, Enabled: false }));
  }
  return deployed;
}

/** The queue that is no queue of dead letters. */
const queueOf = (deployed: Deployment): string =>
  deployed.find('AWS::SQS::Queue', ({ RedrivePolicy }) => RedrivePolicy !== undefined).physicalId;

async function publish(
  { clients }: ScenarioContext,
  deployment: Deployment,
  event: PanelEvent,
): Promise<void> {
  const { topic, body, attributes } = toMessage(event);
  const TopicArn = deployment.outputs[`Topic${topic.charAt(0).toUpperCase()}${topic.slice(1)}`];
  const MessageAttributes = Object.fromEntries(
    Object.entries(attributes).map(([name, { type, value }]) => [
      name,
      { DataType: type, StringValue: value },
    ]),
  );
  await clients.sns.send(new PublishCommand({ TopicArn, Message: body, MessageAttributes }));
}

async function onlyOwnRights(
  { checks }: ScenarioContext,
  { guard }: RunningFunction,
  name: string,
): Promise<void> {
  await checks.check(`${name}: all by the rights of the function’s own role`, () => {
    assert.deepEqual(guard.refused, []);
    assert.ok(guard.used.size > 0);
  });
}
