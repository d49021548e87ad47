import type { Dispatcher } from 'undici';
import { decodeBody, type Fail, readBody } from './body.ts';
import type { Limits } from './limits.ts';
import { askedWait, parseHttpDate } from './retry-after.ts';
import type { Condition, ServiceErrors } from './service-error.ts';

/** What was answered, its body whole and decoded. Redirects and passing faults of the service never become one. */
export interface Answer {
  readonly status: number;
  /** The `Date` header, in milliseconds since the epoch. */
  readonly serverTime: number | null;
  readonly body: Buffer;
  /** The value of a header (its name in lower case), the first where it came more than once. */
  header(name: string): string | null;
  /** Makes an error that names this exchange. */
  readonly fail: Fail;
}

export interface Reading {
  readonly method: string;
  readonly url: URL;
  /** What is being done, for messages. */
  readonly action: string;
  readonly errors: ServiceErrors;
  readonly limits: Limits;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly signal: AbortSignal;
  /** UnpairedRow the size of the body as it came over the wire. */
  readonly counted: (bytes: number) => void;
}

/** A body that is not read is let run out up to here, so that its connection can be used again. */
const DISCARDED_BYTES = 64 * 1024;

/** Statuses of the moment: the same request, sent again, may well succeed. */
const passingStatuses: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504]);

/**
 * Reads an answer to its end. Fails with `…_REDIRECTED`, `…_UNAVAILABLE` (with `notBefore` where a `Retry-After`
 * states it), `…_TOO_LARGE`, `…_ENCODING_REFUSED` or `…_TRUNCATED`; what the connection itself throws passes.
 */
export async function readAnswer(response: Dispatcher.ResponseData, reading: Reading): Promise<Answer> {
  const { statusCode: status, headers, body: stream } = response;
  const { method, url, action, errors, limits, now, signal, counted } = reading;
  const all = (name: string): string[] => [headers[name] ?? []].flat();
  const header = (name: string): string | null => all(name)[0] ?? null;
  const serverTime = parseHttpDate(header('date') ?? '');

  const refused = refusal(status, errors.secretAddress ? null : header('location'), url);
  if (refused) {
    await stream.dump({ limit: DISCARDED_BYTES, signal }).catch(() => {});
    const asked = askedWait(header('retry-after'), { serverTime, now: now() });
    const notBefore = asked === null ? null : now() + Math.min(asked, limits.longestNotBeforeMs);
    throw new errors.error({ ...refused, action, status, ...(notBefore !== null && { notBefore }) });
  }

  const fail: Fail = (condition, seen, cause) => new errors.error({ condition, action, seen, status, cause });
  const announced = method === 'HEAD' ? 0 : Number(header('content-length') ?? 0);
  const raw = await readBody(stream, { announced, cap: limits.bodyBytes, fail });
  counted(raw.length);
  const body = decodeBody(raw, { encoding: all('content-encoding').join(', '), cap: limits.bodyBytes, fail });
  return { status, serverTime, body, header, fail };
}

interface Refusal {
  readonly condition: Condition;
  readonly seen: string;
}

function refusal(status: number, location: string | null, url: URL): Refusal | null {
  if (passingStatuses.has(status)) return { condition: 'UNAVAILABLE', seen: `the answer is HTTP ${status}` };
  if (status < 300 || status >= 400 || status === 304) return null;
  const target = location !== null && URL.canParse(location, url.href) ? new URL(location, url) : null;
  const where = target ? ` to ${target.origin}${target.pathname}`.slice(0, 200) : '';
  return { condition: 'REDIRECTED', seen: `the answer is a redirect (HTTP ${status})${where}` };
}
