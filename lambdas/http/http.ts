import type { Clock } from '../clock/clock.ts';
import type { Log } from '../log/log.ts';
import { type Access, anonymous } from './access.ts';
import { below } from './address.ts';
import type { Answer } from './answer.ts';
import { createAttempts, type Method, type Traffic } from './attempt.ts';
import { defaultLimits, type Limits } from './limits.ts';
import { isLoopback } from './loopback.ts';
import { createRetryPolicy } from './retry-policy.ts';
import type { ServiceErrors } from './service-error.ts';
import { defaultUserAgent } from './user-agent.ts';

/** A request to a resource below the base address. */
export interface Exchange {
  /** By default `GET`. */
  readonly method?: Method;
  /** Relative to the base, its parts percent-encoded: `activities/`. */
  readonly path: string;
  /** As text it is sent as it is. */
  readonly query?: Readonly<Record<string, string>> | string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Whether it may be sent again without harm; by default all but `POST` may. */
  readonly idempotent?: boolean;
}

/** A service under one base address, asked with retryPolicy and within bounds. */
export interface Http {
  /** The base address, with a slash at its end. */
  readonly url: string;
  /**
   * Sends, and gives what `read` makes of the answer, of any status but redirects and passing faults. Repeats
   * what is idempotent and failed in passing (also where `read` says so), and once after a 401 if the access
   * was renewed. Fails with the service's error.
   */
  send<Result>(exchange: Exchange, read: (answer: Answer) => Result): Promise<Result>;
  readonly traffic: Traffic;
  /** Closes all connections. */
  close(): Promise<void>;
}

export interface HttpOptions {
  /** From `serviceUrl`. */
  readonly base: URL;
  readonly errors: ServiceErrors;
  readonly access: Access;
  readonly clock: Clock;
  readonly log: Log;
  /** Milliseconds since the epoch; nothing is waited for beyond it. */
  readonly deadline?: number | undefined;
  /** Once aborted, what is under way ends at once and fails with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  readonly limits?: Partial<Limits> | undefined;
  readonly userAgent?: string | undefined;
  /** Requests under way at once; by default 1, as much as a public service may be asked. */
  readonly connections?: number;
}

/** A guarded way to one service: addresses below the base only, bounded in time and size, redirects refused. */
export function createHttp(options: HttpOptions): Http {
  const { base, errors, access, clock, log, deadline = Number.POSITIVE_INFINITY, connections = 1 } = options;
  const signal = options.signal ?? new AbortController().signal;
  const limits = { ...defaultLimits, ...options.limits };
  const traffic = { requests: 0, retries: 0, bytes: 0 };
  const attempts = createAttempts({ base, errors, clock, limits, connections, deadline, signal, traffic });
  const retryPolicy = createRetryPolicy({ errors, clock, log, limits, deadline, signal });
  const always = {
    accept: 'application/json',
    'accept-encoding': 'gzip',
    'user-agent': options.userAgent ?? defaultUserAgent,
  };
  if (access !== anonymous && base.protocol === 'http:' && !isLoopback(base.hostname)) {
    log.warn('Credentials travel unencrypted: the address is http, not https', { url: base.href });
  }

  async function send<Result>(exchange: Exchange, read: (answer: Answer) => Result): Promise<Result> {
    const { method = 'GET', body, idempotent = method !== 'POST' } = exchange;
    const url = below(base, exchange.path, exchange.query);
    if (!url) {
      throw new errors.error({
        condition: 'ADDRESS_WRONG',
        action: `Asking ${errors.service}${errors.secretAddress ? '' : ` at ${base.href}`}`,
        seen: `${JSON.stringify(exchange.path)} leads out of it`,
      });
    }
    let credentials: Readonly<Record<string, string>> = {};
    const once = async (): Promise<Answer> => {
      credentials = await access.headers();
      return attempts.send({
        method,
        url,
        body,
        headers: { ...always, ...exchange.headers, ...credentials },
      });
    };

    let renewed = false;
    for (let retry = 0; ; retry += 1) {
      try {
        let answer = await once();
        if (answer.status === 401 && !renewed && (await access.renew(credentials))) {
          renewed = true;
          answer = await once();
        }
        const result = read(answer);
        retryPolicy.restore();
        return result;
      } catch (error) {
        await retryPolicy.wait(error, { retry, idempotent, url });
        traffic.retries += 1;
      }
    }
  }

  return { url: base.href, send, traffic, close: attempts.close };
}
