import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CreateStackCommand, DescribeStackResourcesCommand } from '@aws-sdk/client-cloudformation';
import { GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { GetQueueUrlCommand, ReceiveMessageCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import * as z from 'zod';
import { everything } from '../../lib/deploy.ts';
import { cdk } from '../cdk.ts';
import { completeDeployment } from '../deployment.ts';
import { subscribeInbox } from '../inbox.ts';
import { classified } from '../rows.ts';
import { startNamed } from '../running-function.ts';
import type { ScenarioContext } from './scenario-context.ts';

/** A release whose template is updated in place, with a state as it left one. */
const releases = [
  { version: '0.2', mark: '2026-02-01T10:45:00Z', unseen: ['2026-02-01T10:46:00Z', 'MLH1'] },
] as const;
type Release = (typeof releases)[number];

/** moto's CloudFormation makes these itself; the others are compared by `test/lib/upgrade.test.ts`. */
const keptTypes = ['DynamoDB::Table', 'SNS::Topic', 'SQS::Queue', 'S3::Bucket', 'KMS::Key', 'Logs::LogGroup'];

/** An update in place from the template of each release, with data in it. */
export async function checkUpdate(context: ScenarioContext): Promise<void> {
  for (const release of releases) await checkUpdateFrom(release, context);
}

async function checkUpdateFrom(release: Release, context: ScenarioContext): Promise<void> {
  const { checks, clients, catalogues } = context;
  const { version } = release;
  const name = `from${version.replace('.', '')}`;
  const stack = `${name}-test`;
  const before = await createOld(release, context, { stack });
  const data = await fill(release, context, { stack, before });
  // moto’s CloudFormation has no streams of Firehose and no HTTP APIs, to which other resources refer.
  const { tags: _, export: __, page: ___, ...settings } = everything;
  const config = join(context.folder, `${stack}.json`);
  const uk = { base: catalogues.open.url };
  const stage = { ...settings, catalogues: { ...settings.catalogues, uk } };
  writeFileSync(config, JSON.stringify({ name, stages: { test: stage } }));
  await cdk(
    [
      ...['deploy', '--require-approval', 'never', '--method', 'direct', '--no-previous-parameters'],
      // moto cannot change a key: the template must differ from the old one in nothing else.
      '--no-path-metadata',
      ...['--output', join(context.folder, `${stack}.out`), '--context', `config=${config}`],
    ],
    context.aws,
  );
  const deployment = await completeDeployment(clients, { stack, region: context.aws.AWS_REGION });

  await checks.check(`an update from ${version} keeps every table, topic, queue, bucket, key and log`, () => {
    assert.ok(before.size > 15, String(before.size));
    for (const [id, physicalId] of before) assert.equal(deployment.physicalIds.get(id), physicalId, id);
  });
  await checks.check('with the data in them', data.check);

  // moto makes a topic anew under its ARN, without its subscriptions.
  const inbox = await subscribeInbox(clients, {
    name: `${stack}-subscriber`,
    topicArn: topicOf(before, `${stack}-classifications`),
  });
  const [created, gene] = release.unseen;
  catalogues.open.addRows([classified(created, gene, 'Green List (high evidence)')]);
  const poll = await startNamed(context, { deployment, functionName: `${stack}-poll-uk` });
  try {
    await checks.check(
      'the next poll continues at the mark, and publishes to the topic of before',
      async () => {
        const outcome = await poll.runtime.invoke({});
        assert.equal(outcome.ok, true, JSON.stringify(outcome));
        assert.deepEqual(
          (await inbox.empty()).map(({ event }) => event.subject),
          [`panels/55/gene/${gene}`],
        );
      },
    );
  } finally {
    await poll.stop();
  }
}

const topicOf = (made: ReadonlyMap<string, string>, name: string): string =>
  [...made.values()].find((id) => id.endsWith(`:${name}`)) ?? '';

/** Nothing of a resource is left out: moto would take that for a change. */
const fixtureSchema = z.object({
  Resources: z.record(
    z.string(),
    z.looseObject({ Type: z.string(), Properties: z.record(z.string(), z.unknown()) }),
  ),
});

/** Makes the stack of the old release. Returns what must stay, by logical id. */
async function createOld(
  { version }: Release,
  { clients: { cloudFormation } }: ScenarioContext,
  { stack }: { readonly stack: string },
): Promise<ReadonlyMap<string, string>> {
  const fixture = readFileSync(`test/fixtures/templates/${version}.json`, 'utf8');
  const { Resources } = fixtureSchema.parse(JSON.parse(fixture.replaceAll('panels-test', stack)));
  const kept = Object.entries(Resources).filter(
    ([id, { Type }]) => keptTypes.includes(Type.slice(5)) && !id.startsWith('NotifierExport'),
  );
  // Without tags: moto's CloudFormation stumbles over those of a key and leaves the stack half made.
  const untagged = kept.map(
    ([
      id,
      {
        Properties: { Tags: _, ...Properties },
        ...rest
      },
    ]) => [id, { ...rest, Properties: { ...Properties, ...keyOf(rest.Type) } }],
  );
  const TemplateBody = JSON.stringify({ Resources: Object.fromEntries(untagged) });
  await cloudFormation.send(new CreateStackCommand({ StackName: stack, TemplateBody }));
  const { StackResources = [] } = await cloudFormation.send(
    new DescribeStackResourcesCommand({ StackName: stack }),
  );
  assert.equal(StackResources.length, kept.length);
  return new Map(
    StackResources.map(({ LogicalResourceId = '', PhysicalResourceId = '' }) => [
      LogicalResourceId,
      PhysicalResourceId,
    ]),
  );
}

/** moto cannot change a key: it has the period of rotation that the template states now. */
const keyOf = (type: string): object => (type === 'AWS::KMS::Key' ? { RotationPeriodInDays: 2560 } : {});

interface Filled {
  /** Fails where something is not there any more. */
  readonly check: () => Promise<void>;
}

/** Puts a mark, an event of the history, a dead letter and a feed where the release kept them. */
async function fill(
  { mark }: Release,
  { clients: { dynamodb, s3, sqs } }: ScenarioContext,
  { stack, before }: { readonly stack: string; readonly before: ReadonlyMap<string, string> },
): Promise<Filled> {
  const named = (start: string): string | undefined => [...before].find(([id]) => id.startsWith(start))?.[1];
  const table = named('NotifierTable') ?? '';
  const at = { N: `${Date.parse(mark)}000` };
  const Key = { pk: { S: 'catalogue#uk' }, sk: { S: 'position' } };
  const position = {
    ...Key,
    format: { N: '1' },
    version: { N: '40' },
    mark: at,
    start: { N: '1767225600000000' },
    writer: { S: 'an earlier run' },
    ledgerSince: { N: `${Date.parse(mark)}001` },
    waits: { N: '0' },
    table: { S: table },
  };
  await dynamodb.send(new PutItemCommand({ TableName: table, Item: position }));
  const history = named('NotifierHistory');
  const eventKey = { pk: { S: 'event#of-an-earlier-run' }, sk: { S: 'event' } };
  if (history !== undefined) await dynamodb.send(new PutItemCommand({ TableName: history, Item: eventKey }));
  const { QueueUrl } = await sqs.send(new GetQueueUrlCommand({ QueueName: `${stack}-undelivered` }));
  await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: 'a dead letter' }));
  const Bucket = named('NotifierMessagesFeeds');
  const file = { Bucket, Key: 'everything.xml' };
  if (Bucket !== undefined) await s3.send(new PutObjectCommand({ ...file, Body: 'a feed' }));
  return {
    check: async () => {
      const { Item } = await dynamodb.send(new GetItemCommand({ TableName: table, Key }));
      assert.deepEqual(Item, position);
      if (history !== undefined) {
        const kept = await dynamodb.send(new GetItemCommand({ TableName: history, Key: eventKey }));
        assert.deepEqual(kept.Item, eventKey);
      }
      const { Messages = [] } = await sqs.send(new ReceiveMessageCommand({ QueueUrl }));
      assert.deepEqual(
        Messages.map(({ Body }) => Body),
        ['a dead letter'],
      );
      if (Bucket !== undefined) {
        const { Body } = await s3.send(new GetObjectCommand(file));
        assert.equal(await Body?.transformToString(), 'a feed');
      }
    },
  };
}
