import type { Clock } from '../../run/clock.ts';
import type { Log } from '../../run/log.ts';
import { withoutSecrets } from '../../run/without-secrets.ts';
import type { Limits } from './limits.ts';
import { isLoopback } from './loopback.ts';
import { type HttpResponse, readResponse } from './response.ts';
import { ServiceError, type ServiceErrors } from './service-error.ts';
import { explainTransport } from './transport-failure.ts';

/** The methods that services are called with. */
export type Method = 'GET' | 'HEAD' | 'OPTIONS' | 'POST' | 'PUT';

/** Counts since the start. `throttled` are responses with HTTP 429; `bytes` those of the response bodies as sent. */
export interface Traffic {
  readonly requests: number;
  readonly retries: number;
  readonly throttled: number;
  readonly bytes: number;
}

interface OutgoingRequest {
  readonly method: Method;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** Statuses that are an answer of this resource; see `Exchange`. */
  readonly answers?: readonly number[] | undefined;
  readonly bodyIsOptional?: boolean;
  /** The largest body of this resource in bytes; see `Exchange`. */
  readonly mostBytes?: number | undefined;
}

interface Attempts {
  /**
   * Sends one request once.
   *
   * @throws {ServiceError} the service's own, when there is no complete response or it is a refusal
   */
  send(outgoing: OutgoingRequest): Promise<HttpResponse>;
  close(): Promise<void>;
}

interface AttemptOptions {
  readonly base: URL;
  readonly errors: ServiceErrors;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits: Limits;
  /** The most requests at once; further ones wait. */
  readonly connections: number;
  /** Milliseconds since the epoch; `Infinity` for none. */
  readonly deadline: number;
  /** Ends the exchange, which then fails with the signal's reason. */
  readonly signal: AbortSignal;
  /** Incremented here. */
  readonly traffic: { requests: number; throttled: number; bytes: number };
}

/**
 * Single requests to one origin. The pool is bound to its origin, so no response can make it send elsewhere.
 * Certificates are checked even where NODE_TLS_REJECT_UNAUTHORIZED switches that off.
 */
export function createAttempts(options: AttemptOptions): Attempts {
  const { base, errors, clock, log, limits, connections, deadline, signal: stop, traffic } = options;
  const proxy = readProxy(base, errors);
  /** Loaded by the first request: most runs of most commands send none. */
  const openPool = async () => {
    const connect = proxy
      ? (await import('./tunnel.ts')).tunnelThrough(proxy, { timeoutMs: limits.connectMs })
      : { timeout: limits.connectMs, rejectUnauthorized: true };
    const { Pool, request } = await import('./pool.ts');
    const pool = new Pool(base.origin, { connections, allowH2: false, connect });
    return { pool, request };
  };
  let opened: ReturnType<typeof openPool> | undefined;
  const countBytes = (bytes: number): void => {
    traffic.bytes += bytes;
  };

  async function send({
    method,
    url,
    headers,
    body = '',
    answers = [],
    bodyIsOptional = false,
    mostBytes = limits.bodyBytes,
  }: OutgoingRequest): Promise<HttpResponse> {
    opened ??= openPool();
    const { pool, request } = await opened;
    stop.throwIfAborted();
    const action = describe(method, url, errors);
    const left = deadline - clock.now();
    if (left <= 0) {
      throw new errors.error({ condition: 'DEADLINE', action, seen: 'the time of this run is over' });
    }
    // Sockets take real time, even where the clock is a test's.
    const timeout = AbortSignal.timeout(Math.max(1, Math.floor(Math.min(left, limits.exchangeMs))));
    const signal = AbortSignal.any([timeout, stop]);
    let begun = false;
    traffic.requests += 1;
    try {
      const response = await request.call(pool, {
        method,
        path: `${url.pathname}${url.search}`,
        headers,
        body: body === '' ? null : body,
        headersTimeout: limits.headersMs,
        bodyTimeout: limits.bodyMs,
        signal,
      });
      begun = true;
      if (response.statusCode === 429) traffic.throttled += 1;
      const hide = (seen: string): string => withoutSecrets(seen, secretsOf(headers));
      const own = { ...limits, bodyBytes: Math.min(mostBytes, limits.bodyBytes) };
      const shared = { errors, limits: own, log, signal, now: clock.now, countBytes };
      const context = { ...shared, method, url, action, answers, hide, bodyIsOptional };
      return await readResponse(response, context);
    } catch (error) {
      stop.throwIfAborted();
      if (error instanceof ServiceError) throw error;
      const failure = signal.aborted
        ? outOfTime(left, limits)
        : explainTransport(error, { begun, secretAddress: errors.secretAddress });
      throw new errors.error({ ...failure, action });
    }
  }

  return { send, close: async () => (await opened)?.pool.destroy() };
}

/** @throws {ServiceError} when `HTTPS_PROXY` is not the address of an HTTP proxy */
function readProxy(base: URL, { error }: ServiceErrors): URL | undefined {
  try {
    return proxyFor(base);
  } catch {
    throw new error({
      condition: 'PROXY_FAILED',
      action: 'Reading HTTPS_PROXY',
      seen: 'its value (not shown) is not the address of an HTTP proxy, such as http://proxy.example.org:3128',
      transient: false,
    });
  }
}

function describe(method: Method, url: URL, { service, secretAddress }: ServiceErrors): string {
  if (secretAddress) return `Sending ${method} to ${service}`;
  if (method === 'POST' || method === 'PUT') return `Sending ${method} ${url.href} to ${service}`;
  return `Asking ${service} for ${url.href}`;
}

function outOfTime(left: number, { exchangeMs }: Limits) {
  return left < exchangeMs
    ? ({
        condition: 'DEADLINE',
        seen: 'the time of this run ended before the response was complete',
      } as const)
    : ({ condition: 'TIMED_OUT', seen: `the response was not complete after ${exchangeMs} ms` } as const);
}

/** Credentials in the headers of a request: `Token …`, `Bearer …`, and the user and password of `Basic …`. */
function secretsOf(headers: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(headers).flatMap(([name, value]) => {
    if (openHeaders.has(name)) return [];
    const [scheme, ...parts] = value.split(/\s+/);
    const [, ...password] =
      scheme === 'Basic' ? Buffer.from(parts.join(), 'base64').toString().split(':') : [];
    return [value, ...parts, password.join(':')];
  });
}

/** Headers that hold no credential. A header of the settings may have any other name. */
const openHeaders: ReadonlySet<string> = new Set(['accept', 'accept-encoding', 'content-type', 'user-agent']);

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The proxy through which requests to `url` go, from the environment variable `HTTPS_PROXY`. Undefined where there is
 * none, for this machine itself, and for hosts in `NO_PROXY` (`.example.org` means all hosts below it). A value without
 * a scheme, `host:port`, is an HTTP proxy.
 *
 * @throws {TypeError} when `HTTPS_PROXY` is not the address of an HTTP proxy
 */
export function proxyFor(url: URL, environment: Environment = process.env): URL | undefined {
  const proxy = environment.HTTPS_PROXY ?? environment.https_proxy;
  if (!proxy || isLoopback(url.hostname)) return undefined;
  const exceptions = (environment.NO_PROXY ?? environment.no_proxy ?? '').split(/[\s,]+/).filter(Boolean);
  const direct = exceptions.some(
    (name) => name === '*' || url.hostname === name || url.hostname.endsWith(name.replace(/^\*?\.?/, '.')),
  );
  return direct ? undefined : proxyUrl(proxy);
}

/** The text may hold a password, so the error does not show it. */
function proxyUrl(text: string): URL {
  const address = text.includes('://') ? text : `http://${text}`;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  throw new TypeError('HTTPS_PROXY is not the address of an HTTP proxy');
}
