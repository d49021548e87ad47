import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { readCall, type SnsAttribute, type SnsCall, type SnsEntry } from './calls.ts';
import type { SnsFault } from './faults.ts';
import { readForm } from './form.ts';
import { type Refusal, refusalOfCall, refusalOfEntry } from './refusals.ts';
import { type Outcome, type Reply, refusalReply, replyTo } from './replies.ts';

/** One message that the endpoint took, as a subscriber would get it. */
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
  /** A free port where absent. */
  readonly port?: number;
  /** Hears each message once it is taken, before the caller has the reply. */
  readonly onMessage?: (message: ReceivedMessage<Name>) => void;
  /** Asked at each call what goes wrong with it. */
  readonly fault?: (call: SnsCall) => SnsFault | undefined;
  /** Whether `received` and `calls` are filled; false for an endpoint that runs for days. Default true. */
  readonly keep?: boolean;
}

export interface SnsEndpoint<Name extends string> {
  /** The address to give to the SDK's client as `endpoint`. */
  readonly endpoint: string;
  readonly topicArns: Readonly<Record<Name, string>>;
  /** What was taken, in the order in which it was taken. */
  readonly received: readonly ReceivedMessage<Name>[];
  /** Every call that was made, also where it failed. */
  readonly calls: readonly SnsCall[];
  close(): Promise<void>;
}

/** The region in which the endpoint's topics lie. */
export const snsRegion = 'eu-west-2';
const arnPrefix = `arn:aws:sns:${snsRegion}:000000000000:`;

/** What the endpoint does about a call: answers, breaks the connection, or never says anything. */
type Answer = Reply | 'cut' | 'silence';

/**
 * Starts an HTTP server on this machine that speaks the query protocol of SNS (version 2010-03-31), so that the
 * SDK's own client publishes to it: `Publish` and `PublishBatch`, refused by the same rules and under the same
 * codes. Signatures must be there and are not verified.
 */
export async function startSnsEndpoint<const Name extends string>(
  options: SnsEndpointOptions<Name>,
): Promise<SnsEndpoint<Name>> {
  const { onMessage, fault: faultOf, keep = true } = options;
  const topics = new Map(options.topics.map((name) => [arnPrefix + name, name]));
  const received: ReceivedMessage<Name>[] = [];
  const calls: SnsCall[] = [];
  let taken = 0;

  const take = (topic: Name, { body, subject, attributes }: SnsEntry): string => {
    taken += 1;
    const messageId = `00000000-0000-4000-8000-${String(taken).padStart(12, '0')}`;
    const message = { messageId, topic, body, subject, attributes };
    if (keep) received.push(message);
    onMessage?.(message);
    return messageId;
  };

  const publish = (call: SnsCall): Answer => {
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
      return failure ? { id: entry.id, failure } : { id: entry.id, messageId: take(topic, entry) };
    });
    return fault?.kind === 'lose-reply' ? 'cut' : replyTo(call, outcomes);
  };

  const server = createServer((request, response) => {
    answerTo(request, publish).then(
      (answer) => {
        if (answer === 'cut') request.socket.destroy();
        else if (answer !== 'silence') {
          response.writeHead(answer.status, { 'content-type': 'text/xml' }).end(answer.body);
        }
      },
      // A listener that fails, or a request that broke off: the caller sees a broken connection.
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

async function answerTo(request: IncomingMessage, publish: (call: SnsCall) => Answer): Promise<Answer> {
  const form = readForm(await text(request));
  const action = form.child('Action').text;
  if (!request.headers.authorization?.startsWith('AWS4-HMAC-SHA256 ')) return refusalReply(unsigned);
  if (action === 'Publish' || action === 'PublishBatch') return publish(readCall(action, form));
  return refusalReply({ status: 400, code: 'InvalidAction', message: `Action ${action} is not served here` });
}
