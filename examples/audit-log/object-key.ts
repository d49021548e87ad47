/**
 * Where an event is kept: `day=2026-11-21/99987885d4e62ec86948430329a1bb05.json`. The day is that of the change, in UTC,
 * so that an event that arrives again, or late, has the same key.
 */
export function objectKey({ id, time }: { readonly id: string; readonly time?: string }): string {
  return `day=${time === undefined ? 'unknown' : time.slice(0, 10)}/${id}.json`;
}
