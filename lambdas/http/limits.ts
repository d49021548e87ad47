/** How much of a service's time and data is taken. Times in milliseconds, sizes in bytes. */
export interface Limits {
  /** Until the connection stands, TLS included. */
  readonly connectMs: number;
  /** From the request to the last header of the answer. */
  readonly headersMs: number;
  /** Between two pieces of a body. */
  readonly bodyMs: number;
  /** One request and its whole answer, whatever trickles in. */
  readonly exchangeMs: number;
  /** A body, as sent and as decoded. */
  readonly bodyBytes: number;
  /** Repeats of one request. */
  readonly retries: number;
  /** Repeats that are left over all requests; each request that succeeds gives one back. */
  readonly retryBudget: number;
  /** The longest wait before the first repeat where the service states none; doubled for each that follows. */
  readonly backoffMs: number;
  readonly longestBackoffMs: number;
  /** A longer wait that the service asks for ends the run (`NOT_BEFORE`). */
  readonly longestWaitMs: number;
  /** The wait that is kept after a 429 that names none and does not pass. */
  readonly throttledMs: number;
  /** Nobody is left alone for longer, whatever is asked. */
  readonly longestNotBeforeMs: number;
  /** Pages of one listing. */
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
