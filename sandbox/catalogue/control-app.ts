import type { ServerResponse } from 'node:http';
import type { Hono } from 'hono';
import * as z from 'zod';
import type { ListResponse } from '../../lambdas/catalogue/http/listing.ts';
import type { Activity } from '../../lambdas/catalogue/schemas.ts';
import type { Clock } from '../../lambdas/run/clock.ts';
import { controlRoutes, withBody } from '../http.ts';
import { NothingToDoError, UnknownKindError } from '../software/software.ts';
import type { ActionWanted, PublishedAction } from './made-up.ts';

/** The ways in which a response can be wrong. */
const faultSchema = z.discriminatedUnion('kind', [
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

const rowsBody = z.strictObject({
  rows: z.array(z.record(z.string(), z.unknown())).min(1),
  lateSeconds: z.number().min(0).default(0),
});
const actBody = z.strictObject({
  kind: z.string().optional(),
  panel: z.int().optional(),
  times: z.int().min(1).max(1000).default(1),
  lateSeconds: z.number().min(0).default(0),
});
const faultBody = z.strictObject({
  fault: faultSchema,
  times: z.int().min(1).default(1),
  path: z.string().optional(),
});

/** The HTTP interface under `/sandbox/` that changes the catalogue. */
export function controlApp(control: CatalogueControl): Hono {
  const act = ({ kind, panel, times, lateSeconds }: z.output<typeof actBody>): object => {
    const what = {
      lateMs: lateSeconds * 1000,
      ...(kind !== undefined && { kind }),
      ...(panel !== undefined && { panel }),
    };
    return { done: Array.from({ length: times }, () => control.act(what)) };
  };
  return controlRoutes(
    {
      'POST /sandbox/rows': withBody(
        'adds rows: {"rows": [{…}], "lateSeconds": 0}',
        rowsBody,
        ({ rows, lateSeconds }) => {
          control.addRows(rows as readonly RowToAdd[], { lateMs: lateSeconds * 1000 });
          return { added: rows.length };
        },
      ),
      'POST /sandbox/act': withBody(
        'performs random actions: {"kind": "rate", "panel": 3, "times": 1, "lateSeconds": 0}, all optional',
        actBody,
        act,
      ),
      'POST /sandbox/panels/<id>/hide': {
        says: 'hides the panel, its regions and its rows',
        answer: ({ req }) => {
          control.hidePanel(Number(req.param('id')));
          return { hidden: true };
        },
      },
      'POST /sandbox/panels/<id>/reveal': {
        says: 'shows them again',
        answer: ({ req }) => {
          control.revealPanel(Number(req.param('id')));
          return { hidden: false };
        },
      },
      'POST /sandbox/faults': withBody(
        'makes the next responses wrong: {"fault": {"kind": "status", "status": 429, "retryAfter": "5"}, "times": 3, "path": "activities"}',
        faultBody,
        ({ fault, times, path }) => {
          control.fail(fault, { times, ...(path === undefined ? {} : { path }) });
          return { waiting: times };
        },
      ),
      'DELETE /sandbox/faults': {
        says: 'removes the faults that are left',
        answer: () => {
          control.clearFaults();
          return { waiting: 0 };
        },
      },
      'GET /sandbox/requests': {
        says: 'lists the requests so far, oldest first',
        answer: () => ({ requests: control.requests }),
      },
      'DELETE /sandbox/requests': {
        says: 'clears that list',
        answer: () => {
          control.forgetRequests();
          return { requests: [] };
        },
      },
    },
    (error) => {
      if (error instanceof UnknownKindError) return 400;
      return error instanceof CatalogueControlError || error instanceof NothingToDoError ? 409 : 500;
    },
  );
}

/** Changes the catalogue while it runs: from a test, or over HTTP. */
export interface CatalogueControl {
  /**
   * Adds rows exactly as given. They appear where their `created` places them. A row without one gets the present time,
   * or `lateMs` earlier.
   */
  addRows(rows: readonly RowToAdd[], options?: { readonly lateMs?: number }): void;
  /** Removes a panel, its regions and its rows from the lists. */
  hidePanel(id: number): void;
  /** Brings a hidden panel back, with its rows at their old places. */
  revealPanel(id: number): void;
  /**
   * Performs an action of the given kind, or of any, on the given panel, or any, dated `lateMs` ago.
   *
   * @throws {CatalogueControlError} when the catalogue is not a made-up one
   * @throws {UnknownKindError} when the kind is unknown
   */
  act(what?: ActionWanted): PublishedAction;
  /** Makes the next responses wrong. */
  fail(fault: Fault, scope?: FaultScope): void;
  clearFaults(): void;
  /** The last 10,000 requests, oldest first. */
  readonly requests: readonly SeenRequest[];
  forgetRequests(): void;
  /** Sets the function that is called before each request is answered, for changes between two pages. */
  onRequest(listener: ((request: SeenRequest) => void | Promise<void>) | undefined): void;
}

/** A row to add, which may be invalid. */
type RowToAdd = Partial<Activity> & Readonly<Record<string, unknown>>;

/** The catalogue cannot do what was requested. */
export class CatalogueControlError extends Error {
  override readonly name = 'CatalogueControlError';
  readonly code = 'catalogue-control';
}

/** A request to the catalogue. */
export interface SeenRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  /** When it arrived: UTC, ISO 8601. */
  readonly time: string;
  /** Without those that may hold a credential. */
  readonly headers: Readonly<Record<string, string>>;
}

const credential = /auth|cookie|token|key|secret|password|credential|signature/i;

/** Records a request without credentials. */
export function seenRequest(request: Request, now: number): SeenRequest {
  const { pathname, search } = new URL(request.url);
  return {
    method: request.method,
    path: pathname + search,
    time: new Date(now).toISOString(),
    headers: Object.fromEntries([...request.headers].filter(([name]) => !credential.test(name))),
  };
}

/** The requests that get the fault. */
interface FaultScope {
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
