/** Limits of time and size. Times in milliseconds, sizes in bytes. */
export interface Limits {
  /** To connect, TLS included. */
  readonly connectMs: number;
  /** From the request to the last header of the response. */
  readonly headersMs: number;
  /** Between two pieces of a body. */
  readonly bodyMs: number;
  /** For one request and its whole response. */
  readonly exchangeMs: number;
  /** The largest body, both as sent and decompressed. */
  readonly bodyBytes: number;
  readonly retries: number;
  /** Retries of all requests together; each success gives one back. */
  readonly retryBudget: number;
  /** The longest wait before the first retry where the service names none; doubled for each further retry. */
  readonly backoffMs: number;
  /** The longest wait before a retry where the service names none. */
  readonly longestBackoffMs: number;
  /** A `Retry-After` beyond this is not waited for: the run ends with `NOT_BEFORE`. */
  readonly longestWaitMs: number;
  /** The wait that `NOT_BEFORE` states after a 429 without `Retry-After`. */
  readonly throttledMs: number;
  /** The longest wait between two requests, even where `Retry-After` asks for more. */
  readonly longestNotBeforeMs: number;
  readonly pages: number;
}

export const defaultLimits: Limits = {
  connectMs: 5_000,
  headersMs: 20_000,
  bodyMs: 10_000,
  exchangeMs: 60_000,
  bodyBytes: 32 * 1024 * 1024,
  retries: 3,
  retryBudget: 10,
  backoffMs: 1_000,
  longestBackoffMs: 8_000,
  longestWaitMs: 20_000,
  throttledMs: 60_000,
  longestNotBeforeMs: 24 * 60 * 60 * 1000,
  pages: 500,
};
