import type { ServerResponse } from 'node:http';
import * as z from 'zod';
import type { Clock } from '../../lambdas/clock/clock.ts';
import type { ListAnswer } from './paged-list.ts';

/** What can go wrong with an answer, as given in process and over HTTP. */
export const faultSchema = z.discriminatedUnion('kind', [
  /** Any status; `retryAfter` is sent as it is, so that it can be seconds, a date or nonsense. */
  z.strictObject({
    kind: z.literal('status'),
    status: z.int().min(200).max(599),
    retryAfter: z.string().optional(),
    headers: z.record(z.string(), z.string()).optional(),
    body: z.string().optional(),
  }),
  /** A maintenance page with status 200. */
  z.strictObject({ kind: z.literal('html') }),
  /** A body of one's own with status 200. */
  z.strictObject({
    kind: z.literal('body'),
    body: z.string(),
    contentType: z.string().optional(),
  }),
  /** Half of the right body; `declared` says whether Content-Length promises the whole. */
  z.strictObject({ kind: z.literal('truncated'), declared: z.boolean().default(true) }),
  z.strictObject({
    kind: z.literal('redirect'),
    location: z.string(),
    status: z.int().min(300).max(399).default(302),
  }),
  /** Half of the right body, a wait, the other half. */
  z.strictObject({ kind: z.literal('slow'), waitMs: z.number().min(0) }),
  /** Headers, and never a byte of the body. */
  z.strictObject({ kind: z.literal('silence') }),
  /** The connection breaks before any answer. */
  z.strictObject({ kind: z.literal('reset') }),
]);

export type Fault = z.input<typeof faultSchema>;
type CheckedFault = z.output<typeof faultSchema>;

/** Which requests meet it. */
export interface FaultScope {
  /** How many; 1 where nothing is said. */
  readonly times?: number;
  /** Only those whose path holds this, as `activities`. */
  readonly path?: string;
}

/** Faults that wait for requests, in the order in which they were given. */
export interface FaultQueue {
  add(fault: Fault, scope?: FaultScope): void;
  clear(): void;
  /** The fault that the request meets, if any. */
  next(path: string): CheckedFault | undefined;
}

export function faultQueue(): FaultQueue {
  let waiting: { readonly fault: CheckedFault; readonly path: string; times: number }[] = [];
  return {
    add: (fault, { times = 1, path = '' } = {}) => {
      waiting.push({ fault: faultSchema.parse(fault), path, times });
    },
    clear: () => {
      waiting = [];
    },
    next(path) {
      const met = waiting.find((one) => path.includes(one.path));
      if (!met) return undefined;
      met.times -= 1;
      if (met.times <= 0) waiting = waiting.filter((one) => one !== met);
      return met.fault;
    },
  };
}

export interface FaultyAnswer {
  /** What the answer would have been. */
  readonly answer: () => ListAnswer;
  readonly headers: Readonly<Record<string, string>>;
  readonly clock: Clock;
  /** Aborted when the catalogue closes. */
  readonly closing: AbortSignal;
}

const maintenance =
  '<!DOCTYPE html><html><head><title>Maintenance</title></head><body><h1>Back soon</h1></body></html>';

/** Answers wrongly. */
export async function sendFault(
  fault: CheckedFault,
  outgoing: ServerResponse,
  { answer, headers, clock, closing }: FaultyAnswer,
): Promise<void> {
  const begin = (status: number, length: number | undefined, more: Record<string, string> = {}): void => {
    outgoing.writeHead(status, {
      ...headers,
      ...(length === undefined ? {} : { 'Content-Length': String(length) }),
      ...more,
    });
  };
  const html = { 'Content-Type': 'text/html; charset=utf-8' };
  switch (fault.kind) {
    case 'status': {
      const body = Buffer.from(fault.body ?? JSON.stringify({ detail: 'Not this time.' }));
      const retryAfter = fault.retryAfter === undefined ? {} : { 'Retry-After': fault.retryAfter };
      begin(fault.status, body.length, { ...retryAfter, ...fault.headers });
      outgoing.end(body);
      return;
    }
    case 'html':
      begin(200, Buffer.byteLength(maintenance), html);
      outgoing.end(maintenance);
      return;
    case 'body':
      begin(
        200,
        Buffer.byteLength(fault.body),
        fault.contentType ? { 'Content-Type': fault.contentType } : {},
      );
      outgoing.end(fault.body);
      return;
    case 'truncated': {
      const [half, whole] = halfOf(answer());
      begin(200, fault.declared ? whole.length : undefined);
      outgoing.write(half, () => outgoing.destroy());
      return;
    }
    case 'redirect':
      begin(fault.status, 0, { Location: fault.location });
      outgoing.end();
      return;
    case 'slow': {
      const [half, whole] = halfOf(answer());
      begin(200, whole.length);
      outgoing.write(half);
      await clock.sleep(fault.waitMs, closing).catch(() => undefined);
      outgoing.end(whole.subarray(half.length));
      return;
    }
    case 'silence':
      begin(200, halfOf(answer())[1].length);
      outgoing.flushHeaders();
      return;
    case 'reset':
      outgoing.destroy();
  }
}

function halfOf({ body }: ListAnswer): readonly [half: Buffer, whole: Buffer] {
  const whole = Buffer.from(body);
  return [whole.subarray(0, Math.ceil(whole.length / 2)), whole];
}
