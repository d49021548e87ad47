/** The result of one check. */
export interface Finding {
  readonly check: string;
  readonly outcome: 'ok' | 'warning' | 'failed' | 'skipped';
  /** What was seen, in a sentence; where something is wrong, also what to do about it. */
  readonly text: string;
}

/** A failed check, in the words of the error. */
export function failed(check: string, error: unknown): Finding {
  const message = error instanceof Error ? error.message : String(error);
  const cause = error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : '';
  return { check, outcome: 'failed', text: `${message}${cause}` };
}

/** Milliseconds by which the clock of this machine is ahead of a service's, by the service's name. */
export type ClockDifferences = Map<string, number>;
