import type { Clock } from '../../run/clock.ts';
import type { Log } from '../../run/log.ts';
import type { Limits } from './limits.ts';
import type { ServiceError, ServiceErrors } from './service-error.ts';

interface RetryPolicyOptions {
  readonly errors: ServiceErrors;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits: Limits;
  /** Milliseconds since the epoch; `Infinity` for none. */
  readonly deadline: number;
  /** Ends the wait. */
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
export function createRetryPolicy(options: RetryPolicyOptions): RetryPolicy {
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
