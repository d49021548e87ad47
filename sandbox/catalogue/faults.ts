import type { ServerResponse } from 'node:http';
import * as z from 'zod';
import type { ListResponse } from '../../lambdas/catalogue/paged-list.ts';
import type { Clock } from '../../lambdas/run/clock.ts';

/** The ways in which a response can be wrong. */
export const faultSchema = z.discriminatedUnion('kind', [
  /** Any status. `retryAfter` is sent as given, so it may be seconds, a date or nonsense. */
  z.strictObject({
    kind: z.literal('status'),
    status: z.int().min(200).max(599),
    retryAfter: z.string().optional(),
    headers: z.record(z.string(), z.string()).optional(),
    body: z.string().optional(),
  }),
  /** A maintenance page with status 200. */
  z.strictObject({ kind: z.literal('html') }),
  /** Any body with status 200. */
  z.strictObject({
    kind: z.literal('body'),
    body: z.string(),
    contentType: z.string().optional(),
  }),
  /** Half of the right body. With `declared`, Content-Length announces the whole. */
  z.strictObject({ kind: z.literal('truncated'), declared: z.boolean().default(true) }),
  z.strictObject({
    kind: z.literal('redirect'),
    location: z.string(),
    status: z.int().min(300).max(399).default(302),
  }),
  /** Half of the right body, a wait, the other half. */
  z.strictObject({ kind: z.literal('slow'), waitMs: z.number().min(0) }),
  /** Headers without a body. */
  z.strictObject({ kind: z.literal('silence') }),
  /** The connection is closed without a response. */
  z.strictObject({ kind: z.literal('reset') }),
]);

export type Fault = z.input<typeof faultSchema>;
type CheckedFault = z.output<typeof faultSchema>;

/** The requests that get the fault. */
export interface FaultScope {
  /** How many; 1 by default. */
  readonly times?: number;
  /** Only those whose path contains this, such as `activities`. */
  readonly path?: string;
}

/** The faults that are left, in the order in which they were given. */
export interface FaultQueue {
  add(fault: Fault, scope?: FaultScope): void;
  clear(): void;
  /** The fault for a request with this path, if any. */
  next(path: string): CheckedFault | undefined;
}

/** Creates an empty queue. */
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
      const next = waiting.find((one) => path.includes(one.path));
      if (!next) return undefined;
      next.times -= 1;
      if (next.times <= 0) waiting = waiting.filter((one) => one !== next);
      return next.fault;
    },
  };
}

interface FaultContext {
  /** Returns the correct response. */
  readonly correct: () => ListResponse;
  readonly headers: Readonly<Record<string, string>>;
  readonly clock: Clock;
  /** Aborted when the catalogue closes. */
  readonly closing: AbortSignal;
}

const maintenance =
  '<!DOCTYPE html><html><head><title>Maintenance</title></head><body><h1>Back soon</h1></body></html>';

/** Sends a wrong response. */
export async function sendFault(
  fault: CheckedFault,
  outgoing: ServerResponse,
  { correct, headers, clock, closing }: FaultContext,
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
      const [half, whole] = halfOf(correct());
      begin(200, fault.declared ? whole.length : undefined);
      outgoing.write(half, () => outgoing.destroy());
      return;
    }
    case 'redirect':
      begin(fault.status, 0, { Location: fault.location });
      outgoing.end();
      return;
    case 'slow': {
      const [half, whole] = halfOf(correct());
      begin(200, whole.length);
      outgoing.write(half);
      await clock.sleep(fault.waitMs, closing).catch(() => undefined);
      outgoing.end(whole.subarray(half.length));
      return;
    }
    case 'silence':
      begin(200, halfOf(correct())[1].length);
      outgoing.flushHeaders();
      return;
    case 'reset':
      outgoing.destroy();
  }
}

function halfOf({ body }: ListResponse): readonly [half: Buffer, whole: Buffer] {
  const whole = Buffer.from(body);
  return [whole.subarray(0, Math.ceil(whole.length / 2)), whole];
}
