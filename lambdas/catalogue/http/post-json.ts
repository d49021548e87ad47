import type { Clock } from '../../run/clock.ts';
import type { Log } from '../../run/log.ts';
import { withoutSecrets } from '../../run/without-secrets.ts';
import { anonymous, type Limits } from './access.ts';
import { createHttp } from './http.ts';
import { isLoopback } from './loopback.ts';
import type { HttpResponse } from './response.ts';
import { type ServiceErrors, serviceError } from './service-error.ts';

/** A JSON text for an address that is itself a secret, such as the incoming webhook of a chat channel. */
export interface JsonPost {
  /** What messages and log lines call the receiver, such as `the Slack webhook of "green genes"`: never the address. */
  readonly receiver: string;
  /** https, or http to a loopback host. Neither errors nor log lines show any part of it. */
  readonly address: string;
  /** Sent byte for byte, so that a signature of it stays valid. */
  readonly json: string;
  /** Such as those of a signature. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Credentials beside the address, such as a token in a header: never shown, even where the receiver repeats them. */
  readonly secrets?: readonly string[];
  readonly clock: Clock;
  readonly log: Log;
  /** Milliseconds since the epoch; no request and no wait goes beyond it. */
  readonly deadline?: number;
  /** When aborted, the exchange ends at once and fails with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Changes to `webhookLimits`. */
  readonly limits?: Partial<Limits>;
}

/** The response of a receiver that took the JSON text. */
interface JsonPosted {
  /** 200 to 299. */
  readonly status: number;
  /** The response body, with no secret in it; empty where it was late, too large or could not be read. */
  readonly body: string;
}

/** The receiver did not take what was posted. Holds neither its address nor what was posted. */
export class WebhookError extends serviceError('WebhookError', 'WEBHOOK') {}

/** A receiver of messages sends a short response soon. */
const webhookLimits: Partial<Limits> = {
  headersMs: 10_000,
  bodyMs: 5_000,
  exchangeMs: 15_000,
  bodyBytes: 64 * 1024,
  retries: 2,
  longestWaitMs: 10_000,
};

/** How much of a response body an error shows. */
const BODY_CHARACTERS = 200;

/**
 * Posts a JSON text and returns the status and the body of the response. A status from 200 to 299 is success with any
 * body. A transient error (a lost connection, 429, 503, …) is retried, so the receiver may get the same text twice.
 *
 * @throws {WebhookError} `WEBHOOK_NOT_BEFORE`, with `notBefore`, when the receiver asks for a longer wait than the limits
 * allow
 * @throws {WebhookError} `WEBHOOK_REQUEST_REFUSED`, with the status and the beginning of the response, for any other status
 * @throws {WebhookError} with another code when the exchange fails
 */
export async function postJson(post: JsonPost): Promise<JsonPosted> {
  const { receiver, json, clock, log, deadline, signal, secrets = [] } = post;
  const errors: ServiceErrors = { service: receiver, error: WebhookError, secretAddress: true };
  const address = webhookUrl(post.address, receiver);
  const http = createHttp({
    base: new URL('/', address),
    errors,
    access: anonymous,
    clock,
    log,
    deadline,
    signal,
    limits: { ...webhookLimits, ...post.limits },
  });
  const { pathname, search } = address;
  const headers = { 'content-type': 'application/json', accept: '*/*', ...post.headers };
  try {
    return await http.send(
      {
        method: 'POST',
        path: pathname.slice(1),
        query: search,
        headers,
        body: json,
        idempotent: true,
        bodyIsOptional: true,
      },
      (response) => readPosted(response, { address, secrets }),
    );
  } finally {
    await http.close();
  }
}

function webhookUrl(address: string, receiver: string): URL {
  const url = URL.canParse(address) ? new URL(address) : null;
  const encrypted = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname));
  if (url && encrypted && !url.username && !url.password) return url;
  throw new WebhookError({
    condition: 'ADDRESS_WRONG',
    action: `Reading the address of ${receiver}`,
    seen: 'it (not shown) is not an https URL without user name and password',
  });
}

function readPosted(
  { status, text, fail }: HttpResponse,
  { address, secrets }: { readonly address: URL; readonly secrets: readonly string[] },
): JsonPosted {
  const body = withoutSecrets(text(), [...partsOf(address), ...secrets]);
  if (status >= 200 && status < 300) return { status, body };
  const shown = body.slice(0, BODY_CHARACTERS);
  throw fail('REQUEST_REFUSED', `the response is HTTP ${status}${shown ? `, ${JSON.stringify(shown)}` : ''}`);
}

/** A receiver may repeat its address, whole or in parts, as servers do in pages about errors. */
function partsOf({ href, host, hostname, pathname, search }: URL): readonly string[] {
  return [href, host, hostname, ...pathname.split('/'), ...search.split(/[?&=]/)];
}
