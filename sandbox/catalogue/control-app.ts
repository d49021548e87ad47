import type { Hono } from 'hono';
import * as z from 'zod';
import type { Activity } from '../../lambdas/catalogue/schemas.ts';
import { controlRoutes, withBody } from '../http.ts';
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
