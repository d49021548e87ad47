import { randomUUID } from 'node:crypto';
import { createCatalogue } from '../../lambdas/catalogue/client.ts';
import type { Instant } from '../../lambdas/clock/instant.ts';
import { topics } from '../../lambdas/events/topics.ts';
import type { Access } from '../../lambdas/http/access.ts';
import type { Log } from '../../lambdas/log/log.ts';
import { poll } from '../../lambdas/poll/poll.ts';
import type { PollReport } from '../../lambdas/poll/report.ts';
import type { Message } from '../../lambdas/publishing/message.ts';
import { createPublisher } from '../../lambdas/publishing/publisher.ts';
import { createSnsClient } from '../../lambdas/publishing/sns-client.ts';
import { createStateStore } from '../../lambdas/state/dynamodb.ts';
import type { StateStore } from '../../lambdas/state/store.ts';
import { snsRegion, startSnsEndpoint } from '../../sandbox/sns/endpoint.ts';
import type { Io } from '../command.ts';
import { openLocalTable } from './table.ts';

export interface LocalNotifierOptions {
  /** The catalogue's name in the events and in the state; its host where absent. */
  readonly name?: string;
  /** The catalogue's address. */
  readonly url: string;
  readonly access: Access;
  /** Where the state is kept; in memory where absent. */
  readonly state?: string | undefined;
  readonly overlap: Instant;
  readonly from?: Instant;
  readonly learnSince?: Instant;
  readonly log: Log;
  readonly io: Io;
  readonly onPublished: (messages: readonly Message[]) => void;
}

/**
 * The notifier of one catalogue on this machine: what runs as a Lambda, against a local table and endpoint.
 * Once the command's signal is aborted, a poll fails with the signal's reason as soon as the chunk that is being
 * told is safe.
 */
export interface LocalNotifier {
  poll(): Promise<PollReport>;
  readonly requests: number;
  close(): Promise<void>;
}

export async function startLocalNotifier(options: LocalNotifierOptions): Promise<LocalNotifier> {
  const { url, access, state, log: given, io, ...rest } = options;
  const { clock, signal } = io;
  const log = logUntilStopped(given, signal);
  const catalogue = createCatalogue({ baseUrl: url, access, clock, log, signal });
  const name = options.name ?? new URL(catalogue.url).host.replace(/[^\w.-]+/g, '-');
  const { dynamodb, table, close } = await openLocalTable(clock, state);
  const endpoint = await startSnsEndpoint({ topics, keep: false });
  const sns = createSnsClient({
    endpoint: endpoint.endpoint,
    region: snsRegion,
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  return {
    poll: () =>
      poll({
        ...rest,
        name,
        catalogue,
        store: storeUntilStopped(
          createStateStore({ dynamodb, table, catalogue: name, runId: randomUUID(), clock }),
          signal,
        ),
        publisher: createPublisher({ sns, topicArns: endpoint.topicArns, clock, log }),
        clock,
        log,
      }),
    get requests() {
      return catalogue.traffic.requests;
    },
    close: async () => {
      sns.destroy();
      await catalogue.close();
      await endpoint.close();
      await close();
    },
  };
}

/** The store, where no further chunk is begun once the signal is aborted. */
function storeUntilStopped(store: StateStore, signal: AbortSignal): StateStore {
  const record: StateStore['record'] = async (position, chunk) => {
    signal.throwIfAborted();
    return store.record(position, chunk);
  };
  return { ...store, record };
}

/** The log, which does not warn of what failed because it was stopped. */
function logUntilStopped(log: Log, signal: AbortSignal): Log {
  const warn: Log['warn'] = (message, fields) => {
    if (!signal.aborted) log.warn(message, fields);
  };
  return { ...log, warn };
}
