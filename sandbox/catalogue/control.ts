import type { Activity } from '../../lambdas/catalogue/schemas.ts';
import type { Fault, FaultScope } from './faults.ts';
import type { ActionWanted, PublishedAction } from './made-up.ts';
import type { SeenRequest } from './seen-requests.ts';

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
export type RowToAdd = Partial<Activity> & Readonly<Record<string, unknown>>;

/** The catalogue cannot do what was requested. */
export class CatalogueControlError extends Error {
  override readonly name = 'CatalogueControlError';
  readonly code = 'catalogue-control';
}
