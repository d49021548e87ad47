import type { HttpResponse } from './response.ts';

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
