import type { SnsCall } from './calls.ts';
import type { EntryFailure, Refusal } from './refusals.ts';

/** An HTTP response. */
export interface Reply {
  readonly status: number;
  readonly body: string;
}

/** The outcome of one entry. */
export type Outcome = { readonly id: string } & (
  | { readonly messageId: string }
  | { readonly failure: EntryFailure }
);

/** The response to an accepted request: the outcome of the one entry of `Publish`, or of each of `PublishBatch`. */
export function replyTo(call: SnsCall, outcomes: readonly Outcome[]): Reply {
  const [only] = outcomes;
  if (call.action === 'PublishBatch' || only === undefined) return batchReply(outcomes);
  if ('messageId' in only) return resultOf('Publish', element('MessageId', only.messageId));
  return refusalReply({ ...only.failure, status: only.failure.senderFault ? 400 : 500 });
}

/** The response to a refused request. */
export function refusalReply({ status, code, message }: Refusal): Reply {
  const type = element('Type', status < 500 ? 'Sender' : 'Receiver');
  const error = tag('Error', type + element('Code', code) + element('Message', message));
  return { status, body: `<ErrorResponse xmlns="${NAMESPACE}">${error}${REQUEST_ID}</ErrorResponse>` };
}

const NAMESPACE = 'http://sns.amazonaws.com/doc/2010-03-31/';
const REQUEST_ID = element('RequestId', '00000000-0000-4000-8000-000000000000');

function batchReply(outcomes: readonly Outcome[]): Reply {
  const members = (kind: 'messageId' | 'failure'): string =>
    outcomes
      .filter((outcome) => kind in outcome)
      .map((outcome) => tag('member', fieldsOf(outcome)))
      .join('');
  return resultOf(
    'PublishBatch',
    tag('Failed', members('failure')) + tag('Successful', members('messageId')),
  );
}

function resultOf(action: string, result: string): Reply {
  const inner = tag(`${action}Result`, result) + tag('ResponseMetadata', REQUEST_ID);
  return { status: 200, body: `<${action}Response xmlns="${NAMESPACE}">${inner}</${action}Response>` };
}

function fieldsOf(outcome: Outcome): string {
  const id = element('Id', outcome.id);
  if ('messageId' in outcome) return id + element('MessageId', outcome.messageId);
  const { code, message, senderFault } = outcome.failure;
  return (
    id + element('Code', code) + element('Message', message) + element('SenderFault', String(senderFault))
  );
}

function tag(name: string, inner: string): string {
  return `<${name}>${inner}</${name}>`;
}

function element(name: string, text: string): string {
  const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
  return tag(
    name,
    text.replace(/[&<>]/g, (character) => escapes[character] ?? character),
  );
}
