/** The UTC day of a time in microseconds since the epoch: `2026-02-01`. */
export function dayOf(at: number): string {
  return new Date(Math.floor(at / 1000)).toISOString().slice(0, 10);
}
