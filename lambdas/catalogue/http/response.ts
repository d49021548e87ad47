import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import type { Dispatcher } from 'undici';
import type { Clock } from '../../run/clock.ts';
import type { Log } from '../../run/log.ts';
import type { Limits } from './access.ts';
import type { Condition, ServiceErrors } from './service-error.ts';

/**
 * A complete HTTP response with its body decompressed. Never a redirect, and never a transient status such as 503 that
 * the exchange does not name among its `answers`.
 */
export interface HttpResponse {
  readonly status: number;
  /** The `Date` header, in milliseconds since the epoch. */
  readonly serverTime: number | null;
  readonly body: Buffer;
  /** The body as UTF-8. Bytes that are not UTF-8 become U+FFFD, and a warning is logged. */
  text(): string;
  /** The value of a header (`name` in lower case); the first value where there are several. */
  header(name: string): string | null;
  /** Makes an error that names this exchange. */
  readonly fail: Fail;
}

/** What a resource answers. */
export interface Expected {
  /** Statuses that are an answer of this resource, although for others they mean that the service is unavailable. */
  readonly answers?: readonly number[];
  /**
   * Whether a status from 200 to 299 is success with any body: a body that is late, too large or cannot be read
   * is then empty.
   */
  readonly bodyIsOptional?: boolean;
  /** The largest body of this resource in bytes, where that is less than the limit of all. */
  readonly mostBytes?: number;
}

interface ResponseContext {
  readonly method: string;
  readonly url: URL;
  /** What is being done, for messages. */
  readonly action: string;
  readonly expected: Expected;
  readonly errors: ServiceErrors;
  readonly limits: Limits;
  readonly log: Log;
  readonly clock: Pick<Clock, 'now'>;
  readonly signal: AbortSignal;
  /** Takes the credentials of the request out of a text that the service answered. */
  readonly hide: (text: string) => string;
  /** Gets the size of the body as sent. */
  readonly traffic: { bytes: number };
}

/** How long the body of an answer is read that its status gives already, in milliseconds. */
const OPTIONAL_BODY_MS = 2_000;

/** An unwanted body is read up to this size, so that its connection can be used again. */
const DISCARDED_BYTES = 64 * 1024;

/** The same request may succeed when it is sent again. */
const transientStatuses: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504]);

/**
 * Reads a response to its end. Errors of the connection itself pass through unchanged.
 *
 * @throws {ServiceError} `…_REDIRECTED`, `…_UNAVAILABLE` (with `notBefore` where `Retry-After` gives one),
 * `…_TOO_LARGE`, `…_ENCODING_REFUSED` or `…_TRUNCATED`
 */
export async function readResponse(
  response: Dispatcher.ResponseData,
  context: ResponseContext,
): Promise<HttpResponse> {
  const { statusCode: status, headers, body: stream } = response;
  const { method, url, action, errors, limits, log, clock, signal, hide, traffic } = context;
  const { answers = [], bodyIsOptional = false, mostBytes = limits.bodyBytes } = context.expected;
  const all = (name: string): string[] => [headers[name] ?? []].flat();
  const header = (name: string): string | null => all(name)[0] ?? null;
  const serverTime = parseHttpDate(header('date') ?? '');

  const location = errors.secretAddress ? null : header('location');
  const refusal = answers.includes(status) ? null : refusalOf(status, location, { url, hide });
  if (refusal) {
    await stream.dump({ limit: DISCARDED_BYTES, signal }).catch(() => {});
    const wait = requestedWait(header('retry-after'), { serverTime, now: clock.now() });
    const notBefore = wait === null ? null : clock.now() + Math.min(wait, limits.longestNotBeforeMs);
    throw new errors.error({ ...refusal, action, status, ...(notBefore !== null && { notBefore }) });
  }

  const fail: Fail = (condition, seen, cause) =>
    new errors.error({ condition, action, seen: hide(seen), status, cause: hiddenIn(cause, hide) });
  const announced = method === 'HEAD' ? 0 : Number(header('content-length') ?? 0);
  const limit = Math.min(mostBytes, limits.bodyBytes);
  const read = async (): Promise<Buffer> => {
    const raw = await readBody(stream, { announced, limit, fail });
    traffic.bytes += raw.length;
    return decodeBody(raw, { encoding: all('content-encoding').join(', '), limit, fail });
  };
  const body =
    bodyIsOptional && status >= 200 && status < 300 ? await readOptional(stream, read) : await read();
  const text = (): string => {
    if (!isUtf8(body)) {
      log.warn('A response is not valid UTF-8: each wrong byte was replaced by U+FFFD', { action });
    }
    return new TextDecoder().decode(body);
  };
  return { status, serverTime, body, text, header, fail };
}

async function readOptional(stream: Readable, read: () => Promise<Buffer>): Promise<Buffer> {
  stream.on('error', () => {});
  AbortSignal.timeout(OPTIONAL_BODY_MS).addEventListener('abort', () => stream.destroy());
  try {
    return await read();
  } catch {
    stream.destroy();
    return Buffer.alloc(0);
  }
}

/** The parser of JSON quotes what it refuses. */
function hiddenIn(cause: unknown, hide: (text: string) => string): unknown {
  if (!(cause instanceof Error) || hide(cause.message) === cause.message) return cause;
  return Object.assign(new Error(hide(cause.message)), { name: cause.name });
}

interface Refusal {
  readonly condition: Condition;
  readonly seen: string;
}

function refusalOf(
  status: number,
  location: string | null,
  { url, hide }: Pick<ResponseContext, 'url' | 'hide'>,
): Refusal | null {
  if (transientStatuses.has(status))
    return { condition: 'UNAVAILABLE', seen: `the response is HTTP ${status}` };
  if (status < 300 || status >= 400 || status === 304) return null;
  const target = location !== null && URL.canParse(location, url.href) ? new URL(location, url) : null;
  const where = target ? ` to ${hide(target.origin + target.pathname).slice(0, 200)}` : '';
  return { condition: 'REDIRECTED', seen: `the response is a redirect (HTTP ${status})${where}` };
}

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

type Fail = (condition: Condition, seen: string, cause?: unknown) => Error;

interface BodyOptions {
  /** The `Content-Length`; 0 where there is none. */
  readonly announced: number;
  readonly limit: number;
  readonly fail: Fail;
}

/**
 * Reads a whole body as sent.
 *
 * @throws {ServiceError} `…_TOO_LARGE` as soon as it is known to exceed `limit` bytes
 */
async function readBody(
  stream: Readable,
  { announced, limit, fail }: BodyOptions,
): Promise<Buffer<ArrayBufferLike>> {
  const tooLarge = (): Error => fail('TOO_LARGE', `the response is larger than ${limit} bytes`);
  if (announced > limit) {
    stream.on('error', () => {}).destroy();
    throw tooLarge();
  }
  const read: Buffer[] = [];
  let size = 0;
  for await (const piece of stream as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size > limit) throw tooLarge();
    read.push(piece);
  }
  return read.length === 1 && read[0] ? read[0] : Buffer.concat(read);
}

interface DecodeOptions {
  /** The whole `Content-Encoding` header. */
  readonly encoding: string;
  readonly limit: number;
  readonly fail: Fail;
}

/**
 * Decompresses gzip, the only encoding that requests offer.
 *
 * @throws {ServiceError} `…_ENCODING_REFUSED` for nested and other encodings, `…_TRUNCATED` for incomplete gzip,
 * `…_TOO_LARGE` as soon as the result exceeds `limit` bytes
 */
function decodeBody(body: Buffer, { encoding, limit, fail }: DecodeOptions): Buffer {
  const name = encoding.trim().toLowerCase();
  if (name === '' || name === 'identity' || body.length === 0) return body;
  if (name !== 'gzip' && name !== 'x-gzip') {
    throw fail(
      'ENCODING_REFUSED',
      `the response is encoded as ${JSON.stringify(name.slice(0, 60))}, though only gzip was offered`,
    );
  }
  try {
    return gunzipSync(body, { maxOutputLength: limit });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code === 'ERR_BUFFER_TOO_LARGE') {
      throw fail('TOO_LARGE', `the response is larger than ${limit} bytes when it is decompressed`);
    }
    if (code === 'Z_BUF_ERROR') throw fail('TRUNCATED', 'the compressed response is incomplete', error);
    throw fail('ENCODING_REFUSED', 'the response claims to be gzip and is not', error);
  }
}

/** Deeper than any resource. Recursion over deeper values could overflow the stack. */
const DEEPEST = 32;

/**
 * Parses the JSON body of a response, with any content type.
 *
 * A number that JavaScript would write differently (3.10, 12345678901234567890) becomes an object that `JSON.stringify`
 * writes as it was received. So no schema accepts it as a number or as text. Whole numbers that are exact stay numbers,
 * however they are written. Fields named `__proto__` are left out.
 *
 * @throws {ServiceError} `…_EMPTY`, `…_HTML`, `…_JSON_WRONG`, `…_JSON_TOO_DEEP` or `…_KEYS_REPEATED`
 */
export function readJson(response: HttpResponse): unknown {
  const { body, fail } = response;
  if (body.length === 0) {
    throw fail('EMPTY', `the response (HTTP ${response.status}) has no body; expected JSON`);
  }
  const text = response.text();
  const value = parse(text, response);
  const found: Found = { keys: 0, changedNumbers: false };
  if (!walk(value, DEEPEST, found)) {
    throw fail('JSON_TOO_DEEP', `the JSON of the response is nested more than ${DEEPEST} levels deep`);
  }
  if (repeatsKeys(text, found.keys)) {
    throw fail('KEYS_REPEATED', 'an object in the JSON of the response has the same field twice');
  }
  return found.changedNumbers ? parseExactly(text) : value;
}

/** The engine's own error quotes the body, which may hold a token, so it is not kept as the cause. */
function parse(text: string, { body, fail }: HttpResponse): unknown {
  try {
    return JSON.parse(text);
  } catch {
    if (/^\s*</.test(text)) throw fail('HTML', 'the response is a web page (HTML); expected JSON');
    throw fail('JSON_WRONG', `the response (${body.length} bytes) is not JSON, or is incomplete`);
  }
}

interface Found {
  keys: number;
  /** Some number is not a safe integer, so it may differ from what the text says. */
  changedNumbers: boolean;
}

/** Counts keys, finds numbers that may have changed, removes `__proto__`. False where the value is too deep. */
function walk(value: unknown, levels: number, found: Found): boolean {
  if (typeof value === 'number') found.changedNumbers ||= !Number.isSafeInteger(value);
  if (typeof value !== 'object' || value === null) return true;
  if (levels === 0) return false;
  if (Array.isArray(value)) {
    for (const item of value) if (!walk(item, levels - 1, found)) return false;
    return true;
  }
  const fields = value as Record<string, unknown>;
  for (const key in fields) {
    found.keys += 1;
    if (!walk(fields[key], levels - 1, found)) return false;
    if (key === '__proto__') delete fields[key];
  }
  return true;
}

/**
 * `JSON.parse` silently keeps the last of two values of one key: the text then has more keys than the value. The
 * quick count can be wrong where text values hold quotes and colons; then the exact count decides.
 */
function repeatsKeys(text: string, keys: number): boolean {
  let quick = 0;
  for (let at = text.indexOf('":'); at >= 0; at = text.indexOf('":', at + 2)) quick += 1;
  return quick !== keys && countKeys(text) > keys;
}

const QUOTE = 34;
const BACKSLASH = 92;

/** Counts the strings before a colon in valid JSON. */
function countKeys(text: string): number {
  let keys = 0;
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at)) {
    for (at += 1; text.charCodeAt(at) !== QUOTE; at += 1) if (text.charCodeAt(at) === BACKSLASH) at += 1;
    for (at += 1; ' \n\r\t'.includes(text.charAt(at)) && at < text.length; ) at += 1;
    if (text[at] === ':') keys += 1;
  }
  return keys;
}

function parseExactly(text: string): unknown {
  const value = JSON.parse(text, (_key, value: unknown, { source }) =>
    typeof value !== 'number' || Number.isSafeInteger(value) || String(value) === source
      ? value
      : JSON.rawJSON(source ?? String(value)),
  );
  walk(value, DEEPEST, { keys: 0, changedNumbers: false });
  return value;
}

/** A page of a list. Source: docs/interfaces.md, "List envelope". */
export interface ListPage {
  /** As received. */
  readonly items: readonly unknown[];
  /** Items on all pages together; null where the server's value is unusable. */
  readonly count: number | null;
  /** Whether `next` is set. Its address is never used: page addresses are built from the base. */
  readonly hasNext: boolean;
  readonly serverTime: number | null;
}

/**
 * Reads a response as a page of a list.
 *
 * @throws {ServiceError} `…_LIST_WRONG` when it is not one, and as `expectSuccess` and `readJson` do
 */
export function readPage(response: HttpResponse): ListPage {
  expectSuccess(response);
  const page = readJson(response);
  if (typeof page !== 'object' || page === null || !('results' in page)) {
    throw response.fail('LIST_WRONG', 'the response is JSON, but not a page of a list: "results" is missing');
  }
  const { results } = page;
  if (!Array.isArray(results)) {
    throw response.fail('LIST_WRONG', 'the "results" of the page are not a list');
  }
  const count = 'count' in page ? page.count : null;
  const next = 'next' in page ? page.next : null;
  return {
    items: results,
    count: typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : null,
    hasNext: Boolean(next),
    serverTime: response.serverTime,
  };
}

/**
 * Returns for a status from 200 to 299.
 *
 * @throws {ServiceError} `…_UNAUTHORIZED`, `…_FORBIDDEN`, `…_NOT_FOUND` or `…_REQUEST_REFUSED` for any other
 */
export function expectSuccess({ status, fail }: HttpResponse): void {
  if (status >= 200 && status < 300) return;
  if (status === 401) throw fail('UNAUTHORIZED', 'the response is HTTP 401: credentials missing or unknown');
  if (status === 403) throw fail('FORBIDDEN', 'the response is HTTP 403: the caller lacks the right');
  if (status === 404) throw fail('NOT_FOUND', 'the response is HTTP 404: no such resource');
  throw fail('REQUEST_REFUSED', `the response is HTTP ${status}`);
}
