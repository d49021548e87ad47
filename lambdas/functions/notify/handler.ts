import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { secretsManagerSecret } from '../../catalogue/identity/secrets-manager.ts';
import { channelSecrets } from '../../channels/channel-secrets.ts';
import { openSenders } from '../../notify/deliver.ts';
import { checkNames, deployedPlace } from '../../notify/filter-names.ts';
import { answerMessages, messagesRequestIn, openKeptMessages } from '../../notify/kept-messages.ts';
import { goneMailAddresses, mailAddressState, publishToTopics } from '../../notify/mail-addresses.ts';
import {
  type Batch,
  type BatchResult,
  createNotifier,
  type Notifier,
  takeBatch,
} from '../../notify/notifier.ts';
import { readNotifyPlan } from '../../notify/subscription.ts';
import { sendTrials } from '../../notify/trial.ts';
import { createDynamoPanelStates } from '../../panels/dynamodb-panel-states.ts';
import type { PanelStateStore } from '../../panels/panel-state-store.ts';
import { createSnsClient } from '../../publishing/publisher.ts';
import { systemClock as clock } from '../../run/clock.ts';
import { metrics } from '../../run/emf.ts';
import { jsonLog } from '../../run/log.ts';
import { createDynamoHistory } from '../../store/history/dynamodb.ts';
import { createDynamoDocuments, createDynamoItems } from '../../store/items-dynamodb.ts';
import type { RunContext } from '../catalogue-function.ts';
import { notifySettings, readEnvironment } from '../settings.ts';

const settings = readEnvironment(notifySettings, process.env);
const plan = readNotifyPlan(readFileSync(settings.PLAN_FILE, 'utf8'), settings.PLAN_FILE);
const write = (line: string): void => void process.stdout.write(`${line}\n`);
const log = jsonLog(write, clock.now);
const dynamodb = new DynamoDBClient({});
const store = createDynamoItems({
  dynamodb,
  table: settings.TABLE_NAME,
  what: 'the messages',
  clock,
});
const history = createDynamoHistory({ dynamodb, table: settings.HISTORY_TABLE_NAME, clock });
const sns = createSnsClient();
const states = new Map<string, PanelStateStore>();
/** The states lie in the table of the history. */
const statesOf = (catalogue: string): PanelStateStore => {
  const known = states.get(catalogue);
  if (known) return known;
  const opened = createDynamoPanelStates({ dynamodb, table: settings.HISTORY_TABLE_NAME, catalogue, clock });
  states.set(catalogue, opened);
  return opened;
};
const senders = openSenders({
  secrets: channelSecrets(secretsManagerSecret({ secretId: settings.SECRET_ID ?? 'none' })),
  clock,
  log,
  publish: publishToTopics({ sns, prefix: settings.TOPIC_PREFIX }),
  relay: plan.mailRelay ?? null,
  writeFeed: settings.FEED_BUCKET === undefined ? null : writeFeed,
});

/**
 * Takes in a batch of the queue; sends what is due, on the schedule's event; sends trial messages, for `doctor`; looks the names
 * of filters up where that is due; or shows and changes what is kept, for `messages`.
 */
export async function handler(event: Batch | object, context: RunContext): Promise<BatchResult | object> {
  if ('send' in event && event.send === 'trial')
    return {
      trials: await sendTrials({ plan, senders, clock, store, newId: randomUUID }),
      alarmEmail:
        settings.ALARM_EMAIL === undefined
          ? null
          : await mailAddressState(settings.ALARM_EMAIL, { sns, topicArn: `${settings.TOPIC_PREFIX}alarms` }),
      orphaned: (await openKeptMessages(plan, { store, now: clock.now, log }).list()).filter(
        ({ orphaned }) => orphaned,
      ),
    };
  if ('send' in event && event.send === 'names') return { lookedUp: await lookNamesUp() };
  const notifier = createNotifier({
    plan,
    store,
    place: settings.TABLE_NAME,
    senders,
    history,
    names: history.names,
    statesOf,
    documentsOf: (catalogue) =>
      createDynamoDocuments({ dynamodb, table: settings.TABLE_NAME, catalogue, runId: 'reads-only', clock }),
    clock,
    log,
    runId: context.awsRequestId ?? randomUUID(),
    keepDeadLetter: async (letter) => sendToDeadLetters(JSON.stringify(letter)),
  });
  const request = messagesRequestIn(event);
  if (request) return answerMessages(request, notifier.kept);
  if ('Records' in event) {
    const result = await takeBatch(event, { notifier, plan, log });
    await measureWaiting(notifier);
    return result;
  }
  const report = await notifier.run({ deadline: clock.now() + context.getRemainingTimeInMillis() });
  const { sent, failed, setAside, unsent } = report;
  if (sent + failed + setAside + unsent > 0) log.info('Sent what was due', { ...report });
  await measureWaiting(notifier);
  if (isMinute(MINUTE_OF_ADDRESSES)) {
    const measured = metricsOfRun();
    measured.count('MailAddressesGone', await countGoneAddresses());
    measured.flush();
  }
  if (isMinute(MINUTE_OF_NAMES)) await lookNamesUp();
  return report;
}

const metricsOfRun = () => metrics(write, clock.now, { namespace: settings.METRICS_NAMESPACE });

/**
 * Also after events were taken in: a schedule that no longer starts the runs that send is noticed while events arrive. Where
 * nothing waits, nothing is written, because CloudWatch charges a metric by the hour.
 */
async function measureWaiting(notifier: Notifier): Promise<void> {
  const seconds = await notifier.oldestUnsentSeconds();
  if (seconds === 0) return;
  const measured = metricsOfRun();
  measured.gauge('OldestUnsentSeconds', seconds);
  measured.flush();
}

/** Runs start each minute; one of them in an hour counts the addresses, and another one asks whether names are to be looked up. */
const isMinute = (minute: number): boolean => new Date(clock.now()).getUTCMinutes() === minute;
const MINUTE_OF_ADDRESSES = 7;
const MINUTE_OF_NAMES = 37;

/** A look-up that failed must not stop the messages: the log shows it, and the next one is in an hour. */
async function lookNamesUp(): Promise<boolean> {
  const place = deployedPlace({ dynamodb, table: settings.TABLE_NAME, plan, history, statesOf, clock });
  try {
    return await checkNames({ plan, place, senders, clock, store, newId: randomUUID, log });
  } catch (error) {
    log.error(
      'The names in the filters of subscriptions could not be looked up; the next look-up tries again',
      {
        error,
      },
    );
    return false;
  }
}

/** A failed count must not stop the messages: the log shows it. */
async function countGoneAddresses(): Promise<number> {
  const { TOPIC_PREFIX: prefix, ALARM_EMAIL: alarmEmail } = settings;
  try {
    return await goneMailAddresses(plan, { sns, prefix, alarmEmail, log });
  } catch (error) {
    log.error('Whether the mail addresses are subscribed could not be read', { error });
    return 0;
  }
}

// Loaded at need: most runs set nothing aside, and write no feed.
async function sendToDeadLetters(MessageBody: string): Promise<void> {
  const { SendMessageCommand, SQSClient } = await import('@aws-sdk/client-sqs');
  await new SQSClient({}).send(new SendMessageCommand({ QueueUrl: settings.DEAD_LETTER_QUEUE, MessageBody }));
}

async function writeFeed(name: string, xml: string): Promise<void> {
  const { PutObjectCommand, S3Client } = await import('@aws-sdk/client-s3');
  const ContentType = 'application/atom+xml; charset=utf-8';
  await new S3Client({ forcePathStyle: true }).send(
    new PutObjectCommand({ Bucket: settings.FEED_BUCKET, Key: name, Body: xml, ContentType }),
  );
}
