import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { createCatalogue } from '../catalogue/client.ts';
import { systemClock as clock } from '../clock/clock.ts';
import { readEnvironment } from '../environment/read-environment.ts';
import { createDynamoHistory } from '../history/dynamodb.ts';
import { accessOf } from '../identity/access-of.ts';
import { jsonLog } from '../log/log.ts';
import { metrics } from '../metrics/emf.ts';
import { poll } from '../poll/poll.ts';
import { createPublisher } from '../publishing/publisher.ts';
import { createSnsClient } from '../publishing/sns-client.ts';
import { createDocuments } from '../state/documents-dynamodb.ts';
import { createStateStore } from '../state/dynamodb.ts';
import { measureSweep } from './measure-sweep.ts';
import { sweepSettings } from './settings.ts';
import { sweep } from './sweep.ts';
import { readingOf, searchPagesOfSweep } from './sweep-options.ts';
import type { SweepReport } from './sweep-report.ts';

/** The part of Lambda's context that a run needs. */
interface RunContext {
  readonly awsRequestId?: string;
  getRemainingTimeInMillis(): number;
}

/** Before the function's end, so much time is kept to finish the chunk in flight. */
const MARGIN_MS = 20_000;

const write = (line: string): void => void process.stdout.write(`${line}\n`);
const settings = readEnvironment(sweepSettings, process.env);
const log = jsonLog(write, clock.now);
const dynamodb = new DynamoDBClient({});
const sns = createSnsClient();
const access = accessOf(settings, { clock, log });

/** One sweep of the catalogue that the environment names, started by the schedule. */
export async function handler(_event: unknown, context: RunContext): Promise<SweepReport> {
  const end = clock.now() + context.getRemainingTimeInMillis();
  const deadline = end - MARGIN_MS;
  const { CATALOGUE_NAME: name, TABLE_NAME: table } = settings;
  const state = { dynamodb, table, catalogue: name, runId: context.awsRequestId ?? randomUUID() };
  const shared = {
    name,
    catalogue: createCatalogue({ baseUrl: settings.CATALOGUE_URL, access, clock, log, deadline }),
    publisher: createPublisher({ sns, topicArns: settings.TOPIC_ARNS, clock, log, deadline: end - 2_000 }),
    history: createDynamoHistory({
      dynamodb,
      table: settings.HISTORY_TABLE_NAME,
      clock,
      ...(settings.HISTORY_DAYS !== undefined && { retentionDays: settings.HISTORY_DAYS }),
    }),
    clock,
    log,
    deadline,
  };
  const store = createStateStore({ ...state, clock });
  const outcome = await sweep({
    ...shared,
    documents: createDocuments(state),
    facts: store,
    shrunkenPercent: settings.SHRUNKEN_PERCENT,
    readLog: async (searchRequest) =>
      readingOf(
        await poll({
          ...shared,
          store,
          overlap: settings.OVERLAP_MINUTES,
          ...(searchRequest && { searchRequest, searchPages: searchPagesOfSweep }),
        }),
      ),
  }).catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))));
  measureSweep(
    metrics(write, clock.now, { namespace: settings.METRICS_NAMESPACE, catalogue: name }),
    outcome,
    shared.catalogue.traffic,
  );
  await shared.catalogue.close();
  if (outcome instanceof Error) {
    log.error('The sweep failed; what it did not publish is found again by the next one', { error: outcome });
    throw outcome;
  }
  log.info('Swept', { ...outcome });
  return outcome;
}
