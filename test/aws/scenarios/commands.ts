import assert from 'node:assert/strict';
import { join } from 'node:path';
import {
  CreateQueueCommand,
  GetQueueUrlCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
} from '@aws-sdk/client-sqs';
import { createDynamoPanelStates } from '../../../lambdas/panels/dynamodb-panel-states.ts';
import { systemClock as clock } from '../../../lambdas/run/clock.ts';
import { fillChannelSecret } from '../channel-secret.ts';
import { type Ended, runCommand } from '../command-line.ts';
import type { Deployment } from '../deployment.ts';
import { startGuard } from '../guard.ts';
import { deliverBatches } from '../queue-batches.ts';
import { readerRights } from '../reader-rights.ts';
import { classified } from '../rows.ts';
import { type RunningFunction, startFunction } from '../running-function.ts';
import { stackName } from '../stage.ts';
import type { ScenarioContext } from './scenario-context.ts';

/** A queue of somebody's own, to which dead letters are sent again. */
const target = 'our-pipeline';
const stageName = stackName.replace('panel-sandbox-', '');

/** Asks the deployed stage by a command, and wants it to end with 0. */
type Ask = (...parameters: readonly string[]) => Promise<string>;

/** What a person asks a deployed stage by the command line, with the rights that docs/permissions.md names and no others. */
export async function checkCommands(context: ScenarioContext, deployment: Deployment): Promise<void> {
  const { aws, checks, clients, folder } = context;
  await fillChannelSecret(context, deployment);
  for (const job of ['poll-archived', 'sweep-archived', 'prove-archived', 'sweep-saved', 'poll-saved'])
    await runOnce(context, deployment, job);

  const notify = await startFunction(context, { deployment, name: 'notify' });
  const { QueueUrl: ownQueue = '' } = await clients.sqs.send(new CreateQueueCommand({ QueueName: target }));
  const { region, account } = deployment;
  const guard = await startGuard({
    endpoint: aws.AWS_ENDPOINT_URL,
    rights: readerRights(deployment, { stack: stackName, others: [target] }),
    region,
    account,
    functions: { [`${stackName}-notify`]: notify.runtime },
  });
  const asked = (...parameters: readonly string[]): Promise<Ended> =>
    runCommand(
      [...parameters, '--stage', stageName, '--config', join(folder, 'settings.json')],
      { ...aws, AWS_ENDPOINT_URL: guard.endpoint },
      folder,
    );
  const ask: Ask = async (...parameters) => {
    const ended = await asked(...parameters);
    assert.equal(ended.exitCode, 0, `${parameters.join(' ')}: ${ended.stderr}${guard.refused.join('\n')}`);
    return ended.stdout;
  };

  try {
    await checkReading(context, { ask, asked, deployment });
    await checkKeptMessages(context, { ask, deployment, notify });
    await checkQueues(context, { ask, asked, ownQueue });
    await checkTrials(context, { asked });
    await checks.check('all by the rights that the page on permissions gives a person', () => {
      assert.deepEqual(guard.refused, []);
      assert.ok(guard.used.has('cloudformation:DescribeStacks'));
    });
  } finally {
    await guard.stop();
    await notify.stop();
  }
}

interface Asking {
  readonly ask: Ask;
  readonly asked: (...parameters: readonly string[]) => Promise<Ended>;
}

async function checkReading(
  { checks, clients }: ScenarioContext,
  { ask, asked, deployment }: Asking & { readonly deployment: Deployment },
): Promise<void> {
  const lines = (text: string): readonly Record<string, unknown>[] =>
    text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  await checks.check('history shows the published events of a gene', async () => {
    const found = lines(await ask('history', '--name', 'saved', '--gene', 'MYBPC3', '--format', 'ndjson'));
    assert.ok(found.length > 0);
    for (const { subject } of found) assert.match(String(subject), /MYBPC3$/);
  });
  await checks.check('report gives the net changes of a period', async () => {
    const report = await ask('report', '--name', 'saved', '--since', '2023-01-01', '--until', '2024-01-01');
    assert.match(report, /MYBPC3/);
  });
  await checks.check('mark shows how far each log was published', async () => {
    assert.match(await ask('mark'), /saved/);
  });
  const states = createDynamoPanelStates({
    dynamodb: clients.dynamodb,
    table: deployment.outputs.HistoryTable ?? '',
    catalogue: 'archived',
    clock,
  });
  const [summary] = await states.panels();
  const panel = summary?.panelId;
  await checks.check('state lists what a panel holds', async () => {
    const entities = lines(
      await ask('state', '--name', 'archived', '--panel', String(panel), '--format', 'ndjson'),
    );
    assert.ok(entities.length > 0);
  });
  await checks.check(
    'state of a panel that the catalogue does not have is an error, never an empty list',
    async () => {
      const { exitCode, stdout, stderr } = await asked('state', '--name', 'archived', '--panel', '999999');
      assert.ok(exitCode > 0);
      assert.equal(stdout, '');
      assert.match(stderr, /999999/);
    },
  );
  await checks.check('compare sets the newest and the signed-off versions side by side', async () => {
    const { exitCode, stdout, stderr } = await asked('compare', '--name', 'archived');
    assert.ok([0, 3, 4].includes(exitCode), stderr);
    assert.match(`${stdout}${stderr}`, /signed/);
  });
}

/** A message that fails is listed, and sent when a person says so. */
async function checkKeptMessages(
  context: ScenarioContext,
  {
    ask,
    deployment,
    notify,
  }: { readonly ask: Ask; readonly deployment: Deployment; readonly notify: RunningFunction },
): Promise<void> {
  const { catalogues, checks, clients, receivers } = context;
  const { runtime } = notify;
  const { QueueUrl: queueUrl = '' } = await clients.sqs.send(
    new GetQueueUrlCommand({ QueueName: `${stackName}-notify` }),
  );
  const send = async (): Promise<void> => {
    const outcome = await runtime.invoke({ send: 'due' });
    assert.equal(outcome.ok, true, JSON.stringify(outcome));
  };
  const list = async (): Promise<readonly Listed[]> =>
    (JSON.parse(await ask('messages', 'list', '--json')).messages as readonly Listed[]).filter(
      ({ channel }) => channel === 'webhook:pipeline',
    );
  receivers.answerWith('pipeline', 503);
  catalogues.saved.addRows([
    {
      ...classified('2023-11-18T11:00:00Z', 'CHEK2', 'Green List (high evidence)'),
      panel_id: 16,
      panel_name: 'Congenital myopathy',
    },
  ]);
  await runOnce(context, deployment, 'poll-saved');
  await deliverBatches(clients.sqs, { queueUrl, runtime });
  await send();
  const failing = await list();
  await checks.check('messages list shows what a channel refuses, with the last error', () => {
    assert.ok(failing.length > 0);
    for (const { state, reason } of failing) {
      assert.equal(state, 'failing');
      assert.match(reason ?? '', /503/);
    }
  });
  receivers.answerWith('pipeline', 200);
  await checks.check('messages send has one sent by the next run', async () => {
    const [first] = failing;
    await ask('messages', 'send', first?.id ?? '');
    await send();
    assert.equal(receivers.takePosted('pipeline').length >= 1, true);
    assert.ok((await list()).every(({ id }) => id !== first?.id));
  });
}

/** The deployed function sends a trial through each channel, and says how each answered. */
async function checkTrials(
  { checks, receivers }: ScenarioContext,
  { asked }: Pick<Asking, 'asked'>,
): Promise<void> {
  for (const place of ['lab-slack', 'lab-teams', 'pipeline', 'it-slack']) receivers.takePosted(place);
  const { stdout, stderr } = await asked('doctor');
  await checks.check('doctor has the function send a trial through each channel', () => {
    for (const channel of ['slack:lab-slack', 'teams:lab-teams', 'webhook:pipeline'])
      assert.match(stdout, new RegExp(`^ok .*${channel}`, 'm'), `${stdout}${stderr}`);
    for (const place of ['lab-slack', 'lab-teams', 'pipeline', 'it-slack'])
      assert.equal(receivers.takePosted(place).length, 1, place);
  });
  await checks.check('and says whether the address of the alarms is subscribed', () => {
    assert.match(stdout, /alarms\.email/);
  });
}

interface Listed {
  readonly id: string;
  readonly channel: string;
  readonly state: string;
  readonly reason: string | null;
}

/** Dead letters are looked at, sent to a queue and removed. */
async function checkQueues(
  { checks, clients: { sqs } }: ScenarioContext,
  { ask, asked, ownQueue }: Asking & { readonly ownQueue: string },
): Promise<void> {
  const put = async (name: string, MessageBody: string): Promise<void> => {
    const { QueueUrl } = await sqs.send(new GetQueueUrlCommand({ QueueName: `${stackName}-${name}` }));
    await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody }));
  };
  const depthOf = async (name: string): Promise<number> =>
    Number(new RegExp(`^${name} +(\\d+)`, 'm').exec(await ask('messages', 'queues'))?.[1]);
  for (const body of ['{"id":"one"}', '{"id":"two"}']) await put('undelivered', body);
  await put('missed-runs', '{}');
  await checks.check('queues states how many dead letters there are, and shows them', async () => {
    assert.equal(await depthOf('undelivered'), 2);
    assert.match(await ask('messages', 'queues', 'undelivered'), /"one".*"two"/s);
  });
  await checks.check('what was looked at is sent to another queue at once, and removed', async () => {
    await ask('messages', 'queues', 'undelivered', '--redeliver', '--to', `queue:${target}`);
    assert.equal(await depthOf('undelivered'), 0);
    const { Messages = [] } = await sqs.send(
      new ReceiveMessageCommand({ QueueUrl: ownQueue, MaxNumberOfMessages: 10 }),
    );
    assert.deepEqual(Messages.map(({ Body }) => Body).sort(), ['{"id":"one"}', '{"id":"two"}']);
  });
  await checks.check('a queue is emptied only where --yes says so', async () => {
    const depth = await depthOf('missed-runs');
    assert.ok(depth > 0);
    assert.equal((await asked('messages', 'queues', 'missed-runs', '--empty')).exitCode, 2);
    assert.equal(await depthOf('missed-runs'), depth);
    await ask('messages', 'queues', 'missed-runs', '--empty', '--yes');
    assert.equal(await depthOf('missed-runs'), 0);
  });
}

/** Invokes a function that is not running otherwise. */
async function runOnce(context: ScenarioContext, deployment: Deployment, name: string): Promise<void> {
  const running = await startFunction(context, { deployment, name });
  try {
    const outcome = await running.runtime.invoke({});
    assert.equal(outcome.ok, true, JSON.stringify(outcome));
  } finally {
    await running.stop();
  }
}
