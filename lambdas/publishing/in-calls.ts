interface CallLimits<Entry> {
  /** The most entries of one call. */
  readonly entries: number;
  /** The most bytes of one call. */
  readonly bytes: number;
  readonly bytesOf: (entry: Entry) => number;
}

/** The entries in their order, in as few calls as the limits of a call allow. */
export function inCalls<Entry>(
  entries: readonly Entry[],
  limits: CallLimits<Entry>,
): readonly (readonly Entry[])[] {
  const calls: Entry[][] = [];
  let bytes = 0;
  for (const entry of entries) {
    const size = limits.bytesOf(entry);
    const last = calls.at(-1);
    if (last && last.length < limits.entries && bytes + size <= limits.bytes) {
      last.push(entry);
      bytes += size;
    } else {
      calls.push([entry]);
      bytes = size;
    }
  }
  return calls;
}
