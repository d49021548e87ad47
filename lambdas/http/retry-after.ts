const imfDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;
const rfc850Date = /^[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/;
const asctimeDate = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/;

/** A date of HTTP, in any of its three forms (RFC 9110, 5.6.7): milliseconds since the epoch, or null. */
export function parseHttpDate(text: string): number | null {
  const utc = asctimeDate.test(text) ? `${text} GMT` : text;
  if (utc === text && !imfDate.test(text) && !rfc850Date.test(text)) return null;
  const time = Date.parse(utc);
  return Number.isNaN(time) ? null : time;
}

export interface AnswerTimes {
  /** The `Date` of the answer, where there was one. */
  readonly serverTime: number | null;
  /** The reader's own time. */
  readonly now: number;
}

/**
 * The wait in milliseconds that a `Retry-After` header asks for, as seconds or as a date, which is compared with
 * the answer's own `Date`, so that a clock that is wrong here does no harm. Null where nothing usable is
 * asked: no header, zero, a negative number, a date gone by, any other text.
 */
export function askedWait(retryAfter: string | null, { serverTime, now }: AnswerTimes): number | null {
  const text = retryAfter?.trim() ?? '';
  const seconds = /^\d+$/.test(text) ? Number(text) : null;
  const until = parseHttpDate(text);
  const wait = seconds !== null ? seconds * 1000 : until !== null ? until - (serverTime ?? now) : 0;
  return wait > 0 ? wait : null;
}
