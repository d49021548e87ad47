/** A message that failed for a day. Moving it back to the queue sends it again. */
export interface DeadLetter {
  readonly deadLetter: {
    readonly delivery: string;
    readonly subscription: string;
    readonly channel: string;
    /** Why the last attempt failed. */
    readonly reason: string;
  };
}
