/** What one check found. */
export interface Finding {
  readonly check: string;
  readonly outcome: 'ok' | 'warning' | 'failed' | 'skipped';
  /** What was seen, as a sentence; where something is wrong, with what to do about it. */
  readonly says: string;
}

/** Collects the times that answers bore, for the check of the clock. */
export interface Heard {
  /** Milliseconds by which the clock here is ahead of a service's, by the service's name. */
  readonly skews: Map<string, number>;
}

/** The failure of a check, in the words of the error. */
export function failed(check: string, error: unknown): Finding {
  const says = error instanceof Error ? error.message : String(error);
  const cause = error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : '';
  return { check, outcome: 'failed', says: `${says}${cause}` };
}
