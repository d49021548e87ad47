import { readFileSync } from 'node:fs';
import type { PanelEvent } from '../../consumer/notifier.ts';
import type { SqsInvocation } from '../../consumer/parse-event.ts';

/** The example of one type of event. */
export const example = <Event extends PanelEvent>(type: Event['type']): Event =>
  JSON.parse(readFileSync(`docs/examples/${type}.json`, 'utf8'));

/** What Lambda passed to a function whose queue is subscribed to a topic; the second of three records is cut off. */
export const recordedBatch: SqsInvocation = JSON.parse(
  readFileSync('test/fixtures/consumer/sns-in-sqs.json', 'utf8'),
);
