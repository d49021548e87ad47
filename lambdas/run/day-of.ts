import { formatInstant, type Instant } from './instant.ts';

/** `2026-01-31`, or with the time of day where it is not midnight. */
export function dayOf(at: Instant): string {
  const text = formatInstant(at);
  return text.endsWith('T00:00:00.000000Z') ? text.slice(0, 10) : `${text.slice(0, 16).replace('T', ' ')}Z`;
}
