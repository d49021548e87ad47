import type { Answer } from './answer.ts';

/** Deeper than any resource; what is deeper would overflow the stack of whoever walks it. */
const DEEPEST = 32;

const decoder = new TextDecoder();

/**
 * The JSON value in an answer's body, whatever its content type says. Fails with `…_EMPTY`, `…_HTML`, `…_JSON_WRONG`,
 * `…_JSON_TOO_DEEP` or `…_KEYS_REPEATED`. A number that JavaScript would write otherwise (3.10,
 * 12345678901234567890) is no number in the result but an object that `JSON.stringify` writes out as it came,
 * so that no schema takes it for a number or a text; whole numbers that are exact stay numbers, however they
 * are written. Fields named `__proto__` are left out.
 */
export function readJson(answer: Answer): unknown {
  const { body, fail } = answer;
  if (body.length === 0)
    throw fail('EMPTY', `the answer (HTTP ${answer.status}) has no body; JSON was wanted`);
  const text = decoder.decode(body);
  const value = parse(text, answer);
  const found: Found = { keys: 0, changedNumbers: false };
  if (!walk(value, DEEPEST, found)) {
    throw fail('JSON_TOO_DEEP', `the JSON of the answer is nested more than ${DEEPEST} levels deep`);
  }
  if (repeatsKeys(text, found.keys)) {
    throw fail('KEYS_REPEATED', 'an object in the JSON of the answer has the same field twice');
  }
  return found.changedNumbers ? parseExactly(text) : value;
}

/** The words of the engine's own error quote the body, which may hold a token: they are not passed on. */
function parse(text: string, { body, fail }: Answer): unknown {
  try {
    return JSON.parse(text);
  } catch {
    if (/^\s*</.test(text)) throw fail('HTML', 'the answer is a web page (HTML), where JSON was wanted');
    throw fail('JSON_WRONG', `the answer (${body.length} bytes) is not JSON, or not all of it`);
  }
}

interface Found {
  keys: number;
  /** There is a number that is no safe integer, and may not be what the text says. */
  changedNumbers: boolean;
}

/** Counts keys, finds suspicious numbers and drops `__proto__`; false where it is too deep. */
function walk(value: unknown, levels: number, found: Found): boolean {
  if (typeof value === 'number') found.changedNumbers ||= !Number.isSafeInteger(value);
  if (typeof value !== 'object' || value === null) return true;
  if (levels === 0) return false;
  if (Array.isArray(value)) return value.every((item) => walk(item, levels - 1, found));
  const fields = value as Record<string, unknown>;
  for (const key in fields) {
    found.keys += 1;
    if (!walk(fields[key], levels - 1, found)) return false;
    if (key === '__proto__') delete fields[key];
  }
  return true;
}

/**
 * `JSON.parse` silently keeps the last of two values of one key: then the text has more keys than the value. The
 * quick count can be wrong where text values hold quotes and colons; the exact one then decides.
 */
function repeatsKeys(text: string, keys: number): boolean {
  let quick = 0;
  for (let at = text.indexOf('":'); at >= 0; at = text.indexOf('":', at + 2)) quick += 1;
  return quick !== keys && countKeys(text) > keys;
}

const QUOTE = 34;
const BACKSLASH = 92;

/** The strings before a colon in a text that is known to be JSON. */
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
