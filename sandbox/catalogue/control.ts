import type { Activity } from '../../lambdas/catalogue/schemas.ts';
import type { Fault, FaultScope } from './faults.ts';
import type { Done } from './made-up.ts';
import type { SeenRequest } from './seen-requests.ts';

/** How a test, or a person over HTTP, steers the catalogue. */
export interface CatalogueControl {
  /**
   * Adds rows as they are to be served; they appear where their `created` puts them. A row without one is
   * stamped now, or `lateMs` earlier.
   */
  addRows(rows: readonly RowToAdd[], options?: { readonly lateMs?: number }): void;
  /** A row of a panel vanishes with all others of it, and the panel and its regions from their lists. */
  hidePanel(id: number): void;
  revealPanel(id: number): void;
  /** Somebody does something, of a kind where it is asked for, `lateMs` ago. Only in a made-up catalogue. */
  act(what?: { readonly kind?: string; readonly lateMs?: number }): Done;
  /** The next requests are answered wrongly. */
  fail(fault: Fault, scope?: FaultScope): void;
  clearFaults(): void;
  /** What was asked so far, oldest first; the oldest are forgotten after some thousands. */
  readonly requests: readonly SeenRequest[];
  forgetRequests(): void;
  /** Hears each request before it is answered, in place of who heard before; for changes between two pages. */
  onRequest(hear: ((request: SeenRequest) => void | Promise<void>) | undefined): void;
}

/** A row, or whatever else is to be served in the place of one. */
export type RowToAdd = Partial<Activity> & Readonly<Record<string, unknown>>;

/** Something is asked of the catalogue that it cannot do. */
export class CatalogueControlError extends Error {
  override readonly name = 'CatalogueControlError';
  readonly code = 'catalogue-control';
}
