import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { forwardBatch, type QueueBatch, type QueueReply } from '../../publishing/put-events.ts';
import { systemClock as clock } from '../../run/clock.ts';
import { jsonLog } from '../../run/log.ts';
import type { RunContext } from '../catalogue-function.ts';
import { eventBusSettings, readEnvironment } from '../settings.ts';

/** The longest that one call with its repetitions takes, in milliseconds. */
const CALL_MS = 20_000;

const { EVENT_BUS_ARN: bus, EVENT_SOURCE: source } = readEnvironment(eventBusSettings, process.env);
const log = jsonLog((line) => void process.stdout.write(`${line}\n`), clock.now);
const client = new EventBridgeClient({
  // A bus may be in another region than the function.
  region: bus.split(':')[3] ?? '',
  requestHandler: { connectionTimeout: 5000, requestTimeout: 5000, throwOnRequestTimeout: true },
});

/** Puts the events of a batch of the queue on the bus. What the bus does not take stays in the queue. */
export async function handler(batch: QueueBatch, context: RunContext): Promise<QueueReply> {
  const deadline = clock.now() + context.getRemainingTimeInMillis() - CALL_MS;
  return forwardBatch(batch, { client, clock, log, deadline, bus, source });
}
