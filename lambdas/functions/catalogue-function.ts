import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { type Catalogue, createCatalogue } from '../catalogue/client.ts';

// Every run of these functions sends requests: they load it as they start, when Lambda gives them more of a processor.
import '../catalogue/http/pool.ts';
import { accessOf } from '../catalogue/identity/access-of.ts';
import { type Archive, createArchive } from '../panels/archive.ts';
import { createDynamoAnswers, createDynamoPanelStates } from '../panels/dynamodb-panel-states.ts';
import type { PanelStateStore } from '../panels/panel-state-store.ts';
import { createRatingsBefore, type RatingsBefore } from '../panels/ratings-before.ts';
import type { Publisher } from '../publishing/message.ts';
import { createPublisher, createSnsClient } from '../publishing/publisher.ts';
import { systemClock as clock } from '../run/clock.ts';
import { type Metrics, metrics } from '../run/emf.ts';
import { jsonLog, type Log } from '../run/log.ts';
import type { StateTableOptions } from '../store/dynamodb-table.ts';
import { createDynamoHistory } from '../store/history/dynamodb.ts';
import type { History } from '../store/history/history.ts';
import { createDynamoDocuments } from '../store/items-dynamodb.ts';
import type { CatalogueSettings } from './settings.ts';

/** The part of Lambda's context that a run needs. */
export interface RunContext {
  readonly awsRequestId?: string;
  getRemainingTimeInMillis(): number;
}

/** One run of a function that reads a catalogue. */
interface CatalogueRun {
  /** The options that polls, sweeps and proofs share. */
  readonly parts: {
    readonly name: string;
    readonly catalogue: Catalogue;
    readonly publisher: Publisher;
    readonly history: History;
    readonly states: PanelStateStore;
    /** Asks the catalogue for what a panel held. */
    readonly archive: Archive;
    readonly ratingsBefore: RatingsBefore;
    readonly clock: typeof clock;
    readonly log: Log;
    readonly deadline: number;
  };
  /** Where the state of this catalogue is kept. */
  readonly state: StateTableOptions;
  readonly metrics: Metrics;
  remaining(): number;
  tokenRequests(): number;
  /**
   * Waits for the run, measures it, closes its connections and logs what it did. Returns the report.
   * @throws {Error} the error that the run failed with
   */
  conclude<Report extends { readonly outcome: string }>(
    run: Promise<Report>,
    to: {
      /** Takes the report, or the error that the run failed with. */
      readonly measure: (outcome: Report | Error) => void | Promise<void>;
      readonly done: string;
      readonly failed: string;
    },
  ): Promise<Report>;
}

/** The time that is kept at the end of a run to finish the chunk in flight, in milliseconds. */
const MARGIN_MS = 20_000;

/** The time that is kept at the end of a run for what is done with the last state of a panel, in milliseconds. */
const STATES_MARGIN_MS = 120_000;

/** The time between the last call to SNS and the end of the run, in milliseconds. */
const PUBLISHING_MARGIN_MS = 2_000;

/** Wires a function that reads one catalogue: its runs share clients, connections and the token. */
export function catalogueFunction(settings: CatalogueSettings): (context: RunContext) => CatalogueRun {
  const write = (line: string): void => void process.stdout.write(`${line}\n`);
  const log = jsonLog(write, clock.now);
  const dynamodb = new DynamoDBClient({});
  const sns = createSnsClient();
  const access = accessOf(settings, { clock, log });
  const name = settings.CATALOGUE_NAME;

  return (context) => {
    const end = clock.now() + context.getRemainingTimeInMillis();
    const deadline = end - MARGIN_MS;
    const tokensBefore = access.tokenRequests();
    const catalogue = createCatalogue({
      baseUrl: settings.CATALOGUE_URL,
      original: settings.CATALOGUE_ORIGINAL,
      access,
      clock,
      log,
      deadline,
    });
    const state = {
      dynamodb,
      table: settings.TABLE_NAME,
      catalogue: name,
      runId: context.awsRequestId ?? randomUUID(),
      clock,
    };
    const keepDays = settings.PANEL_STATES.keepDays ?? settings.HISTORY_DAYS;
    const states = createDynamoPanelStates({
      dynamodb,
      table: settings.HISTORY_TABLE_NAME,
      catalogue: name,
      clock,
      ...(keepDays !== undefined && { retentionDays: keepDays }),
    });
    const archive = createArchive({
      catalogue,
      answers: createDynamoAnswers({
        dynamodb,
        table: settings.HISTORY_TABLE_NAME,
        catalogue: name,
        clock,
      }),
      documents: createDynamoDocuments(state),
      clock,
      log,
      pace: settings.PANEL_STATES,
      deadline: end - STATES_MARGIN_MS,
    });
    return {
      parts: {
        name,
        catalogue,
        publisher: createPublisher({
          sns,
          topicArns: settings.TOPIC_ARNS,
          clock,
          log,
          deadline: end - PUBLISHING_MARGIN_MS,
        }),
        history: createDynamoHistory({
          dynamodb,
          table: settings.HISTORY_TABLE_NAME,
          clock,
          ...(settings.HISTORY_DAYS !== undefined && { retentionDays: settings.HISTORY_DAYS }),
        }),
        states,
        archive,
        ratingsBefore: createRatingsBefore({ states, archive, log, nextRunGoesOn: true }),
        clock,
        log,
        deadline,
      },
      state,
      metrics: metrics(write, clock.now, { namespace: settings.METRICS_NAMESPACE, catalogue: name }),
      remaining: () => end - clock.now(),
      tokenRequests: () => access.tokenRequests() - tokensBefore,
      async conclude(run, { measure, done, failed }) {
        const outcome = await run.catch((error: unknown) =>
          error instanceof Error ? error : new Error(String(error)),
        );
        await measure(outcome);
        await catalogue.close();
        if (outcome instanceof Error) {
          log.error(failed, { error: outcome });
          throw outcome;
        }
        log.info(done, { ...outcome });
        return outcome;
      },
    };
  };
}
