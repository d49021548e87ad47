import assert from 'node:assert/strict';
import { GetObjectCommand } from '@aws-sdk/client-s3';
import { PublishCommand } from '@aws-sdk/client-sns';
import {
  DeleteMessageCommand,
  GetQueueUrlCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
} from '@aws-sdk/client-sqs';
import { Webhook } from 'standardwebhooks';
import type { PanelEvent } from '../../../lambdas/events/schemas.ts';
import { chatTopic, mailTopic } from '../../../lambdas/notify/subscription.ts';
import { fillChannelSecret, webhookKey as key } from '../channel-secret.ts';
import type { Deployment } from '../deployment.ts';
import { subscribeInbox, subscribeReader } from '../inbox.ts';
import { addresses, atOnce, rCode, testedGenes, untestedGene } from '../message-settings.ts';
import { type BatchRecord, deliverBatches } from '../queue-batches.ts';
import { classified } from '../rows.ts';
import { type RunningFunction, startFunction } from '../running-function.ts';
import { stackName } from '../stage.ts';
import type { ScenarioContext } from './scenario-context.ts';

type Classified = PanelEvent<'entity.classified'>;

const hour = 60 * 60 * 1000;
/** After a day of attempts a message is set aside. The digest of the day is due by then too. */
const nextDay = 25 * hour;

/** The saved log is replayed, and every channel gets what its subscription asks for. */
export async function checkMessages(context: ScenarioContext, deployment: Deployment): Promise<void> {
  const { checks, clients, receivers } = context;
  await fillChannelSecret(context, deployment);
  const topicArn = (name: string): string =>
    (deployment.outputs.TopicClassifications ?? '').replace(/[^:]*$/, `${stackName}-${name}`);
  const mails = await subscribeReader(clients, { name: 'mails', topicArn: topicArn(mailTopic(atOnce)) });
  const chat = await subscribeReader(clients, { name: 'chat', topicArn: topicArn(chatTopic(atOnce)) });
  const events = await publishedRatings(context, deployment);
  const wanted = events.filter(isWanted);

  const notify = await startFunction(context, { deployment, name: 'notify' });
  const queueUrl = await urlOf(context, `${stackName}-notify`);
  const { runtime } = notify;
  const send = async (aheadMs = 0): Promise<void> => {
    const outcome = await runtime.invoke({ send: 'due' }, { aheadMs });
    assert.equal(outcome.ok, true, JSON.stringify(outcome));
  };
  /** What every channel for people got since the last call, as text. */
  const arrived = async (): Promise<Readonly<Record<string, readonly string[]>>> => ({
    'SNS mail': (await mails()).map(({ subject, message }) => `${subject}\n${message}`),
    SMTP: (await receivers.takeMails(addresses.atOnce)).map(({ subject, text }) => `${subject}\n${text}`),
    Slack: receivers.takePosted('lab-slack').map(({ body }) => body),
    Teams: receivers.takePosted('lab-teams').map(({ body }) => body),
    'Amazon Q': (await chat()).map(({ message }) => message),
  });

  try {
    receivers.answerWith('pipeline', 503);
    const batch = await deliverBatches(clients.sqs, { queueUrl, runtime });
    await send();
    await checks.check(
      'each channel gets a message for each panel with a gene that is now green',
      async () => {
        const expected = genesByPanel(settled(wanted, events));
        assert.deepEqual(expected, [['MYBPC3'], ['TTN']]);
        for (const [channel, texts] of Object.entries(await arrived())) {
          const messages = texts.map(withoutReason);
          assert.deepEqual(messages.map((text) => genesIn(text)).sort(byFirst), expected, channel);
          for (const message of messages) assert.ok(message.includes(rCode), `${channel}: ${message}`);
        }
      },
    );
    await checks.check('the feed of the subscription holds the same', async () => {
      const Bucket = deployment.outputs.FeedBucket;
      const feed = await clients.s3.send(new GetObjectCommand({ Bucket, Key: `${atOnce}.xml` }));
      const entries = (await feed.Body?.transformToString())?.split('<entry>').slice(1) ?? [];
      assert.deepEqual(entries.map((text) => genesIn(withoutReason(text))).sort(byFirst), [
        ['MYBPC3'],
        ['TTN'],
      ]);
    });

    await again(runtime, batch);
    await send();
    await checks.check(
      'nothing arrives twice when the queue delivers again and the function runs again',
      async () => {
        assert.deepEqual(Object.values(await arrived()).flat(), []);
      },
    );

    await send(nextDay);
    await checks.check('the digest of the day shows what the day changed in the end', async () => {
      const [digest, ...others] = await receivers.takeMails(addresses.daily);
      assert.deepEqual(others, []);
      const { nowGreen, noLongerGreen } = netOf(events.filter(isOnPanel));
      assert.deepEqual([nowGreen, noLongerGreen], [['MYBPC3', untestedGene, 'TTN'], []]);
      assert.match(
        digest?.subject ?? '',
        /: 1 now green, 2 rated green \(perhaps before\), 1 may no longer…$/,
      );
      assert.deepEqual(
        nowGreen.filter((gene) => !(digest?.text ?? '').includes(gene)),
        [],
        digest?.text,
      );
    });
    await checks.check('a webhook that fails for a day is left in the queue of unsent messages', async () => {
      assert.deepEqual(receivers.takePosted('pipeline'), []);
      const letters = await redrive(context, queueUrl);
      assert.equal(letters.length, wanted.length);
      for (const letter of letters) {
        assert.equal(JSON.parse(letter).deadLetter.channel, 'webhook:pipeline');
        assert.doesNotMatch(letter, /127\.0\.0\.1|whsec/);
      }
    });

    receivers.answerWith('pipeline', 200);
    await deliverBatches(clients.sqs, { queueUrl, runtime, aheadMs: nextDay });
    await send(nextDay);
    await checks.check('moved back to the queue, its events arrive, signed', () => {
      const posted = receivers.takePosted('pipeline');
      assert.deepEqual(
        posted.map(({ body }) => JSON.parse(body).id).sort(),
        wanted.map(({ id }) => id).sort(),
      );
      for (const { headers, body } of posted) {
        const at = new Date(Number(headers['webhook-timestamp']) * 1000);
        const signature = new Webhook(key).sign(String(headers['webhook-id']), at, body);
        assert.equal(headers['webhook-signature'], signature);
      }
    });

    await again(runtime, batch);
    await send(nextDay);
    await send(nextDay + hour);
    await checks.check('and nothing arrives twice after that', async () => {
      const digests = await receivers.takeMails(addresses.daily);
      const left = [
        ...Object.values(await arrived()).flat(),
        ...digests,
        ...receivers.takePosted('pipeline'),
      ];
      assert.deepEqual(left, []);
    });
    await checkDeaths(context, { deployment, send, arrived });
    await checkAlarms(context, { deployment, send, runtime });
    await checks.check('a trial reaches every channel, and is marked as one', async () => {
      const outcome = await runtime.invoke({ send: 'trial' });
      assert.equal(outcome.ok, true, JSON.stringify(outcome));
      const all = {
        ...(await arrived()),
        operations: receivers.takePosted('it-slack').map(({ body }) => body),
      };
      for (const [channel, texts] of Object.entries(all)) {
        assert.equal(texts.length, 1, channel);
        assert.match(texts[0] ?? '', /Trial message for [\w-]+: no gene changed/, channel);
      }
      assert.match(receivers.takePosted('pipeline')[0]?.body ?? '', /gene-panel-notifier\.trial\.v1/);
    });
    await checks.check('the function’s log shows no address of a webhook and no key', () => {
      assert.doesNotMatch(runtime.log.join('\n'), /lab-(slack|teams)\?|whsec_|127\.0\.0\.1:\d+\/(lab|pipe)/);
    });
    await checks.check('all by the rights of the function’s own role', () => {
      assert.deepEqual(notify.guard.refused, []);
    });
    await checks.check('of which it uses all but those of Lambda, and of the daily look-up of names', () => {
      assert.deepEqual(idle(notify), [
        'dynamodb:BatchGetItem',
        'sqs:DeleteMessage',
        'sqs:GetQueueAttributes',
        'sqs:ReceiveMessage',
      ]);
    });
  } finally {
    await notify.stop();
  }
}

interface Sending {
  readonly deployment: Deployment;
  /** Runs the function so many milliseconds ahead of the machine's clock. */
  readonly send: (aheadMs: number) => Promise<void>;
  readonly arrived: () => Promise<Readonly<Record<string, readonly string[]>>>;
}

/** Longer than a run that has died keeps others from its channel. */
const leaseOver = 11 * 60 * 1000;

/**
 * The function is killed after a message has left it and before it can note that: up to three times, each time at another
 * receiver. Its channels run side by side, so that a kill can hit any of them.
 */
async function checkDeaths(context: ScenarioContext, { deployment, send, arrived }: Sending): Promise<void> {
  const { checks, clients, receivers } = context;
  context.catalogues.saved.addRows([{ ...classified('2023-11-18T10:00:00Z', 'ACADVL', green), ...myopathy }]);
  await runOnce(context, deployment, 'poll-saved');
  let aheadMs = nextDay + 2 * hour;
  const queueUrl = await urlOf(context, `${stackName}-notify`);
  let kills = 0;
  for (const place of [addresses.atOnce, 'lab-slack', 'pipeline']) {
    const { runtime, stop } = await startFunction(context, { deployment, name: 'notify' });
    await deliverBatches(clients.sqs, { queueUrl, runtime, aheadMs });
    receivers.onceTaken(place, () => runtime.kill());
    const outcome = await runtime.invoke({ send: 'due' }, { aheadMs });
    if (!outcome.ok) kills += 1;
    await stop();
    aheadMs += leaseOver;
  }
  await send(aheadMs);
  const mails = await receivers.takeMails(addresses.atOnce);
  const events = receivers.takePosted('pipeline');
  const { SMTP: _mails, ...chats } = await arrived();
  await checks.check('killed between sending and noting, the function loses nothing', () => {
    assert.ok(kills > 0);
    for (const [channel, texts] of Object.entries(chats)) {
      assert.ok(texts.length > 0 && texts.length <= 1 + kills, channel);
      for (const text of texts) assert.match(text, /ACADVL/, channel);
    }
    for (const copies of [mails, events]) assert.ok(copies.length > 0 && copies.length <= 1 + kills);
    for (const text of [...mails.map((mail) => mail.text), ...events.map(({ body }) => body)])
      assert.match(text ?? '', /ACADVL/);
  });
  await checks.check('a second copy has the key of the first, or says that it is one', () => {
    assert.equal(new Set(mails.map(({ messageId }) => messageId)).size, 1);
    assert.equal(new Set(events.map(({ headers, body }) => `${headers['webhook-id']} ${body}`)).size, 1);
    // The first one may say so too: a run that is killed at another receiver may have begun it, and not sent it.
    const [, ...others] = chats.Slack ?? [];
    for (const other of others) assert.match(other, /Sent again/);
  });
  await send(aheadMs + leaseOver);
  await checks.check('and sends it no third time', async () => {
    const left = [...Object.values(await arrived()).flat(), ...receivers.takePosted('pipeline')];
    assert.deepEqual(left, []);
  });
}

/** Alarms of CloudWatch, published as it does: the emulator raises none of its own. */
async function checkAlarms(
  context: ScenarioContext,
  { deployment, send, runtime }: Omit<Sending, 'arrived'> & Pick<RunningFunction, 'runtime'>,
): Promise<void> {
  const { checks, clients, receivers } = context;
  const queueUrl = await urlOf(context, `${stackName}-notify`);
  const change = async (NewStateValue: 'ALARM' | 'OK', minute: number): Promise<readonly string[]> => {
    const message = {
      AlarmName: `${stackName}-saved-no-successful-poll`,
      AlarmDescription: 'What to do: "no-successful-poll" in docs/runbook.md',
      NewStateValue,
      NewStateReason: 'Threshold Crossed: 3 datapoints [1.0, 1.0, 1.0]',
      StateChangeTime: `2026-11-21T09:${minute}:00.000+0000`,
    };
    await clients.sns.send(
      new PublishCommand({ TopicArn: deployment.outputs.TopicAlarms, Message: JSON.stringify(message) }),
    );
    await deliverBatches(clients.sqs, { queueUrl, runtime });
    await send(0);
    return receivers.takePosted('it-slack').map(({ body }) => JSON.parse(body).text);
  };
  await checks.check(
    'an alarm reaches the channel of operations in words, and again when it is over',
    async () => {
      assert.deepEqual(await change('OK', 10), []);
      const [raised, ...others] = await change('ALARM', 11);
      assert.match(
        raised ?? '',
        /^No changes from catalogue saved since 09:11\b.*: the notifier cannot read it$/,
      );
      assert.deepEqual(others, []);
      assert.deepEqual(await change('OK', 12), ['Catalogue saved is being read again']);
      assert.deepEqual(await change('OK', 12), []);
    },
  );
}

/** Invokes a function that is not running otherwise. */
async function runOnce(context: ScenarioContext, deployment: Deployment, name: string): Promise<void> {
  const running = await startFunction(context, { deployment, name });
  try {
    const outcome = await running.runtime.invoke({});
    assert.equal(outcome.ok, true, JSON.stringify(outcome));
    assert.deepEqual(running.guard.refused, []);
  } finally {
    await running.stop();
  }
}

const green = 'Green List (high evidence)';
const myopathy = { panel_id: 16, panel_name: 'Congenital myopathy' };

/** Lists the panels, adds a day's ratings to the saved log, polls it, and gives every change of rating, oldest first. */
async function publishedRatings(
  context: ScenarioContext,
  deployment: Deployment,
): Promise<readonly Classified[]> {
  const inbox = await subscribeInbox(context.clients, {
    name: 'saved',
    topicArn: deployment.outputs.TopicClassifications ?? '',
    filter: { catalogue: ['saved'] },
  });
  const heart = { panel_id: 3, panel_name: 'Cardiomyopathies - including childhood onset' };
  context.catalogues.saved.addRows([
    { ...classified('2023-11-18T09:00:00Z', 'TTN', green), ...myopathy },
    { ...classified('2023-11-18T09:05:00Z', 'RP2', green), ...heart },
    { ...classified('2023-11-18T09:20:00Z', 'RP2', 'Red List (low evidence)'), ...heart },
    { ...classified('2023-11-18T09:25:00Z', untestedGene, green), ...heart },
    // Of a panel without the disorder.
    { ...classified('2023-11-18T09:30:00Z', 'BRCA1', green), panel_id: 12, panel_name: 'Hearing loss' },
  ]);
  for (const name of ['sweep-saved', 'poll-saved']) await runOnce(context, deployment, name);
  return (await inbox.empty())
    .map(({ event }) => event)
    .filter((event) => event.type === 'gene-panel.entity.classified.v1')
    .sort((one, other) => (one.time ?? '').localeCompare(other.time ?? ''));
}

const isOnPanel = ({ data: { panel } }: Classified): boolean =>
  panel?.relevantDisorders?.some((disorder) => disorder.startsWith(rCode)) ?? false;

/** What the subscription asks for, written out. */
const isWanted = (event: Classified): boolean =>
  isOnPanel(event) &&
  testedGenes.some((gene) => gene === event.data.entity?.name) &&
  event.data.change.to === 'green' &&
  event.data.change.direction !== 'unchanged';

/** Those whose gene was green in the end. */
const settled = (wanted: readonly Classified[], all: readonly Classified[]): readonly Classified[] =>
  wanted.filter(
    ({ subject, source }) =>
      all.findLast((event) => event.subject === subject && event.source === source)?.data.change.to ===
      'green',
  );

const byFirst = (one: readonly string[], other: readonly string[]): number =>
  (one[0] ?? '').localeCompare(other[0] ?? '');

const genesByPanel = (events: readonly Classified[]): readonly (readonly string[])[] =>
  [...Map.groupBy(events, ({ data }) => data.panel?.id).values()]
    .map((group) => group.map(({ data }) => data.entity?.name ?? '').sort())
    .sort(byFirst);

/** The last lines say which genes the subscription asks for. */
const withoutReason = (message: string): string => message.split('You receive this because')[0] ?? '';

/** The genes of the saved log that a text names. */
const genesIn = (text: string): readonly string[] =>
  [untestedGene, ...testedGenes].filter((gene) => new RegExp(`\\b${gene}\\b`).test(text)).sort();

/** By the first and the last rating of each gene on each panel. */
function netOf(events: readonly Classified[]) {
  const changes = [...Map.groupBy(events, ({ subject }) => subject).values()].map((chain) => ({
    gene: chain[0]?.data.entity?.name ?? '',
    from: chain[0]?.data.change.from,
    to: chain.at(-1)?.data.change.to,
  }));
  const names = (holds: (change: (typeof changes)[number]) => boolean): readonly string[] =>
    changes
      .filter(holds)
      .map(({ gene }) => gene)
      .sort();
  return {
    nowGreen: names(({ from, to }) => from !== 'green' && to === 'green'),
    noLongerGreen: names(({ from, to }) => from === 'green' && to !== 'green'),
  };
}

async function urlOf({ clients: { sqs } }: ScenarioContext, QueueName: string): Promise<string> {
  const { QueueUrl = '' } = await sqs.send(new GetQueueUrlCommand({ QueueName }));
  return QueueUrl;
}

/** The queue delivers messages again that the function has taken in already. */
async function again(runtime: RunningFunction['runtime'], Records: readonly BatchRecord[]): Promise<void> {
  for (let start = 0; start < Records.length; start += 10) {
    const outcome = await runtime.invoke({ Records: Records.slice(start, start + 10) });
    assert.deepEqual(outcome, { ok: true, result: { batchItemFailures: [] } });
  }
}

/** Moves the unsent messages back to the function's queue, as `start-message-move-task` does, and gives them. */
async function redrive(context: ScenarioContext, QueueUrl: string): Promise<readonly string[]> {
  const { sqs } = context.clients;
  const unsent = await urlOf(context, `${stackName}-unsent`);
  const moved: string[] = [];
  for (;;) {
    const { Messages = [] } = await sqs.send(
      new ReceiveMessageCommand({ QueueUrl: unsent, MaxNumberOfMessages: 10 }),
    );
    if (Messages.length === 0) return moved;
    for (const { Body = '', ReceiptHandle } of Messages) {
      await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: Body }));
      await sqs.send(new DeleteMessageCommand({ QueueUrl: unsent, ReceiptHandle }));
      moved.push(Body);
    }
  }
}

/** Granted and not used; key and log are the service's own. */
const idle = ({ rights, guard }: RunningFunction): readonly string[] =>
  rights
    .flatMap(({ actions }) => actions)
    .filter((action) => /^(dynamodb|sns|sqs|s3|secretsmanager):/.test(action) && !guard.used.has(action));
