const imfDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;
const rfc850Date = /^[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/;
const asctimeDate = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/;

/** Parses an HTTP date in any of its three forms (RFC 9110, 5.6.7): milliseconds since the epoch, or null. */
export function parseHttpDate(text: string): number | null {
  const utc = asctimeDate.test(text) ? `${text} GMT` : text;
  if (utc === text && !imfDate.test(text) && !rfc850Date.test(text)) return null;
  const time = Date.parse(utc);
  return Number.isNaN(time) ? null : time;
}

interface ResponseTimes {
  /** The `Date` of the response, where there was one. */
  readonly serverTime: number | null;
  /** The time of this machine. */
  readonly now: number;
}

/**
 * The wait in milliseconds that a `Retry-After` header requests, in seconds or as a date. A date is compared with the
 * `Date` of the same response, so that a wrong clock on this machine does no harm. Null where there is no usable
 * request: no header, zero, a negative number, a date in the past, any other text.
 */
export function requestedWait(retryAfter: string | null, { serverTime, now }: ResponseTimes): number | null {
  const text = retryAfter?.trim() ?? '';
  const seconds = /^\d+$/.test(text) ? Number(text) : null;
  const until = parseHttpDate(text);
  const wait = seconds !== null ? seconds * 1000 : until !== null ? until - (serverTime ?? now) : 0;
  return wait > 0 ? wait : null;
}
