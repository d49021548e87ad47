import type { Clock } from '../../run/clock.ts';
import type { Log } from '../../run/log.ts';
import { withoutSecrets } from '../../run/without-secrets.ts';
import type { Limits } from './access.ts';
import { isLoopback } from './loopback.ts';
import { type Expected, type HttpResponse, readResponse } from './response.ts';
import { type Condition, ServiceError, type ServiceErrors } from './service-error.ts';

/** The methods that services are called with. */
type Method = 'GET' | 'HEAD' | 'OPTIONS' | 'POST' | 'PUT';

/** Counts since the start. `throttled` are responses with HTTP 429; `bytes` those of the response bodies as sent. */
export interface Traffic {
  readonly requests: number;
  readonly retries: number;
  readonly throttled: number;
  readonly bytes: number;
}

/** A request to a resource below the base address. */
export interface Exchange extends Expected {
  /** `GET` by default. */
  readonly method?: Method;
  /** Relative to the base, its parts percent-encoded: `activities/`. */
  readonly path: string;
  /** Given as text, it is sent unchanged. */
  readonly query?: Readonly<Record<string, string>> | string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Whether sending it again does no harm; by default true for all methods but `POST`. */
  readonly idempotent?: boolean;
}

interface Attempts {
  /**
   * Sends one request once.
   *
   * @throws {ServiceError} the service's own, when there is no complete response or it is a refusal
   */
  send(exchange: Exchange, url: URL, headers: Readonly<Record<string, string>>): Promise<HttpResponse>;
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
  const { base, errors, clock, limits, connections, deadline, signal: stop, traffic } = options;
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

  const send: Attempts['send'] = async (exchange, url, headers) => {
    const { method = 'GET', body = '' } = exchange;
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
      return await readResponse(response, {
        ...options,
        expected: exchange,
        method,
        url,
        action,
        signal,
        hide,
      });
    } catch (error) {
      stop.throwIfAborted();
      if (error instanceof ServiceError) throw error;
      const failure = signal.aborted
        ? outOfTime(left, limits)
        : explainTransport(error, { begun, secretAddress: errors.secretAddress });
      throw new errors.error({ ...failure, action });
    }
  };

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

interface TransportFailure {
  readonly condition: Condition;
  /** A clause for the message. */
  readonly seen: string;
  readonly transient?: boolean;
  readonly cause: Error;
}

type Explanation = readonly [Condition, string];

const explanations: Readonly<Record<string, Explanation>> = {
  // Name lookup.
  ENOTFOUND: ['HOST_UNKNOWN', 'the host name is unknown'],
  EAI_AGAIN: ['HOST_UNKNOWN', 'the host name could not be looked up just now'],
  EAI_FAIL: ['HOST_UNKNOWN', 'the host name could not be looked up'],
  EAI_NODATA: ['HOST_UNKNOWN', 'the host name has no address'],
  // Connecting.
  ECONNREFUSED: ['CONNECTION_REFUSED', 'nothing accepts connections at this address and port'],
  EHOSTUNREACH: ['CONNECTION_LOST', 'the host cannot be reached'],
  ENETUNREACH: ['CONNECTION_LOST', 'its network cannot be reached'],
  UND_ERR_CONNECT_TIMEOUT: ['TIMED_OUT', 'the connection was not made in time'],
  ETIMEDOUT: ['TIMED_OUT', 'the connection timed out'],
  // The proxy on the way.
  PROXY_REFUSED: ['PROXY_FAILED', 'the proxy of HTTPS_PROXY refuses to connect to it'],
  PROXY_UNREACHABLE: ['PROXY_FAILED', 'the proxy of HTTPS_PROXY cannot be reached'],
  // Certificates.
  CERT_HAS_EXPIRED: ['CERTIFICATE_REFUSED', 'its certificate has expired'],
  CERT_NOT_YET_VALID: ['CERTIFICATE_REFUSED', 'its certificate is not valid yet, or this clock is wrong'],
  DEPTH_ZERO_SELF_SIGNED_CERT: ['CERTIFICATE_REFUSED', 'its certificate is self-signed'],
  SELF_SIGNED_CERT_IN_CHAIN: ['CERTIFICATE_REFUSED', 'its certificate comes from a private authority'],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: [
    'CERTIFICATE_REFUSED',
    'it does not send the whole chain up to an authority',
  ],
  UNABLE_TO_GET_ISSUER_CERT: ['CERTIFICATE_REFUSED', 'the authority of its certificate is unknown here'],
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: [
    'CERTIFICATE_REFUSED',
    'the authority of its certificate is unknown here',
  ],
  ERR_TLS_CERT_ALTNAME_INVALID: ['CERTIFICATE_REFUSED', 'its certificate is for another host name'],
  // The exchange itself.
  UND_ERR_HEADERS_TIMEOUT: ['TIMED_OUT', 'the response did not begin in time'],
  UND_ERR_BODY_TIMEOUT: ['TIMED_OUT', 'the response stopped in the middle'],
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: ['TRUNCATED', 'the response is shorter than announced'],
  UND_ERR_HEADERS_OVERFLOW: ['NOT_HTTP', 'the headers of the response are larger than 16 kB'],
  EPROTO: ['NOT_HTTP', 'TLS could not be agreed on'],
};

interface TransportContext {
  /** Whether the headers of the response had arrived. */
  readonly begun: boolean;
  /** Whether the cause must not show host and port. */
  readonly secretAddress?: boolean | undefined;
}

/** Explains an error of undici or of Node. */
function explainTransport(
  error: unknown,
  { begun, secretAddress = false }: TransportContext,
): TransportFailure {
  const code = codeOf(error);
  const [condition, seen] = explanations[code] ?? byFamily(code, begun);
  const cause = secretAddress ? Object.assign(new Error(code), { code }) : strippedCause(error, code);
  const detail =
    error instanceof Error && code.startsWith('PROXY_') && 'detail' in error ? error.detail : code;
  const failure = { condition, seen: detail ? `${seen} (${detail})` : seen, cause };
  return code === 'EAI_AGAIN' ? { ...failure, transient: true } : failure;
}

const incomplete: Explanation = ['TRUNCATED', 'the response is incomplete'];

function byFamily(code: string, begun: boolean): Explanation {
  if (code.startsWith('CERT_')) return ['CERTIFICATE_REFUSED', 'its certificate is not accepted'];
  if (code.startsWith('ERR_SSL_')) return ['NOT_HTTP', 'TLS could not be agreed on'];
  if (code.startsWith('HPE_')) return begun ? incomplete : ['NOT_HTTP', 'the response is not HTTP'];
  if (code === 'UND_ERR_INVALID_ARG') return ['REQUEST_REFUSED', 'a header or the path cannot be sent'];
  return begun ? incomplete : ['CONNECTION_LOST', 'the connection was closed before a response arrived'];
}

/** The message and code alone: undici's errors also carry sockets, and pieces of the response that may hold a token. */
function strippedCause(error: unknown, code: string): Error {
  const errors = error instanceof AggregateError ? error.errors : [error];
  const messages = errors.map((each) => (each instanceof Error ? each.message : String(each)));
  return Object.assign(new Error(messages.join('; ')), { code });
}

/** Where several addresses of a host were tried, the code of the first failure. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  if ('code' in error && typeof error.code === 'string') return error.code;
  // Some errors of undici's parser have no code.
  if (error.name === 'HTTPParserError') return 'HPE_INVALID';
  return error instanceof AggregateError ? codeOf(error.errors[0]) : '';
}
