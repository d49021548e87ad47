import { Hono } from 'hono';
import * as z from 'zod';
import type { Activity } from '../../lambdas/catalogue/schemas.ts';
import { BadBodyError, readBody } from '../http.ts';
import { NothingToDoError } from '../software/curator-action.ts';
import { UnknownKindError } from '../software/software.ts';
import { type Fault, type FaultScope, faultSchema } from './faults.ts';
import type { ActionWanted, PublishedAction } from './made-up.ts';

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

/** The list that `GET /sandbox/` serves. */
const controlRoutes = {
  'GET /sandbox/': 'serves this list',
  'POST /sandbox/rows': 'adds rows: {"rows": [{…}], "lateSeconds": 0}',
  'POST /sandbox/act':
    'performs random actions: {"kind": "rate", "panel": 3, "times": 1, "lateSeconds": 0}, all optional',
  'POST /sandbox/panels/<id>/hide': 'hides the panel, its regions and its rows',
  'POST /sandbox/panels/<id>/reveal': 'shows them again',
  'POST /sandbox/faults':
    'makes the next responses wrong: {"fault": {"kind": "status", "status": 429, "retryAfter": "5"}, "times": 3, "path": "activities"}',
  'DELETE /sandbox/faults': 'removes the faults that are left',
  'GET /sandbox/requests': 'lists the requests so far, oldest first',
  'DELETE /sandbox/requests': 'clears that list',
} as const;

/** The HTTP interface under `/sandbox/` that changes the catalogue. */
export function controlApp(control: CatalogueControl): Hono {
  const app = new Hono();
  app.get('/sandbox/', (context) => context.json(controlRoutes));

  app.post('/sandbox/rows', async (context) => {
    const { rows, lateSeconds } = await readBody(context, rowsBody);
    control.addRows(rows as readonly RowToAdd[], { lateMs: lateSeconds * 1000 });
    return context.json({ added: rows.length });
  });

  app.post('/sandbox/act', async (context) => {
    const { kind, panel, times, lateSeconds } = await readBody(context, actBody);
    const what = {
      lateMs: lateSeconds * 1000,
      ...(kind !== undefined && { kind }),
      ...(panel !== undefined && { panel }),
    };
    return context.json({ done: Array.from({ length: times }, () => control.act(what)) });
  });

  app.post('/sandbox/panels/:id{\\d+}/hide', (context) => {
    control.hidePanel(Number(context.req.param('id')));
    return context.json({ hidden: true });
  });

  app.post('/sandbox/panels/:id{\\d+}/reveal', (context) => {
    control.revealPanel(Number(context.req.param('id')));
    return context.json({ hidden: false });
  });

  app.post('/sandbox/faults', async (context) => {
    const { fault, times, path } = await readBody(context, faultBody);
    control.fail(fault, { times, ...(path === undefined ? {} : { path }) });
    return context.json({ waiting: times });
  });

  app.delete('/sandbox/faults', (context) => {
    control.clearFaults();
    return context.json({ waiting: 0 });
  });

  app.get('/sandbox/requests', (context) => context.json({ requests: control.requests }));

  app.delete('/sandbox/requests', (context) => {
    control.forgetRequests();
    return context.json({ requests: [] });
  });

  app.onError((error, context) => context.json({ error: error.message }, statusOf(error)));
  return app;
}

function statusOf(error: Error): 400 | 409 | 500 {
  if (error instanceof UnknownKindError || error instanceof BadBodyError) return 400;
  return error instanceof CatalogueControlError || error instanceof NothingToDoError ? 409 : 500;
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
