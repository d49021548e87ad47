import type { Clock } from '../clock/clock.ts';
import type { Log } from '../log/log.ts';
import type { Limits } from './limits.ts';
import type { ServiceError, ServiceErrors } from './service-error.ts';

export interface RetryPolicyOptions {
  readonly errors: ServiceErrors;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits: Limits;
  /** Milliseconds since the epoch; `Infinity` for none. */
  readonly deadline: number;
  /** Ends the wait. */
  readonly signal: AbortSignal;
}

interface Failed {
  /** How often it was repeated before. */
  readonly retry: number;
  readonly idempotent: boolean;
  readonly url: URL;
}

export interface RetryPolicy {
  /** Returns when the request may be sent again; else fails with the error, or with `…_NOT_BEFORE` that it causes. */
  wait(error: unknown, failed: Failed): Promise<void>;
  /** To be told of each success. */
  restore(): void;
}

/**
 * Decides whether a request is repeated and after what wait: full jitter over a bound that doubles, and never
 * before the service allows. All requests share a budget, so that a service in trouble is not asked for more
 * the more there is to read.
 */
export function createRetryPolicy(options: RetryPolicyOptions): RetryPolicy {
  const { errors, clock, log, limits, deadline, signal } = options;
  let budget = limits.retryBudget;

  async function wait(error: unknown, { retry, idempotent, url }: Failed): Promise<void> {
    if (!(error instanceof errors.error) || !error.passing) throw error;
    const asked = error.notBefore === null ? 0 : error.notBefore - clock.now();
    const jitter = clock.random() * Math.min(limits.longestBackoffMs, limits.backoffMs * 2 ** retry);
    const waitMs = Math.ceil(Math.max(asked, jitter));
    const worthIt = idempotent && retry < limits.retries && budget > 0;
    if (!worthIt || asked > limits.longestWaitMs || clock.now() + waitMs >= deadline) throw lastWord(error);
    budget -= 1;
    const where = errors.secretAddress ? { service: errors.service } : { url: url.href };
    log.warn('A request is repeated', { ...where, code: error.code, retry: retry + 1, waitMs });
    await clock.sleep(waitMs, signal);
  }

  /** Where the service asked to be left alone, that is what the caller must know. */
  function lastWord(error: ServiceError): ServiceError {
    const notBefore = error.notBefore ?? (error.status === 429 ? clock.now() + limits.throttledMs : null);
    if (notBefore === null) return error;
    const until = new Date(notBefore).toISOString();
    return new errors.error({
      condition: 'NOT_BEFORE',
      action: error.action,
      seen: `the answer is HTTP ${error.status}, and no more is to be asked before ${until}`,
      status: error.status ?? 0,
      notBefore,
      cause: error,
    });
  }

  return {
    wait,
    restore: () => {
      budget = Math.min(limits.retryBudget, budget + 1);
    },
  };
}
