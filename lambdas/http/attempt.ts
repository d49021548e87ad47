import request from 'undici/lib/api/api-request.js';
import Pool from 'undici/lib/dispatcher/pool.js';
import type { Clock } from '../clock/clock.ts';
import { type Answer, readAnswer } from './answer.ts';
import type { Limits } from './limits.ts';
import { ServiceError, type ServiceErrors } from './service-error.ts';
import { explainTransport } from './transport-failure.ts';

export type Method = 'GET' | 'HEAD' | 'OPTIONS' | 'POST' | 'PUT';

/** What was sent and received; `bytes` are those of the bodies received, as they came over the wire. */
export interface Traffic {
  readonly requests: number;
  readonly retries: number;
  readonly bytes: number;
}

interface Sending {
  readonly method: Method;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

export interface Attempts {
  /** One request and its answer, not repeated. Fails with the service's error. */
  send(sending: Sending): Promise<Answer>;
  close(): Promise<void>;
}

export interface AttemptOptions {
  readonly base: URL;
  readonly errors: ServiceErrors;
  readonly clock: Clock;
  readonly limits: Limits;
  /** Requests under way at once; more wait for their turn. */
  readonly connections: number;
  /** Milliseconds since the epoch; `Infinity` for none. */
  readonly deadline: number;
  /** Ends the exchange, which then fails with the signal's reason. */
  readonly signal: AbortSignal;
  /** Counted up. */
  readonly traffic: { requests: number; bytes: number };
}

/**
 * Single requests to one origin. A pool is bound to its origin and cannot send anywhere else, whatever an answer
 * says; certificates are checked even where the environment would have it otherwise.
 */
export function createAttempts(options: AttemptOptions): Attempts {
  const { base, errors, clock, limits, connections, deadline, signal: stop, traffic } = options;
  const pool = new Pool(base.origin, {
    connections,
    allowH2: false,
    connect: { timeout: limits.connectMs, rejectUnauthorized: true },
  });

  async function send({ method, url, headers, body = '' }: Sending): Promise<Answer> {
    stop.throwIfAborted();
    const action = describe(method, url, errors);
    const left = deadline - clock.now();
    if (left <= 0) {
      throw new errors.error({ condition: 'DEADLINE', action, seen: 'the time of this run is up' });
    }
    // Sockets live in real time, also where the clock is a made-up one.
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
      const counted = (bytes: number): void => {
        traffic.bytes += bytes;
      };
      return await readAnswer(response, {
        method,
        url,
        action,
        errors,
        limits,
        signal,
        now: clock.now,
        counted,
      });
    } catch (error) {
      stop.throwIfAborted();
      if (error instanceof ServiceError) throw error;
      const failure = signal.aborted
        ? outOfTime(left, limits)
        : explainTransport(error, { begun, secretAddress: errors.secretAddress });
      throw new errors.error({ ...failure, action });
    }
  }

  return { send, close: () => pool.destroy() };
}

function describe(method: Method, url: URL, { service, secretAddress }: ServiceErrors): string {
  if (secretAddress) return `Sending ${method} to ${service}`;
  if (method === 'POST' || method === 'PUT') return `Sending ${method} ${url.href} to ${service}`;
  return `Asking ${service} for ${url.href}`;
}

function outOfTime(left: number, { exchangeMs }: Limits) {
  return left < exchangeMs
    ? ({ condition: 'DEADLINE', seen: 'the time of this run was up before the answer was complete' } as const)
    : ({ condition: 'TIMED_OUT', seen: `the answer was not complete after ${exchangeMs} ms` } as const);
}
