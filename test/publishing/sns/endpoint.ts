import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import {
  type EntryFailure,
  type Refusal,
  readCall,
  readForm,
  refusalOfCall,
  refusalOfEntry,
  type SnsAttribute,
  type SnsCall,
  type SnsEntry,
} from './refusals.ts';

/** A message that the endpoint accepted, as a subscriber would get it. */
interface ReceivedMessage<Name extends string> {
  readonly messageId: string;
  readonly topic: Name;
  readonly body: string;
  readonly subject: string | undefined;
  readonly attributes: readonly SnsAttribute[];
}

export interface SnsEndpointOptions<Name extends string> {
  /** The names of the topics that exist. */
  readonly topics: readonly Name[];
  /** A free one by default. */
  readonly port?: number;
  /** Called with each accepted message, before the caller gets the response. */
  readonly onMessage?: (message: ReceivedMessage<Name>) => void;
  /** Called for each request; gives what goes wrong with it. */
  readonly fault?: (call: SnsCall) => SnsFault | undefined;
  /** Whether `received` and `calls` are filled; true by default. Set it to false for an endpoint that runs for days. */
  readonly keep?: boolean;
}

/** An SNS that is served, and what it has accepted. */
export interface SnsEndpoint<Name extends string> {
  /** The address to give to the SDK's client as `endpoint`. */
  readonly endpoint: string;
  readonly topicArns: Readonly<Record<Name, string>>;
  /** The accepted messages, oldest first. */
  readonly received: readonly ReceivedMessage<Name>[];
  /** All requests, including those that failed. */
  readonly calls: readonly SnsCall[];
  close(): Promise<void>;
}

/** The region of the endpoint's topics. */
export const snsRegion = 'eu-west-2';
const arnPrefix = `arn:aws:sns:${snsRegion}:000000000000:`;

/** What the endpoint does with a request: respond, close the connection, or stay silent. */
type Reaction = Reply | 'cut' | 'silence';

/**
 * Starts a server on 127.0.0.1 that implements `Publish` and `PublishBatch` of SNS (query protocol, version 2010-03-31),
 * so that the SDK's client publishes to it. It refuses by the same rules and with the same codes as SNS. Signatures are
 * required and not verified.
 *
 * @throws the error of `listen`, such as `EADDRINUSE`
 */
export async function startSnsEndpoint<const Name extends string>(
  options: SnsEndpointOptions<Name>,
): Promise<SnsEndpoint<Name>> {
  const { onMessage, fault: faultOf, keep = true } = options;
  const topics = new Map(options.topics.map((name) => [arnPrefix + name, name]));
  const received: ReceivedMessage<Name>[] = [];
  const calls: SnsCall[] = [];
  let accepted = 0;

  const accept = (topic: Name, { body, subject, attributes }: SnsEntry): string => {
    accepted += 1;
    const messageId = `00000000-0000-4000-8000-${String(accepted).padStart(12, '0')}`;
    const message = { messageId, topic, body, subject, attributes };
    if (keep) received.push(message);
    onMessage?.(message);
    return messageId;
  };

  const publish = (call: SnsCall): Reaction => {
    if (keep) calls.push(call);
    const fault = faultOf?.(call);
    if (fault?.kind === 'cut' || fault?.kind === 'silence') return fault.kind;
    if (fault?.kind === 'answer') return fault.reply;
    if (fault?.kind === 'refuse') return refusalReply(fault.refusal);
    const topic = topics.get(call.topicArn);
    if (topic === undefined) return refusalReply(unknownTopic);
    const refusal = refusalOfCall(call);
    if (refusal) return refusalReply(refusal);
    const outcomes = call.entries.map((entry): Outcome => {
      const failure = refusalOfEntry(entry) ?? (fault?.kind === 'fail-entries' && fault.failureOf(entry));
      return failure ? { id: entry.id, failure } : { id: entry.id, messageId: accept(topic, entry) };
    });
    return fault?.kind === 'lose-reply' ? 'cut' : replyTo(call, outcomes);
  };

  const server = createServer((request, response) => {
    reactTo(request, publish).then(
      (reaction) => {
        if (reaction === 'cut') request.socket.destroy();
        else if (reaction !== 'silence') {
          response.writeHead(reaction.status, { 'content-type': 'text/xml' }).end(reaction.body);
        }
      },
      // Where `onMessage` throws or the request is incomplete, the caller sees a closed connection.
      () => request.socket.destroy(),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    topicArns: Object.fromEntries([...topics].map(([arn, name]) => [name, arn])) as Record<Name, string>,
    received,
    calls,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const unknownTopic: Refusal = { status: 404, code: 'NotFound', message: 'Topic does not exist' };
const unsigned: Refusal = {
  status: 403,
  code: 'MissingAuthenticationToken',
  message: 'The request is not signed',
};

async function reactTo(request: IncomingMessage, publish: (call: SnsCall) => Reaction): Promise<Reaction> {
  const form = readForm(await text(request));
  const action = form.child('Action').text;
  if (!request.headers.authorization?.startsWith('AWS4-HMAC-SHA256 ')) return refusalReply(unsigned);
  if (action === 'Publish' || action === 'PublishBatch') return publish(readCall(action, form));
  return refusalReply({
    status: 400,
    code: 'InvalidAction',
    message: `Action ${action} is not implemented by the sandbox`,
  });
}

/** What goes wrong with one request. */
export type SnsFault =
  /** SNS refuses the whole request; no message is accepted. */
  | { readonly kind: 'refuse'; readonly refusal: Refusal }
  /** The response is 200, and the entries for which a failure is given are not accepted. */
  | { readonly kind: 'fail-entries'; readonly failureOf: (entry: SnsEntry) => EntryFailure | undefined }
  /** All messages are accepted and the connection is closed before the response. */
  | { readonly kind: 'lose-reply' }
  /** The connection is closed; no message is accepted. */
  | { readonly kind: 'cut' }
  /** No message is accepted and no response is sent. */
  | { readonly kind: 'silence' }
  /** Another server responds instead of SNS; no message is accepted. */
  | { readonly kind: 'answer'; readonly reply: Reply };

/** An HTTP response. */
interface Reply {
  readonly status: number;
  readonly body: string;
}

/** The outcome of one entry. */
type Outcome = { readonly id: string } & (
  | { readonly messageId: string }
  | { readonly failure: EntryFailure }
);

/** The response to an accepted request: the outcome of the one entry of `Publish`, or of each of `PublishBatch`. */
function replyTo(call: SnsCall, outcomes: readonly Outcome[]): Reply {
  const [only] = outcomes;
  if (call.action === 'PublishBatch' || only === undefined) return batchReply(outcomes);
  if ('messageId' in only) return resultOf('Publish', element('MessageId', only.messageId));
  return refusalReply({ ...only.failure, status: only.failure.senderFault ? 400 : 500 });
}

/** The response to a refused request. */
function refusalReply({ status, code, message }: Refusal): Reply {
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
