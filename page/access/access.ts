import type { Person } from './person.ts';
import type { Site } from './site.ts';

/** The network connection over which a request came. */
export interface Connection {
  /** The IP address of the other end; empty where unknown. */
  readonly from: string;
}

/** Who makes a request that is answered. */
export interface Visitor {
  /** Null where the page has no sign-in: a user of this machine. */
  readonly person: Person | null;
  /** What each form sends back, so that another site cannot send one. */
  readonly formToken: string;
  /** The id of the token by which a program reads in the name of the person; absent for a person. */
  readonly program?: string;
  /** Whether the page can end the session. */
  readonly canSignOut: boolean;
  /** Whether the visitor may still read: a stream ends with the session. */
  isStillAllowed(): Promise<boolean>;
}

/** Decides who may read the page. */
export interface Access {
  readonly site: Site;
  /** Whether a connection may be answered at all: behind a proxy, that of the proxy alone. */
  mayConnect(connection: Connection): boolean;
  /** Whether requests are limited by person, and before the sign-in by address. */
  readonly isLimited: boolean;
  /** Paths to which another system, no browser, posts: it proves itself in what it posts. */
  readonly machinePaths: ReadonlySet<string>;
  /** Answers the addresses of the sign-in itself; null for every other one. */
  answer(request: Request): Promise<Response | null>;
  /** The visitor of a request, or the response that refuses it. */
  admit(request: Request): Promise<Visitor | Response>;
}
