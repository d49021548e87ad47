import type { Clock } from '../../run/clock.ts';
import type { Log } from '../../run/log.ts';
import { type Access, anonymous, below, defaultLimits, type Limits } from './access.ts';
import { createAttempts, type Exchange, type Traffic } from './attempt.ts';
import { isLoopback } from './loopback.ts';
import type { HttpResponse } from './response.ts';
import type { ServiceError, ServiceErrors } from './service-error.ts';

/** A client of one service under one base address, with a retry policy and limits. */
export interface Http {
  readonly url: string;
  /**
   * Sends a request and returns what `read` makes of the response. An idempotent request is retried after a transient
   * error, including one that `read` throws. Any request is sent once more after a 401 when the access was renewed.
   *
   * @throws {ServiceError} the service's own, for redirects, transient errors that retries did not cure, and broken
   * responses. Other statuses are left to `read`. Errors of `read` and of the access pass through unchanged.
   */
  send<Result>(exchange: Exchange, read: (response: HttpResponse) => Result): Promise<Result>;
  readonly traffic: Traffic;
  close(): Promise<void>;
}

export interface HttpOptions {
  readonly base: URL;
  readonly errors: ServiceErrors;
  readonly access: Access;
  readonly clock: Clock;
  readonly log: Log;
  /** Milliseconds since the epoch; no request and no wait goes beyond it. */
  readonly deadline?: number | undefined;
  /** When aborted, the exchange under way ends at once and fails with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  readonly limits?: Partial<Limits> | undefined;
  readonly userAgent?: string | undefined;
  /** The most requests at once; 1 by default, out of respect for public services. */
  readonly connections?: number;
}

/** Creates a client that sends to addresses below the base only, is limited in time and size, and refuses redirects. */
export function createHttp(options: HttpOptions): Http {
  const { base, errors, access, clock, log, deadline = Number.POSITIVE_INFINITY, connections = 1 } = options;
  const signal = options.signal ?? new AbortController().signal;
  const limits = { ...defaultLimits, ...options.limits };
  const traffic = { requests: 0, retries: 0, throttled: 0, bytes: 0 };
  const shared = { errors, clock, log, limits, deadline, signal };
  const attempts = createAttempts({ ...shared, base, connections, traffic });
  const retryPolicy = createRetryPolicy(shared);
  const defaultHeaders = {
    accept: 'application/json',
    'accept-encoding': 'gzip',
    'user-agent': options.userAgent ?? defaultUserAgent,
  };
  if (access !== anonymous && base.protocol === 'http:' && !isLoopback(base.hostname)) {
    log.warn('Credentials are sent unencrypted: the address is http, not https', { url: base.href });
  }

  async function send<Result>(exchange: Exchange, read: (response: HttpResponse) => Result): Promise<Result> {
    const idempotent = exchange.idempotent ?? exchange.method !== 'POST';
    const url = below(base, exchange.path, exchange.query);
    if (!url) {
      throw new errors.error({
        condition: 'ADDRESS_WRONG',
        action: `Asking ${errors.service}${errors.secretAddress ? '' : ` at ${base.href}`}`,
        seen: `${JSON.stringify(exchange.path)} lies outside the base address`,
      });
    }
    let credentials: Readonly<Record<string, string>> = {};
    const attempt = async (): Promise<HttpResponse> => {
      credentials = await access.headers();
      return attempts.send(exchange, url, { ...defaultHeaders, ...exchange.headers, ...credentials });
    };

    let renewed = false;
    for (let retry = 0; ; retry += 1) {
      try {
        let response = await attempt();
        if (response.status === 401 && !renewed && (await access.renew(credentials))) {
          renewed = true;
          response = await attempt();
        }
        const result = read(response);
        retryPolicy.recordSuccess();
        return result;
      } catch (error) {
        await retryPolicy.waitOrThrow(error, { retry, idempotent, url });
        traffic.retries += 1;
      }
    }
  }

  return { url: base.href, send, traffic, close: attempts.close };
}

/** Names the program that asks and where to find its operators. The version is that of package.json. */
export const defaultUserAgent =
  'gene-panel-notifier/0.2.0 (+https://github.com/gene-panel-notifier/gene-panel-notifier)';

interface RetryPolicyOptions extends Pick<HttpOptions, 'errors' | 'clock' | 'log'> {
  readonly limits: Limits;
  readonly deadline: number;
  readonly signal: AbortSignal;
}

interface FailedAttempt {
  /** Retries made before. */
  readonly retry: number;
  readonly idempotent: boolean;
  readonly url: URL;
}

interface RetryPolicy {
  /**
   * Returns when the request may be sent again.
   *
   * @throws the error itself when a retry is not worth it, or `…_NOT_BEFORE` when the service requests a longer wait
   */
  waitOrThrow(error: unknown, failed: FailedAttempt): Promise<void>;
  /** To call after each success: gives one retry back to the budget. */
  recordSuccess(): void;
}

/**
 * Decides whether a request is retried, and after what wait: full jitter below a bound that doubles, and never before
 * the service allows. All requests share one budget of retries, so that long reading does not multiply the load on a
 * service that is failing.
 */
function createRetryPolicy(options: RetryPolicyOptions): RetryPolicy {
  const { errors, clock, log, limits, deadline, signal } = options;
  let budget = limits.retryBudget;

  async function waitOrThrow(error: unknown, { retry, idempotent, url }: FailedAttempt): Promise<void> {
    if (!(error instanceof errors.error) || !error.transient) throw error;
    const requested = error.notBefore === null ? 0 : error.notBefore - clock.now();
    const jitter = clock.random() * Math.min(limits.longestBackoffMs, limits.backoffMs * 2 ** retry);
    const waitMs = Math.ceil(Math.max(requested, jitter));
    const worthIt = idempotent && retry < limits.retries && budget > 0;
    if (!worthIt || requested > limits.longestWaitMs || clock.now() + waitMs >= deadline) {
      throw finalError(error);
    }
    budget -= 1;
    const where = errors.secretAddress ? { service: errors.service } : { url: url.href };
    log.warn('A request is retried', { ...where, code: error.code, retry: retry + 1, waitMs });
    await clock.sleep(waitMs, signal);
  }

  /** The error for the caller. Where the service requested a wait, the caller must know until when. */
  function finalError(error: ServiceError): ServiceError {
    const notBefore = error.notBefore ?? (error.status === 429 ? clock.now() + limits.throttledMs : null);
    if (notBefore === null) return error;
    const until = new Date(notBefore).toISOString();
    return new errors.error({
      condition: 'NOT_BEFORE',
      action: error.action,
      seen: `the response is HTTP ${error.status}, and no request may follow before ${until}`,
      status: error.status ?? 0,
      notBefore,
      cause: error,
    });
  }

  return {
    waitOrThrow,
    recordSuccess: () => {
      budget = Math.min(limits.retryBudget, budget + 1);
    },
  };
}
