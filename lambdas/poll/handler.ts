import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { createCatalogue } from '../catalogue/client.ts';
import { systemClock as clock } from '../clock/clock.ts';
import { readEnvironment } from '../environment/read-environment.ts';
import { createDynamoHistory } from '../history/dynamodb.ts';
import { accessOf } from '../identity/access-of.ts';
import { jsonLog } from '../log/log.ts';
import { metrics } from '../metrics/emf.ts';
import { createPublisher } from '../publishing/publisher.ts';
import { createSnsClient } from '../publishing/sns-client.ts';
import { createStateStore } from '../state/dynamodb.ts';
import { measure } from './measure.ts';
import { poll } from './poll.ts';
import type { PollReport } from './report.ts';
import { pollSettings } from './settings.ts';

/** The part of Lambda's context that a run needs. */
interface RunContext {
  readonly awsRequestId?: string;
  getRemainingTimeInMillis(): number;
}

/** Before the function's end, so much time is kept to finish the chunk in flight. */
const MARGIN_MS = 20_000;

const write = (line: string): void => void process.stdout.write(`${line}\n`);
const settings = readEnvironment(pollSettings, process.env);
const log = jsonLog(write, clock.now);
const dynamodb = new DynamoDBClient({});
const sns = createSnsClient();
const access = accessOf(settings, { clock, log });

/** One poll of the catalogue that the environment names, started by the schedule. */
export async function handler(_event: unknown, context: RunContext): Promise<PollReport> {
  const end = clock.now() + context.getRemainingTimeInMillis();
  const deadline = end - MARGIN_MS;
  const name = settings.CATALOGUE_NAME;
  const catalogue = createCatalogue({ baseUrl: settings.CATALOGUE_URL, access, clock, log, deadline });
  const tokensBefore = access.tokenRequests();
  const outcome = await poll({
    name,
    catalogue,
    store: createStateStore({
      dynamodb,
      table: settings.TABLE_NAME,
      catalogue: name,
      runId: context.awsRequestId ?? randomUUID(),
      clock,
    }),
    publisher: createPublisher({ sns, topicArns: settings.TOPIC_ARNS, clock, log, deadline: end - 2_000 }),
    history: createDynamoHistory({
      dynamodb,
      table: settings.HISTORY_TABLE_NAME,
      clock,
      ...(settings.HISTORY_DAYS !== undefined && { retentionDays: settings.HISTORY_DAYS }),
    }),
    clock,
    log,
    overlap: settings.OVERLAP_MINUTES,
    ...(settings.START_FROM !== undefined && { from: settings.START_FROM }),
    deadline,
  }).catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))));
  measure(metrics(write, clock.now, { namespace: settings.METRICS_NAMESPACE, catalogue: name }), outcome, {
    tokenRequests: access.tokenRequests() - tokensBefore,
    traffic: catalogue.traffic,
    remaining: end - clock.now(),
    credentialDays: daysUntil(settings.CREDENTIAL_EXPIRES),
  });
  await catalogue.close();
  if (outcome instanceof Error) {
    log.error('The poll failed; the mark is behind everything that was published', { error: outcome });
    throw outcome;
  }
  log.info('Polled', { ...outcome });
  return outcome;
}

function daysUntil(date: string | undefined): number | null {
  const days = date === undefined ? Number.NaN : (Date.parse(date) - clock.now()) / 86_400_000;
  return Number.isNaN(days) ? null : days;
}
