import type { Filter } from './event-types.ts';
import { compileFilter, createNames, type KnownNames } from './filter.ts';
import type { PanelEvent } from './panel-event.ts';
import type { CheckEvent, NewerEvent } from './parse-event.ts';
import {
  type Arrival,
  type EventBridgeInvocation,
  type Invocation,
  type NewerPolicy,
  readEvents,
  type SnsInvocation,
  type SqsInvocation,
} from './parse-event.ts';

/**
 * Runs the work for an event unless it was done before. SNS and SQS deliver at least once, and so does the
 * notifier: an event that arrives again has the same `id`.
 */
export type Once = (eventId: string, work: () => Promise<void>) => Promise<void>;

/**
 * Each event once, by Powertools for AWS Lambda or another wrapper that remembers what a function returned.
 *
 * @param wrap makes a function idempotent by its argument
 * @example
 * const persistenceStore = new DynamoDBPersistenceLayer({ tableName: 'seen' });
 * const once = onceWithPowertools((work) => makeIdempotent(work, { persistenceStore }));
 */
export function onceWithPowertools(
  wrap: (work: (eventId: string) => Promise<true>) => (eventId: string) => Promise<unknown>,
): Once {
  return async (eventId, work) => {
    // Powertools stores what the work returns, and needs something to store.
    await wrap(async () => {
      await work();
      return true;
    })(eventId);
  };
}

export interface HandlerOptions {
  /** Called for each event that matches. An error leaves the record to be delivered again. */
  readonly handle: (event: PanelEvent) => Promise<void> | void;
  /** Events that do not match count as done; without a filter every event matches. */
  readonly filter?: Filter;
  /**
   * Names that panels and genes had before this process began: the filter finds events by them. The handler adds those of
   * the events that arrive.
   */
  readonly names?: KnownNames;
  /** For events of a newer type or version; without `handleNewer` it is 'fail' or 'skip', by default 'fail'. */
  readonly newer?: Exclude<NewerPolicy, 'pass on'>;
  /** Called for events of a newer type or version, instead of `newer`. */
  readonly handleNewer?: (event: NewerEvent) => Promise<void> | void;
  /** Checks each event before it is handled; a record whose event it refuses fails. */
  readonly check?: CheckEvent;
  /** Handles each event once, also where it is delivered again. */
  readonly once?: Once;
  /** Called for each record that fails; by default it is written to standard error as one line of JSON. */
  readonly onFailure?: (recordId: string, error: unknown) => void;
}

/** What Lambda expects of a function that reports failed records (`ReportBatchItemFailures`): an `SQSBatchResponse`. */
export interface SqsReply {
  batchItemFailures: { itemIdentifier: string }[];
}

/**
 * A Lambda handler for a queue that is subscribed to topics. It reports the records that failed, so that only they
 * are delivered again and, in the end, become dead letters. The event source needs `reportBatchItemFailures`.
 * @throws {TypeError} when the filter has a key that does not exist, or a value that its key does not take
 */
export function createSqsHandler(options: HandlerOptions): (invocation: SqsInvocation) => Promise<SqsReply> {
  const prepared = prepare(options);
  return async (invocation) => {
    const failures = await handleAll(invocation, prepared);
    return { batchItemFailures: failures.map(({ recordId }) => ({ itemIdentifier: recordId })) };
  };
}

/**
 * A Lambda handler for a function that is subscribed to topics itself.
 *
 * @throws {AggregateError} when a record failed: Lambda then repeats the whole invocation
 */
export function createSnsHandler(options: HandlerOptions): (invocation: SnsInvocation) => Promise<void> {
  const prepared = prepare(options);
  return async (invocation) => {
    const failures = await handleAll(invocation, prepared);
    if (failures.length === 0) return;
    throw new AggregateError(
      failures.map(({ error }) => error),
      `${failures.length} of ${invocation.Records.length} records failed`,
    );
  };
}

/**
 * A Lambda handler for a function that is the target of a rule of EventBridge.
 *
 * @throws {unknown} what `handle` throws, and an `EventError` for what is no event: Lambda then repeats the invocation
 */
export function createEventBridgeHandler(
  options: HandlerOptions,
): (invocation: EventBridgeInvocation) => Promise<void> {
  const prepared = prepare(options);
  return async (invocation) => {
    const [failure] = await handleAll(invocation, prepared);
    if (failure !== undefined) throw failure.error;
  };
}

interface Prepared extends HandlerOptions {
  readonly names: KnownNames;
  readonly matches: (event: PanelEvent) => boolean;
}

/** Names are kept as long as the process: each invocation knows what earlier ones saw. */
function prepare(options: HandlerOptions): Prepared {
  const names = options.names ?? createNames();
  return { ...options, names, matches: compileFilter(options.filter ?? {}, names) };
}

interface Failure {
  readonly recordId: string;
  readonly error: unknown;
}

async function handleAll(invocation: Invocation, options: Prepared): Promise<readonly Failure[]> {
  const { names, matches, handle, handleNewer, check, once, onFailure = writeFailure } = options;
  const run: Once = once ?? ((_id, work) => work());
  const newer: NewerPolicy = handleNewer ? 'pass on' : (options.newer ?? 'fail');
  const handleRecord = async (record: Arrival): Promise<void> => {
    if (record.kind === 'bad') throw record.error;
    const { event } = record;
    if (record.kind === 'newer') await run(event.id, async () => handleNewer?.(record.event));
    else {
      names.learn(record.event);
      if (matches(record.event)) await run(event.id, async () => handle(record.event));
    }
  };
  const failures: Failure[] = [];
  // One after another: events of one panel stay in the order in which they arrived.
  for (const record of readEvents(invocation, { newer, ...(check && { check }) })) {
    try {
      await handleRecord(record);
    } catch (error) {
      onFailure(record.recordId, error);
      failures.push({ recordId: record.recordId, error });
    }
  }
  return failures;
}

function writeFailure(recordId: string, error: unknown): void {
  const { name, message } = error instanceof Error ? error : { name: 'Error', message: String(error) };
  process.stderr.write(`${JSON.stringify({ level: 'ERROR', message, error: name, record: recordId })}\n`);
}
