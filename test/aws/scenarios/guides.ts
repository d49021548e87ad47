import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { CreateTableCommand } from '@aws-sdk/client-dynamodb';
import { CreateEventBusCommand } from '@aws-sdk/client-eventbridge';
import { CreateBucketCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { CreateSecretCommand } from '@aws-sdk/client-secrets-manager';
import { CreateQueueCommand } from '@aws-sdk/client-sqs';
import { commandsOf, emulator, type ShellCommand } from '../../docs/shell-commands.ts';
import { endsAsShown, typeCommand } from '../../docs/type-command.ts';
import { virtualEnvironment } from '../../python/virtual-environment.ts';
import type { Deployment } from '../deployment.ts';
import { requirements } from '../emulator.ts';
import { startGuard } from '../guard.ts';
import { newSigningKey, putSigningKey } from '../relay-place.ts';
import { type RunningFunction, startFunction } from '../running-function.ts';
import { stackName } from '../stage.ts';
import type { ScenarioContext } from './scenario-context.ts';

const stageName = stackName.replace('panel-sandbox-', '');
/** The functions that the pages invoke. */
const invoked = ['poll-archived', 'sweep-archived', 'prove-archived', 'notify'] as const;

/** The commands of the pages for AWS, typed in their order as they are shown, with names of this stage. */
export async function checkGuides(context: ScenarioContext, deployment: Deployment): Promise<void> {
  const { aws, checks } = context;
  const { region, account } = deployment;
  const place = await prepare(context, deployment);
  const running: RunningFunction[] = [];
  for (const name of invoked) running.push(await startFunction(context, { deployment, name }));
  const guard = await startGuard({
    endpoint: aws.AWS_ENDPOINT_URL,
    rights: [
      { actions: ['lambda:InvokeFunction'], resources: [`arn:aws:lambda:${region}:${account}:function:*`] },
    ],
    region,
    account,
    functions: {
      ...Object.fromEntries(running.map(({ runtime }, index) => [`${stackName}-${invoked[index]}`, runtime])),
      're-analyse': { invoke: async () => ({ ok: true, result: null }) },
    },
  });
  const env = {
    ...aws,
    AWS_ENDPOINT_URL_LAMBDA: guard.endpoint,
    AWS_DEFAULT_REGION: region,
    PATH: [place.programs, process.env.PATH].join(delimiter),
    HOME: place.folder,
    NO_COLOR: '1',
  };
  try {
    // The reader's stage has read its catalogue.
    for (const { runtime } of running.slice(0, 3)) assert.equal((await runtime.invoke({})).ok, true);
    await relayOnce(context, deployment);
    for (const command of commandsOf(emulator)) {
      const { page, line, input = '{"made": "up"}' } = command;
      await checks.check(`${page}: ${line.split('\n')[0]}`, async () => {
        const ran = await typeCommand(place.filledIn(command), { cwd: place.folder, env, stdin: input });
        assert.ok(endsAsShown(ran), `${ran.code}: ${ran.output}`);
      });
    }
  } finally {
    await guard.stop();
    for (const each of running) await each.stop();
  }
}

/** The reader's relay was written. */
async function relayOnce(context: ScenarioContext, deployment: Deployment): Promise<void> {
  const key = readFileSync(join(context.folder, 'guides', 'key.pem'), 'utf8');
  await putSigningKey(context, { deployment, key });
  const relay = await startFunction(context, { deployment, name: 'relay' });
  try {
    const written = await relay.runtime.invoke({});
    assert.equal(written.ok, true, JSON.stringify(written));
  } finally {
    await relay.stop();
  }
}

interface Place {
  readonly folder: string;
  /** The folder of `aws` and `npx`. */
  readonly programs: string;
  filledIn(command: ShellCommand): string;
}

/** Makes what a reader has beside the stage, and the folder in which they type. */
async function prepare(
  { aws, clients, folder: settingsFolder, say }: ScenarioContext,
  { account, outputs, region }: Deployment,
): Promise<Place> {
  const folder = join(settingsFolder, 'guides');
  const programs = join(folder, 'bin');
  mkdirSync(programs, { recursive: true });
  symlinkSync(resolve('docs'), join(folder, 'docs'), 'dir');
  const settings = readFileSync(join(settingsFolder, 'settings.json'), 'utf8');
  writeFileSync(join(folder, 'notifier.config.ts'), `export const settings = ${settings};\n`);
  writeProgram(join(programs, 'npx'), [
    'name=$1',
    'shift',
    `[ "$name" = cdk ] && cd ${resolve('.')} && exec node_modules/.bin/cdk "$@" --context config=${join(settingsFolder, 'settings.json')}`,
    `exec "${process.execPath}" "${resolve('bin/gene-panel-notifier.js')}" "$@"`,
  ]);
  const environment = virtualEnvironment('moto', { requirements, say });
  writeProgram(join(programs, 'aws'), [
    '# Version 1 asks a queue at the address of AWS, whatever AWS_ENDPOINT_URL says.',
    `[ "$1" = sqs ] && set -- "$@" --endpoint-url ${aws.AWS_ENDPOINT_URL}`,
    `exec ${join(environment, 'bin', 'aws')} "$@"`,
  ]);

  const { key, publicKey } = newSigningKey();
  writeFileSync(join(folder, 'key.pem'), key);
  writeFileSync(join(folder, 'public-key.pem'), publicKey);
  const table = 'left-over';
  await clients.dynamodb.send(
    new CreateTableCommand({
      TableName: table,
      AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
      BillingMode: 'PAY_PER_REQUEST',
      DeletionProtectionEnabled: true,
    }),
  );
  const bucket = 'of-the-guides';
  await clients.s3.send(
    new CreateBucketCommand({
      Bucket: bucket,
      CreateBucketConfiguration: { LocationConstraint: 'eu-west-2' },
    }),
  );
  for (const Key of ['events/dt=2026-11-07/part.ndjson', 'day=2026-11-07/event.json'])
    await clients.s3.send(
      new PutObjectCommand({ Bucket: bucket, Key, Body: readFileSync('docs/examples/classified.json') }),
    );
  const { ARN: secret = '' } = await clients.secrets.send(
    new CreateSecretCommand({ Name: 'of-the-guides', SecretString: '{}' }),
  );
  const { QueueUrl: queue = '' } = await clients.sqs.send(new CreateQueueCommand({ QueueName: 'my-queue' }));
  await clients.sqs.send(new CreateQueueCommand({ QueueName: 'our-pipeline' }));
  const { EventBusArn: bus = '' } = await clients.eventBridge.send(
    new CreateEventBusCommand({ Name: 'of-the-guides' }),
  );

  const named: Readonly<Record<string, string>> = {
    ...outputs,
    table: outputs.TableName ?? '',
    name: table,
    bucket,
    ExportBucket: bucket,
    stack: stackName,
    TopicArn: outputs.TopicClassifications ?? '',
    token: 'token-of-the-mail',
    Token: 'token-of-the-message',
    'address of the queue': queue,
    'ARN of the queue': `arn:aws:sqs:${region}:${account}:my-queue`,
    'ARN of the bus': bus,
    'ARN of your bus': `arn:aws:events:${region}:${account}:event-bus/default`,
    'ARN of your role': `arn:aws:iam::${account}:role/put-events`,
    'the prove function': `${stackName}-prove-archived`,
    'the sweep function': `${stackName}-sweep-archived`,
  };
  const filledIn = ({ line }: ShellCommand): string =>
    line
      // Of version 2 of the AWS CLI; version 1, which PyPI has, takes JSON as it is.
      .replace('--cli-binary-format raw-in-base64-out ', '')
      .replaceAll('gene-panel-notifier-production', stackName)
      .replaceAll('--stage production', `--stage ${stageName}`)
      .replaceAll(/-uk\b/g, '-archived')
      // This stage has several catalogues.
      .replace('gene-panel-notifier verify ', 'gene-panel-notifier verify --name archived ')
      .replaceAll("sed 's/<account>/", "sed 's/{account}/")
      .replaceAll(/<([^>]+)>/g, (text, name: string) =>
        name === 'ARN'
          ? line.includes(' sns ')
            ? (outputs.TopicClassifications ?? '')
            : secret
          : (named[name] ?? text),
      )
      .replaceAll('{account}', '<account>');
  return { folder, programs, filledIn };
}

function writeProgram(file: string, lines: readonly string[]): void {
  writeFileSync(file, ['#!/bin/sh', ...lines, ''].join('\n'));
  chmodSync(file, 0o755);
}
